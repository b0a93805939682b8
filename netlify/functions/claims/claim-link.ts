import type { Order } from '../../../src/domain/orders/order.ts';
import { plainLink, siteAddress, type LetterPart } from '../../server/mail/mail.ts';
import { orderPath } from '../../server/mail/order-links.ts';

/** For the customer: the page where they report damage, and see the answer. */
export const claimLink = (order: Order, label: string): LetterPart =>
  plainLink(label, siteAddress(orderPath('claim', order)));
