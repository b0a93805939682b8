import { shop } from '#settings/shop.ts';

/** The consent text beside the newsletter box; stored with the address as proof of what was agreed to. */
export const newsletterConsent =
  `By subscribing, you agree to get news of ${shop.name} by e-mail. ` +
  'You can leave at any time with the link in every mail.';
