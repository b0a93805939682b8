import { delivery } from '#shop/delivery.ts';

/** The terms of cash on delivery, amounts in paise; null in a shop where all orders are paid online. */
export const cashOnDelivery = delivery.cashOnDelivery ?? null;
