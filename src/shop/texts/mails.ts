import type { MailTexts } from '#shop-schema/shop-schema.ts';

/** The shop's voice in its mails to customers. Facts, amounts and what the law asks for are the engine's. */
export const mails: MailTexts = {
  greeting: 'Hello',
  thanks: 'Thank you',
  delivered: 'We hope you love it.',
  newsletter: 'new pieces, the stories behind them, and the occasional offer',
  closing: 'Questions? Answer this e-mail, or write to',
};
