import type { OrderAnswers } from '#domain/orders/order-answers.ts';

interface SentOrder {
  delivery: { fulfilment: string };
  answers: OrderAnswers;
}

/**
 * Whether damage can be reported: as soon as the parcel is on its way, because customers open it before the shop marks it delivered. One
 * that is paid at the door may be refused until then. Same as SQL `private.is_claimable`.
 */
export const isClaimable = ({ delivery: { fulfilment }, answers: { claim } }: SentOrder): boolean =>
  (claim !== 'never' && fulfilment === 'delivered') ||
  (claim === 'sent' && fulfilment === 'shipped');

/** Whether an order may have a report: also one that was refunded since, whose customer reads the answer. */
export const mayHaveClaim = ({
  delivery: { fulfilment },
  answers: { waitsFor },
}: SentOrder): boolean =>
  fulfilment === 'delivered' || (fulfilment === 'shipped' && waitsFor !== 'cash');
