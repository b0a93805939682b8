import { one, type Database } from '../support/database.ts';
import {
  addShopper,
  markPaid,
  newPaymentId,
  placeOpen,
  type Line,
  type PlacedOrder,
} from '../support/shop-rows.ts';

export interface Answer {
  outcome: string;
  [key: string]: unknown;
}

export interface PaidOrder extends PlacedOrder {
  razorpay_order_id: string;
  payment: string;
}

/** An order of a new shopper, paid. */
export async function buy(
  database: Database,
  lines: Line[],
  expected?: number,
): Promise<PaidOrder> {
  const order = await placeOpen(
    database,
    await addShopper(database),
    lines,
    expected === undefined ? {} : { expected },
  );
  const payment = newPaymentId();
  const outcome = await markPaid(database, order, payment);
  if (outcome !== 'paid') throw new Error(`Not paid: ${outcome}`);
  return { ...order, payment };
}

const answerOf = async (
  database: Database,
  call: string,
  ...values: readonly unknown[]
): Promise<Answer> =>
  (await one<{ answer: Answer }>(database, `select public.${call} as answer`, ...values)).answer;

export const requestRefund = (
  database: Database,
  id: number,
  amount: number,
  {
    key = crypto.randomUUID(),
    restock = {},
    items = {},
  }: { key?: string; restock?: Record<string, number>; items?: Record<string, number> } = {},
): Promise<Answer> =>
  answerOf(
    database,
    'request_refund($1, $2, $3, $4, $5::jsonb, $6::jsonb)',
    ...[id, key, amount, 'A scratch', JSON.stringify(restock), JSON.stringify(items)],
  );

export const cancel = (
  database: Database,
  id: number,
  { restock = true, asked = true } = {},
): Promise<Answer> =>
  answerOf(
    database,
    'cancel_order($1, $2, $3, $4, $5)',
    id,
    crypto.randomUUID(),
    'Sold in the shop',
    restock,
    asked,
  );

/** `paid` is what the customer saw of the order. */
export const cancelOwn = (
  database: Database,
  shopperId: string,
  id: number,
  paid: boolean,
  { asked = true } = {},
): Promise<Answer> =>
  answerOf(
    database,
    'cancel_own_order($1, $2, $3, $4, $5)',
    ...[shopperId, id, crypto.randomUUID(), paid, asked],
  );

export const setFulfilment = (
  database: Database,
  id: number,
  state: string,
  {
    carrier = 'India Post',
    number = 'EM1',
    document = '{}',
  }: { carrier?: string; number?: string; document?: string | null } = {},
): Promise<Answer> =>
  answerOf(
    database,
    'set_fulfilment($1, $2, $3, $4, null, $5::jsonb)',
    id,
    state,
    carrier,
    number,
    document,
  );

export const assignInvoice = (
  database: Database,
  id: number,
): Promise<Answer & { invoice?: { number: string } }> =>
  answerOf(database, `assign_invoice($1, '{}')`, id);

/** The state of every refund of a payment, oldest first. */
export const refundsOf = (
  database: Database,
  payment: string,
): Promise<{ id: number; amount: number; state: string }[]> =>
  database.query(
    'select id::int, amount_paise::int as amount, state from public.refunds where payment_id = $1 order by id',
    payment,
  );

/** Reports what the provider made of a refund. */
export const finishRefund = (
  database: Database,
  id: number,
  refundId: string | null,
  error: string | null = null,
): Promise<unknown> =>
  database.query('select public.finish_refund($1, $2, $3)', id, refundId, error);
