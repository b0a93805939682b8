import { seller } from '#shop/seller.ts';

/** Hours after an order ended unpaid, after which its customer gets one mail about the cart; null in a shop that sends none. */
export const cartMailAfterHours = seller.mails.leftCartAfterHours ?? null;
