import { seller } from '#settings/seller.ts';
import { shop } from '#settings/shop.ts';
import { keptAdvance } from '#domain/sums/payment-way.ts';
import { formatRupees, type Paise } from '#domain/money.ts';
import { indiaMoment } from '#domain/india-dates.ts';
import { sellerChat } from '#domain/seller-chat.ts';
import { orderTitle } from './order.ts';
import type { OrderStatus } from './order-status.ts';
import type { OwnOrder } from './own-order.ts';
import { rowsPaise } from '#domain/sums/sum-rows.ts';

/** A step of an order that is sold; `at` is null until it is taken, and for a step that was skipped. */
export interface ProgressStep {
  name: 'Paid' | 'Confirmed' | 'Packed' | 'Shipped' | 'Delivered';
  isDone: boolean;
  at: string | null;
}

const cashStatuses: Partial<Record<NonNullable<OwnOrder['cash']>['state'], OrderStatus>> = {
  to_confirm: { label: 'To be confirmed', tone: 'yellow' },
  due: { label: 'Cash on delivery', tone: 'yellow' },
  ended: { label: 'Ended', tone: 'grey' },
};

/** The badge of an order: its payment (spec section 4). Of one that is paid at the door, how it stands: nothing of it is late or has failed. */
export const ownStatus = ({ status, cash }: Pick<OwnOrder, 'status' | 'cash'>): OrderStatus =>
  (cash === null ? undefined : cashStatuses[cash.state]) ?? status;

/** The customer's sentence about a refund. */
export const refundLabels = {
  none: null,
  due: 'Your refund is on its way',
  part: 'A part of the amount was refunded',
  whole: 'Refunded',
} as const;

/** The words about a refund beside the badge; null where the badge says the same. */
export function refundWords(order: Pick<OwnOrder, 'status' | 'cash' | 'refund'>): string | null {
  const words = refundLabels[order.refund];
  return words?.toLowerCase() === ownStatus(order).label.toLowerCase() ? null : words;
}

/** The one word beside the badge: of a refund, else how far the parcel is; '' where the badge says it all. The badge says that it is paid. */
export function stateWord(
  order: Pick<
    OwnOrder,
    'status' | 'cash' | 'refund' | 'answers' | 'handedOver' | 'paidAt' | 'delivery'
  >,
): string {
  if (order.refund !== 'none') return refundWords(order) ?? '';
  const step = progressOf(order)?.findLast(({ isDone }) => isDone)?.name;
  return step === 'Paid' || step === 'Confirmed' ? 'Being packed' : (step ?? '');
}

/**
 * The four steps of an order that is sold; null for one that has no way to go: unpaid, refunded, cancelled or handed over. Null also for
 * one in a state that this build does not know.
 */
export function progressOf(
  order: Pick<OwnOrder, 'answers' | 'cash' | 'handedOver' | 'paidAt' | 'delivery'>,
): ProgressStep[] | null {
  const { fulfilment, packedAt, shippedAt, deliveredAt } = order.delivery;
  if (!order.answers.isSale || order.handedOver) return null;
  if (fulfilment === 'cancelled' || fulfilment === 'unknown') return null;
  const ways = ['new', 'packed', 'shipped', 'delivered'] as const;
  const reached = ways.indexOf(fulfilment);
  return [
    order.cash === null
      ? { name: 'Paid' as const, isDone: true, at: order.paidAt }
      : { name: 'Confirmed' as const, isDone: true, at: order.cash.confirmedAt },
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
  const { answers, holdExpiresAt, hasAccount, cash } = order;
  // One that is paid at the door, whose advance came: `cashNote` has its sentence.
  if (cash?.state === 'ended' && wasReserved(order)) return null;
  if (answers.customerMay !== 'pay' && answers.customerMay !== 'give_up') return null;
  return answers.customerMay === 'pay' && holdExpiresAt !== null && Date.parse(holdExpiresAt) > now
    ? { kind: 'held', until: holdExpiresAt, payable: hasAccount }
    : { kind: 'ended' };
}

/** Whether an order that is paid at the door came so far that it waited for the shop: without an advance it does so at once. */
const wasReserved = ({ amount, cash }: Pick<OwnOrder, 'amount' | 'cash'>): boolean =>
  cash !== null && (cash.advancePaymentId !== null || cash.due === amount);

/** The sentence about the cash of an order that is open, or that came to nothing; null for any other. */
export function cashNote(
  order: Pick<OwnOrder, 'amount' | 'cash' | 'delivery' | 'refund' | 'terms'>,
): string | null {
  const { amount, cash, delivery, refund } = order;
  const due = formatRupees(cash?.due ?? 0);
  const kept = keptAdvance(cash === null ? 0 : amount - cash.due, order.terms);
  const term = kept === null ? '' : ` ${kept}`;
  switch (cash?.state) {
    case 'to_confirm':
      return `We call you or write to you on WhatsApp to confirm this order${cash.until === null ? '' : ` by ${indiaMoment(cash.until)}`}. Please have ${due} in cash ready when it arrives.${term}`;
    case 'due':
      return `Please have ${due} in cash ready when the parcel arrives.${term}`;
    case 'ended':
      if (delivery.fulfilment === 'cancelled')
        return delivery.shippedAt === null
          ? null
          : `This parcel was not paid at the door, so it came back to us.${amount > cash.due && refund === 'none' ? ' The advance is not returned, as our terms say.' : ''}`;
      return wasReserved(order)
        ? 'We could not confirm this order with you in time, so it has ended. You can order again whenever you like.'
        : null;
    default:
      return null;
  }
}

/** The way in which a customer can cancel an order: `cancel` it, `ask` the shop, or nothing. */
export function cancelChoice(order: OwnOrder): 'cancel' | 'ask' | null {
  const { answers, delivery, handedOver } = order;
  if (handedOver || (delivery.fulfilment !== 'new' && delivery.fulfilment !== 'packed'))
    return null;
  if (answers.customerMay === 'cancel' && delivery.fulfilment === 'new') return 'cancel';
  return answers.isSale ? 'ask' : null;
}

/** The refund of a customer who cancels an order, and the platform fee that the shop does not return, in paise. */
export function cancelRefund({
  amount,
  rows,
  cash,
  terms: { returnsPlatformFee },
}: Pick<OwnOrder, 'amount' | 'rows' | 'cash' | 'terms'>): { refunded: Paise; kept: Paise } {
  if (cash !== null) return { refunded: amount - cash.due, kept: 0 };
  const fee = rowsPaise(rows, 'fee');
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
