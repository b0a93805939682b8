import { seller } from '#settings/seller.ts';

/** A WhatsApp chat with the shop, with the text filled in. */
export const sellerChat = (text: string): string =>
  `https://wa.me/${seller.contact.whatsapp}?text=${encodeURIComponent(text)}`;
