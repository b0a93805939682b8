import type { MailTexts } from '#shop-schema/shop-schema.ts';

export const mails: MailTexts = {
  greeting: 'Khamma ghani',
  thanks: 'Dhanyavaad, and thank you',
  delivered: 'We hope that nothing broke, and that you wear it for many years.',
  newsletter: 'what came out of the kiln, & the days on which you may watch',
  closing: 'Write back to this e-mail whenever something is unclear, or to',
};
