import type { Order } from '#domain/orders/order.ts';
import { plainLink, siteAddress, type LetterPart } from '#core/mail/mail.ts';
import { orderPath } from '#core/mail/order-links.ts';

/** The link for the customer to the page where they report damage and see the answer. */
export const claimLink = (order: Order, label: string): LetterPart =>
  plainLink(label, siteAddress(orderPath('claim', order)));
