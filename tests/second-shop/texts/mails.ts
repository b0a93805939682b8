import type { MailTexts } from '../../shop-schema/shop-schema.ts';

export const mails: MailTexts = {
  greeting: 'Namaskar',
  thanks: 'Dhanyavaad, and thank you',
  delivered: 'We hope that it fits, and that you wear it for many years.',
  newsletter:
    'what we have hammered this month, and the days on which the workshop is open to visitors',
  closing: 'Write back to this e-mail whenever something is unclear, or to',
};
