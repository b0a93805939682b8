import * as z from 'zod/mini';
import { shop } from '../../../src/shop.config.ts';
import { siteEnv } from '../platform/env.ts';
import { html } from '../platform/html.ts';
import { letter, paragraph, type Mail } from './mail.ts';

export const newsletterPayloadSchema = z.object({ token: z.uuid() });
export type NewsletterPayload = z.infer<typeof newsletterPayloadSchema>;

const linkTo = (step: 'confirm' | 'unsubscribe', { token }: NewsletterPayload): string =>
  new URL(`/newsletter/${step}?token=${token}`, siteEnv().URL).href;

/** To an address that somebody entered: the link to a page whose button begins the newsletter. */
export function composeNewsletterConfirmation(payload: NewsletterPayload): Mail {
  const link = linkTo('confirm', payload);
  const asked = `Somebody, we hope you, asked for news of ${shop.name} at this address. Please confirm that you want it:`;
  const otherwise = 'If it was not you, leave this mail unanswered: nothing is sent.';
  return letter({
    subject: `Please confirm: news of ${shop.name}`,
    title: 'One more step',
    text: [`${asked}\n${link}`, otherwise].join('\n\n'),
    body: html`${paragraph(asked)}
      <p><a href="${link}">Confirm my subscription</a></p>
      ${paragraph(otherwise)}`,
  });
}

/** To a new subscriber: what begins, and the way out. */
export function composeNewsletterWelcome(payload: NewsletterPayload): Mail {
  const leave = linkTo('unsubscribe', payload);
  const begins = `You will now hear from ${shop.name} by e-mail: new pieces, the stories behind them, and an offer now and then.`;
  const out = 'You changed your mind? This link ends it:';
  const mail = letter({
    subject: `Welcome to news of ${shop.name}`,
    title: 'Thank you for subscribing',
    text: [begins, `${out}\n${leave}`].join('\n\n'),
    body: html`${paragraph(begins)}${paragraph(out)}
      <p><a href="${leave}">Unsubscribe</a></p>`,
  });
  // RFC 8058: the mail program's own button posts here.
  return {
    ...mail,
    headers: {
      'List-Unsubscribe': `<${leave}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
