import * as z from 'zod/mini';
import { shop } from '#settings/shop.ts';
import { deletionLink, deletionLinkHours } from '#core/account/deletion-link.ts';
import { button, letter, type Mail } from '#core/mail/mail.ts';

export const deletionPayloadSchema = z.object({ user_id: z.guid(), asked_at: z.string() });

/** Composes the mail with the link to the page whose button deletes the account. */
export function composeAccountDeletion({
  user_id: userId,
  asked_at: askedAt,
}: z.infer<typeof deletionPayloadSchema>): Mail {
  const asked = `Someone who is signed in to your account at ${shop.name}, hopefully you, asked to delete it. This link opens the page that deletes it. It works for ${String(deletionLinkHours)} hours.`;
  const otherwise =
    'If it was not you, do not open the link, and choose a new password: someone else knows your current one.';
  return letter({
    subject: `Delete your account at ${shop.name}`,
    title: 'Delete your account?',
    parts: [
      asked,
      button('Delete my account', deletionLink(userId, Date.parse(askedAt))),
      otherwise,
    ],
  });
}
