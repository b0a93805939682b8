import * as z from 'zod/mini';
import type { LetterKinds } from '#core/mail/letter-kinds.ts';
import { seller } from '#settings/seller.ts';
import { button, letter, section, siteAddress, type Mail } from '#core/mail/mail.ts';

const contactPayloadSchema = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  message: z.string(),
});
type ContactPayload = z.infer<typeof contactPayloadSchema>;

/** Composes the mail that brings the admin a visitor's message. Replying to the mail replies to the visitor. */
function composeContactMessage({ id, name, email, subject, message }: ContactPayload): Mail {
  const answer = `Answer this e-mail to write to them. The shop promises an answer within ${seller.answersWithin}.`;
  const mail = letter({
    subject: `Message from ${name}${subject === '' ? '' : `: ${subject}`}`,
    title: 'A message from the contact form',
    parts: [
      section('From', `${name}\n${email}\nMessage ${String(id)}`),
      section('Subject', subject === '' ? 'None' : subject),
      section('Message', message),
      answer,
      button('Open the inbox', siteAddress('/admin#inbox')),
    ],
  });
  return { ...mail, replyTo: email };
}

export const letters: LetterKinds = {
  contact_message: ({ payload }) => composeContactMessage(contactPayloadSchema.parse(payload)),
};
