import { seller } from '../../settings/seller.ts';
import { shop } from '../../settings/shop.ts';
import type { Paise } from '../money.ts';
import { sellerChat } from '../seller-chat.ts';
import { isByHand } from './order-payment.ts';
import { orderTitle } from './order.ts';
import type { OwnOrder } from './own-order.ts';

/** A step of a paid order; `at` is null until it is taken, and for a step that was skipped. */
export interface ProgressStep {
  name: 'Paid' | 'Packed' | 'Shipped' | 'Delivered';
  isDone: boolean;
  at: string | null;
}

/** The customer's sentence about a refund. */
export const refundLabels = {
  none: null,
  due: 'Your refund is on its way',
  part: 'A part of the amount was refunded',
  whole: 'Refunded',
} as const;

/** Whether it is the shop's to pack: paid, and not refunded in full. */
const isPaid = ({ status, refund }: Pick<OwnOrder, 'status' | 'refund'>): boolean =>
  status.label === 'COMPLETED' || refund === 'part';

/**
 * The four steps of a paid order; null for one that has no way to go: unpaid, refunded, cancelled or handed over. Null also for one in a
 * state that this build does not know.
 */
export function progressOf(
  order: Pick<OwnOrder, 'status' | 'refund' | 'handedOver' | 'paidAt' | 'delivery'>,
): ProgressStep[] | null {
  const { fulfilment, packedAt, shippedAt, deliveredAt } = order.delivery;
  if (!isPaid(order) || order.handedOver) return null;
  if (fulfilment === 'cancelled' || fulfilment === 'unknown') return null;
  const ways = ['new', 'packed', 'shipped', 'delivered'] as const;
  const reached = ways.indexOf(fulfilment);
  return [
    { name: 'Paid' as const, isDone: true, at: order.paidAt },
    { name: 'Packed' as const, isDone: reached >= 1, at: packedAt },
    { name: 'Shipped' as const, isDone: reached >= 2, at: shippedAt },
    { name: 'Delivered' as const, isDone: reached >= 3, at: deliveredAt },
  ];
}

/**
 * How an unpaid order stands: `held` until a time, or `ended`. Null for a paid, a cancelled and an imported one, and in a state that this
 * build does not know.
 */
export function unpaidState(
  order: OwnOrder,
  now: number,
): { kind: 'held'; until: string; payable: boolean } | { kind: 'ended' } | null {
  const { status, holdState, holdExpiresAt, delivery, refund, hasAccount } = order;
  if (holdState !== 'held' && holdState !== 'released') return null;
  if (delivery.fulfilment !== 'new') return null;
  if (refund !== 'none' || (status.label !== 'PENDING' && status.label !== 'FAILED')) return null;
  return holdState === 'held' && holdExpiresAt !== null && Date.parse(holdExpiresAt) > now
    ? { kind: 'held', until: holdExpiresAt, payable: hasAccount }
    : { kind: 'ended' };
}

/** The way in which a customer can cancel a paid order: `cancel` it, `ask` the shop, or nothing. */
export function cancelChoice(order: OwnOrder): 'cancel' | 'ask' | null {
  if (!isPaid(order) || order.handedOver) return null;
  const { fulfilment } = order.delivery;
  if (fulfilment === 'packed') return 'ask';
  if (fulfilment !== 'new') return null;
  return order.holdState === 'taken' && !isByHand(order.paymentId) ? 'cancel' : 'ask';
}

/** The refund of a customer who cancels a paid order, and the platform fee that the shop does not return, in paise. */
export function cancelRefund(
  { amount, fee }: Pick<OwnOrder, 'amount' | 'fee'>,
  returnsPlatformFee: boolean = seller.refunds.returnsPlatformFee,
): { refunded: Paise; kept: Paise } {
  // As `cancel_own_order`: a refund of less than one rupee is not possible.
  const kept = returnsPlatformFee || amount - fee < shop.limits.minAmountPaise ? 0 : fee;
  return { refunded: amount - kept, kept };
}

/** A WhatsApp chat and a mail to the shop about an order, with its number filled in. */
export function askLinks(
  order: Pick<OwnOrder, 'id' | 'isTest'>,
  wish = '',
): { whatsapp: string; mail: string } {
  const about = orderTitle(order);
  const { emails } = seller.contact;
  return {
    whatsapp: sellerChat(`${about}: ${wish}`),
    mail: `mailto:${emails[0]}?subject=${encodeURIComponent(about)}&body=${encodeURIComponent(wish)}`,
  };
}
