import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { contactSchema } from '#domain/checkout/forms.ts';
import { publicFormEndpoint } from '#core/forms/public-form.ts';
import { sendOutboxAfterResponse } from '#core/mail/outbox.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { seller } from '#settings/seller.ts';

const inboxFull = new HttpError(
  503,
  'inbox_full',
  `Our inbox is full at the moment. Please write to ${seller.contact.emails[0]}.`,
);

/** POST /api/contact: stores a visitor's message and queues the admin's mail. Posted without a script: 303 to /contact/sent. */
export default publicFormEndpoint({
  route: 'contact',
  schema: contactSchema,
  fields: [
    { name: 'name', label: 'Full Name*', type: 'text', required: true },
    { name: 'email', label: 'Email Address*', type: 'email', required: true },
    { name: 'subject', label: 'Subject', type: 'text', required: false },
    { name: 'message', label: 'Message*', type: 'multiline', required: true },
  ],
  button: 'Send Message',
  async take({ name, email, subject, message }, { context, addLogFields }) {
    const id = await callFunction(
      'save_contact_message',
      { p_name: name, p_email: email, p_subject: subject, p_message: message },
      z.nullable(z.number()),
    );
    if (id === null) throw inboxFull;
    addLogFields({ message: id });
    await sendOutboxAfterResponse({ context });
  },
  done: () => new Response(null, { status: 303, headers: { location: '/contact/sent' } }),
});

export const config: Config = { path: '/api/contact' };
