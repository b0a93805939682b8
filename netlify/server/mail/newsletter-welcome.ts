import * as z from 'zod/mini';
import { shop } from '../../../src/shop.config.ts';
import { siteEnv } from '../platform/env.ts';
import { html } from '../platform/html.ts';
import { letter, paragraph, type Mail } from './mail.ts';

export const welcomePayloadSchema = z.object({ token: z.uuid() });
export type WelcomePayload = z.infer<typeof welcomePayloadSchema>;

/** To a new subscriber, who may have been entered by someone else: what begins, and the way out. */
export function composeNewsletterWelcome({ token }: WelcomePayload): Mail {
  const leave = new URL(`/api/newsletter/unsubscribe?token=${token}`, siteEnv().URL).href;
  const begins = `You will now hear from ${shop.name} by e-mail: new pieces, the stories behind them, and an offer now and then.`;
  const out = 'You did not ask for this, or you changed your mind? This link ends it at once:';
  const mail = letter({
    subject: `Welcome to news of ${shop.name}`,
    title: 'Thank you for subscribing',
    text: [begins, `${out}\n${leave}`].join('\n\n'),
    body: html`${paragraph(begins)}${paragraph(out)}<p><a href="${leave}">Unsubscribe</a></p>`,
  });
  // RFC 8058: the mail program's own button posts here.
  return { ...mail, headers: { 'List-Unsubscribe': `<${leave}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } };
}
