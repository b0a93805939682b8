import * as z from 'zod/mini';
import { shop } from '../../../src/shop.config.ts';
import { deletionLink, deletionLinkHours } from '../account/deletion-link.ts';
import { html } from '../platform/html.ts';
import { letter, paragraph, type Mail } from './mail.ts';

export const deletionPayloadSchema = z.object({ user_id: z.guid(), asked_at: z.string() });

/** To the address of an account: the link to the page whose button deletes it. */
export function composeAccountDeletion({
  user_id: userId,
  asked_at: askedAt,
}: z.infer<typeof deletionPayloadSchema>): Mail {
  const link = deletionLink(userId, Date.parse(askedAt));
  const asked = `Somebody who is signed in to your account at ${shop.name}, we hope you, asked to delete it. This link leads to the page that does so; it works for ${String(deletionLinkHours)} hours:`;
  const otherwise =
    'If it was not you, do not open the link, and choose a new password: whoever asked knows your present one.';
  return letter({
    subject: `Delete your account at ${shop.name}`,
    title: 'Delete your account?',
    text: [`${asked}\n${link}`, otherwise].join('\n\n'),
    body: html`${paragraph(asked)}
      <p><a href="${link}">Delete my account</a></p>
      ${paragraph(otherwise)}`,
  });
}
