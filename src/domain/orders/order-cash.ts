import type { Paise } from '#domain/money.ts';
import { answersOf } from './order-answers.ts';
import type { OrderRow } from './order-row.ts';

/**
 * `advance`: the advance is not paid yet. `to_confirm`: the shop has not confirmed the order. `due`: it is confirmed, and the cash is to
 * come. `ended`: nobody will pay.
 */
export const cashStates = ['advance', 'to_confirm', 'due', 'paid', 'ended'] as const;
export type CashState = (typeof cashStates)[number];

/** Why an order that is paid at the door came to nothing: what SQL `private.end_cash_order` is told. */
export const cashEndings = ['not_confirmed', 'cancelled', 'refused'] as const;

/** The part of an order that is paid in cash when the parcel arrives. Amounts in paise. */
export interface CashOfOrder {
  /** What is paid at the door; the rest of the amount is the advance. */
  due: Paise;
  state: CashState;
  /** The payment of the advance; null for none. */
  advancePaymentId: string | null;
  /** Until when the shop confirms it, or the advance is paid. */
  until: string | null;
  confirmedAt: string | null;
}

type CashColumns =
  | 'cash_paise'
  | 'advance_payment_id'
  | 'cash_confirmed_at'
  | 'hold_expires_at'
  | 'state'
  | 'kind'
  | 'payment_id';

function stateOf(row: Pick<OrderRow, CashColumns>): CashState {
  const { takesStock, waitsFor } = answersOf(row);
  if (waitsFor === 'shop') return 'to_confirm';
  if (waitsFor === 'cash') return 'due';
  if (waitsFor === 'payment' && takesStock === 'waiting') return 'advance';
  return row.payment_id === null ? 'ended' : 'paid';
}

/** Reads how an order is paid at the door; null for one that is paid online. */
export const cashOf = (row: Pick<OrderRow, CashColumns>): CashOfOrder | null =>
  row.cash_paise === 0
    ? null
    : {
        due: row.cash_paise,
        state: stateOf(row),
        advancePaymentId: row.advance_payment_id,
        until: row.hold_expires_at,
        confirmedAt: row.cash_confirmed_at,
      };

/** What the courier collects at the door, in paise; null for a parcel that is paid. */
export const cashToCollect = ({ cash }: { cash: CashOfOrder | null }): Paise | null =>
  cash?.state === 'due' ? cash.due : null;
