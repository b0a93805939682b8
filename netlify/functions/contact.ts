import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { contactSchema } from '../../src/domain/checkout/forms.ts';
import { afterResponse } from '../server/platform/background.ts';
import { callFunction } from '../server/platform/database.ts';
import { refusedFormPage, type TypedField } from '../server/forms/form-page.ts';
import { endpoint, json, type RequestContext } from '../server/platform/http.ts';
import { sendOutbox } from '../server/mail/outbox.ts';
import { acceptPublicForm, limitPublicForm, readPublicForm, type PublicForm } from '../server/forms/public-form.ts';

const perCaller = { hits: 5, seconds: 600 };
const together = { hits: 200, seconds: 3_600 };

const labels = [
  ['name', 'Full Name*', 'text'],
  ['email', 'Email Address*', 'email'],
  ['subject', 'Subject', 'text'],
  ['message', 'Message*', 'multiline'],
] as const;

function typedFields({ raw }: PublicForm): TypedField[] {
  return labels.map(([name, label, type]) => {
    const value = raw[name];
    return { name, label, type, value: typeof value === 'string' ? value : '', required: label.endsWith('*') };
  });
}

async function takeMessage({ context, addLogFields }: RequestContext, form: PublicForm): Promise<void> {
  const message = acceptPublicForm(form, contactSchema);
  await limitPublicForm('contact', context, perCaller, together);
  const id = await callFunction(
    'save_contact_message',
    { p_name: message.name, p_email: message.email, p_subject: message.subject, p_message: message.message },
    z.number(),
  );
  addLogFields({ message: id });
  await afterResponse(context, 'outbox', () => sendOutbox());
}

/**
 * POST /api/contact — stores a visitor's message and queues the admin's mail. JSON: 200 {received: true}, or an
 * error with `fields`. A form that the browser posted: 303 to /contact/sent, or a page with what was typed.
 */
export default endpoint({
  route: 'contact',
  method: 'POST',
  handler: async (ctx) => {
    const form = await readPublicForm(ctx.request);
    try {
      await takeMessage(ctx, form);
    } catch (error) {
      if (!form.posted) throw error;
      return refusedFormPage('/api/contact', error, 'Send Message', typedFields(form));
    }
    if (!form.posted) return json({ received: true });
    return new Response(null, { status: 303, headers: { location: '/contact/sent' } });
  },
});

export const config: Config = { path: '/api/contact' };
