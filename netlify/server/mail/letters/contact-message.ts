import * as z from 'zod/mini';
import { seller } from '../../../../src/settings/seller.ts';
import { html } from '../../platform/http/html.ts';
import { heading, letter, paragraph, button, siteAddress, type Mail } from '../mail.ts';

export const contactPayloadSchema = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  message: z.string(),
});
export type ContactPayload = z.infer<typeof contactPayloadSchema>;

/** To the admin: a visitor's message. Replying to the mail replies to the visitor. */
export function composeContactMessage({ id, name, email, subject, message }: ContactPayload): Mail {
  const from = `${name}\n${email}\nMessage ${String(id)}`;
  const about = subject === '' ? 'None' : subject;
  const answer = `Answer this e-mail to write to them. The shop promises an answer within ${seller.answersWithin}.`;
  const link = button('Open the inbox', siteAddress('/admin#inbox'));
  const mail = letter({
    subject: `Message from ${name}${subject === '' ? '' : `: ${subject}`}`,
    title: 'A message from the contact form',
    text: [`From\n${from}`, `Subject\n${about}`, `Message\n${message}`, answer, link.text].join(
      '\n\n',
    ),
    body: html`${heading('From')}${paragraph(from)}${heading('Subject')}${paragraph(about)}
    ${heading('Message')}${paragraph(message)}${paragraph(answer)}${link.markup}`,
  });
  return { ...mail, replyTo: email };
}
