import { forwardOf, isHere, paymentBadge } from './order-labels.ts';
import type { ListedOrder } from './orders.ts';

/** What can be done with several orders at once; 'slip' and 'parcel' (label, courier's file) are for print. */
export type SeveralStep = 'slip' | 'parcel' | 'packed' | 'shipped';

/** Why an order cannot take a step, as it follows the order's number: 'is not paid'. Null when it can. The server decides in the end. */
export function whyNot(order: ListedOrder, step: SeveralStep): string | null {
  const { sold, fulfilment, handedOver, cash } = order;
  if (fulfilment === 'cancelled') return 'is cancelled';
  if (fulfilment === 'unknown') return 'has an unknown state';
  if (!isHere(order)) return 'was sent already';
  if (cash?.state === 'to_confirm') return 'is not confirmed';
  if (!sold)
    return paymentBadge(order).label === 'Refunded' ? 'was refunded in full' : 'is not paid';
  if (handedOver && (step === 'parcel' || step === 'shipped'))
    return 'is handed over in person, so it has no parcel';
  if (step === 'packed' && !forwardOf(order).includes('packed')) return 'is packed already';
  return null;
}

/** An order that stays as it is, and why. */
export type LeftOut = readonly [id: number, reason: string];

/** The orders that cannot take a step. */
export const leftOutOf = (orders: readonly ListedOrder[], step: SeveralStep): LeftOut[] =>
  orders.flatMap((order): LeftOut[] => {
    const reason = whyNot(order, step);
    return reason === null ? [] : [[order.id, reason]];
  });

/** A line for each reason: '1003 and 1004: is not paid'. */
export function leftOutLines(leftOut: readonly LeftOut[]): string[] {
  const byReason = new Map<string, number[]>();
  for (const [id, reason] of leftOut) byReason.set(reason, [...(byReason.get(reason) ?? []), id]);
  return [...byReason].map(([reason, ids]) => `${ids.join(', ')}: ${reason}`);
}

/** '1 order', '3 orders'. */
export const orderCount = (count: number): string =>
  count === 1 ? '1 order' : `${String(count)} orders`;
