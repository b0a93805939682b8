import { sqlCashTerms } from '#core/checkout/place-order.ts';
import { addToCart, emptyCart } from '#domain/cart/cart.ts';
import { chargesOf, chargeTerms } from '#domain/sums/charges.ts';
import { summarizeCart } from '#domain/cart/cart-summary.ts';
import type { CashTerms } from '#domain/sums/payment-way.ts';
import { sampleCash } from '#tests/sample-cash.ts';
import {
  customerDetails,
  newPaymentId,
  type Answer,
  type Line,
  type OpenOrder,
  type Placing,
  type ShopDatabase,
} from '#tests/database/support/shop-database.ts';

export interface CashOptions {
  terms?: CashTerms;
  key?: string;
  network?: string | null;
  details?: Readonly<Record<string, unknown>>;
  /** Rupees of one unit of every line. */
  price?: number;
}

/** Ends the cash orders of the test before, so that none counts for the next one: refusals, open orders, phones and costs. */
export const endCashOrders = (database: ShopDatabase): Promise<unknown> =>
  database.run(`delete from public.cash_refusals where true;
    update public.orders set cash_paise = 0, hold_state = 'released', status = 'FAILED' where hold_state in ('held', 'reserved');
    update public.orders set customer_phone = null where true; delete from public.costs where true`);

/** What the cart shows for these lines at one price, as an order that is paid at the door. Rupees each. */
export function cashSummary(
  lines: readonly Line[],
  terms: CashTerms = sampleCash,
  price = 1_000,
): ReturnType<typeof summarizeCart> {
  const cart = lines.reduce(
    (sum, { product_id: id, quantity }) =>
      Array.from({ length: quantity }).reduce(
        (filled: typeof emptyCart) =>
          addToCart(filled, {
            id,
            name: 'Temple ring',
            category: 'rings',
            images: [],
            stock: 1_000,
            price: Math.round(price * 100),
            offerPrice: null,
          }),
        sum,
      ),
    emptyCart,
  );
  return summarizeCart(cart, null, { way: 'door' }, { ...chargeTerms, cash: terms });
}

/** The charges of an order that is paid at the door by these terms. */
export const cashCharges = (cash: CashTerms): ReturnType<typeof chargesOf> =>
  chargesOf({ way: 'door' }, { ...chargeTerms, cash });

/** Calls `place_order` for an order that is paid at the door, as the functions do. */
export function placeCash(
  database: ShopDatabase,
  customer: string,
  lines: readonly Line[],
  {
    terms = sampleCash,
    key = crypto.randomUUID(),
    network = null,
    details = {},
    price = 1_000,
  }: CashOptions = {},
): Promise<Placing & { reason?: string }> {
  return database.value(
    `select public.place_order($1, $2, $3::jsonb, $4::jsonb, $5, p_charges => $6::jsonb, p_hold_seconds => 900, p_network => $7, p_cash => $8::jsonb)`,
    ...[customer, key, JSON.stringify(lines), JSON.stringify({ ...customerDetails, ...details })],
    ...[cashSummary(lines, terms, price).total, JSON.stringify(cashCharges(terms)), network],
    JSON.stringify(sqlCashTerms(terms, 'rzp_live_x')),
  );
}

/** A reserved order without an advance. Returns its id. */
export async function reserve(
  database: ShopDatabase,
  customer: string,
  lines: readonly Line[],
  options: CashOptions = {},
): Promise<number> {
  const { outcome, order, reason } = await placeCash(database, customer, lines, options);
  if (outcome !== 'reserved' || !order) throw new Error(`Not reserved: ${outcome} ${reason ?? ''}`);
  return order.id;
}

export const withAdvance: CashTerms = { ...sampleCash, advance: { percent: 20 } };

/** An order whose advance is to be paid. */
export async function openAdvance(
  database: ShopDatabase,
  customer: string,
  lines: readonly Line[],
  terms: CashTerms = withAdvance,
): Promise<OpenOrder & { online_paise: number }> {
  const { outcome, order } = await placeCash(database, customer, lines, { terms });
  if (outcome !== 'placed' || !order) throw new Error(`Not placed: ${outcome}`);
  const razorpay = `order_${crypto.randomUUID().slice(0, 13).replace('-', '')}`;
  await database.query(
    `select public.attach_razorpay_order($1, $2, 'rzp_live_x')`,
    order.id,
    razorpay,
  );
  return {
    ...(order as OpenOrder & { online_paise: number }),
    razorpay_order_id: razorpay,
  };
}

/** A reserved order whose advance is paid: its id and the payment. */
export async function reserveWithAdvance(
  database: ShopDatabase,
  customer: string,
  lines: readonly Line[],
  terms: CashTerms = withAdvance,
): Promise<{ id: number; payment: string; advance: number }> {
  const order = await openAdvance(database, customer, lines, terms);
  const payment = newPaymentId();
  const outcome = await database.markPaid(order, payment, { amount: order.online_paise });
  if (outcome !== 'paid') throw new Error(`Not paid: ${outcome}`);
  return { id: order.id, payment, advance: order.online_paise };
}

export const confirm = (database: ShopDatabase, id: number): Promise<Answer> =>
  database.value('select public.confirm_cash_order($1, 5)', id);
export const receive = (
  database: ShopDatabase,
  id: number,
  amount: number,
  reference = 'UTR1',
): Promise<Answer> =>
  database.value('select public.receive_cash($1, $2, $3)', id, amount, reference);
export const refuse = (
  database: ShopDatabase,
  id: number,
  { restock = true, returns = false } = {},
): Promise<Answer> =>
  database.value(
    `select public.refuse_cash_order($1, 'Nobody at home', $2, $3)`,
    ...[id, restock, returns],
  );

/** Confirms and sends an order. */
export async function send(database: ShopDatabase, id: number, number = 'EM1'): Promise<void> {
  await confirm(database, id);
  await database.setFulfilment(id, 'shipped', { number });
}
