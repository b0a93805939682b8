import * as z from 'zod/mini';
import type { LetterKinds } from '#core/mail/letter-kinds.ts';
import { mailTexts } from '#settings/mails.ts';
import { shop } from '#settings/shop.ts';
import { button, letter, plainLink, siteAddress, type Mail } from '#core/mail/mail.ts';

const newsletterPayloadSchema = z.object({ token: z.uuid() });
type NewsletterPayload = z.infer<typeof newsletterPayloadSchema>;

const linkTo = (step: 'confirm' | 'unsubscribe', { token }: NewsletterPayload): string =>
  siteAddress(`/newsletter/${step}?token=${token}`);

/** Composes the mail to an address that somebody entered, with the link to a page whose button confirms the subscription. */
function composeNewsletterConfirmation(payload: NewsletterPayload): Mail {
  const asked = `Someone, hopefully you, subscribed to our newsletter with this address. Please confirm:`;
  const otherwise = 'If it was not you, ignore this e-mail.';
  return letter({
    subject: `Please confirm: news of ${shop.name}`,
    title: 'One more step',
    parts: [asked, button('Confirm my subscription', linkTo('confirm', payload)), otherwise],
  });
}

/** Composes the mail that welcomes a new subscriber and says how to unsubscribe. */
function composeNewsletterWelcome(payload: NewsletterPayload): Mail {
  const leave = linkTo('unsubscribe', payload);
  const begins = `You will now hear from ${shop.name} by e-mail: ${mailTexts.newsletter}.`;
  const out = 'Changed your mind? Unsubscribe with this link:';
  const mail = letter({
    subject: `Welcome to news of ${shop.name}`,
    title: 'Thank you for subscribing',
    parts: [begins, out, plainLink('Unsubscribe', leave)],
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

export const letters: LetterKinds = {
  newsletter_confirmation: ({ payload }) =>
    composeNewsletterConfirmation(newsletterPayloadSchema.parse(payload)),
  newsletter_welcome: ({ payload }) =>
    composeNewsletterWelcome(newsletterPayloadSchema.parse(payload)),
};
