import * as z from 'zod/mini';
import type { AskableDetail } from '#domain/checkout/address-hints.ts';
import { chargeKinds } from '#domain/sums/charges.ts';
import type { Paise } from '#domain/money.ts';
import type { NoticeEffect } from '#domain/shop-notice.ts';
import { cashOf, type CashOfOrder } from './order-cash.ts';
import { answersOf, type OrderAnswers } from './order-answers.ts';
import { deliveryOf, type Delivery } from './order-delivery.ts';
import {
  orderEntries,
  positive,
  readItem,
  type OrderItem,
  type PriceLookup,
} from './order-item.ts';
import { orderRowSchema, type OrderRow, type StoredRow } from './order-row.ts';
import type { OrderTerms } from './order-terms.ts';
import { orderStatus, type OrderStatus } from './order-status.ts';
import { rowsPaise, type SumRow } from '#domain/sums/sum-rows.ts';

export type { OrderItem, PriceLookup } from './order-item.ts';

/** An order as the admin page, the mails and the invoice use it: read from a whole row. Unknown texts are ''. */
export interface Order {
  /** The order number, such as '1001'. */
  id: string;
  /** 'KSV-1001-ab12cd', Razorpay's receipt. */
  reference: string;
  /** ISO 8601, or '' when the row has none. */
  createdAt: string;
  customerName: string;
  customerEmail: string;
  customerPhone: string;
  address: string;
  city: string;
  postalCode: string;
  /** The details that the customer was asked about and kept. */
  askedAbout: readonly AskableDetail[];
  /** The customer's own, '' for none. */
  gstin: string;
  notes: string;
  /** For whoever gets the parcel; '' for an order that is no gift. */
  giftNote: string;
  /** Who gets a gift; '' for the customer, see `recipientOf`. */
  recipientName: string;
  recipientPhone: string;
  /** The admin's note, which the customer never sees. */
  adminNote: string;
  items: OrderItem[];
  /** What it adds up to: the items, a discount, and what was charged beside them. */
  rows: SumRow[];
  /** The amount paid, or to be paid: the sum of the rows. */
  amount: Paise;
  /** Set for an order that is paid at the door. */
  cash: CashOfOrder | null;
  status: OrderStatus;
  /** As stored: COMPLETED, PENDING, FAILED, or any text of an imported order. */
  rawStatus: string;
  rawPaymentStatus: string;
  /** What its state means, as the database decides it. */
  answers: OrderAnswers;
  /** Made in Razorpay's test mode: no money, and no income. */
  isTest: boolean;
  /** Refunded, or being refunded. */
  refund: 'none' | 'due' | 'part' | 'whole';
  razorpayOrderId: string | null;
  paymentId: string | null;
  paymentMethod: string | null;
  /** The admin's note on a payment by hand; else the payment's id. */
  paymentReference: string | null;
  /** Where the admin sold it; null: in the shop itself. */
  channel: string | null;
  /** Opens the page where an order of the admin's is paid, until its hold ends; null when there is nothing to pay. */
  payLink: { token: string; until: string } | null;
  paidAt: string | null;
  delivery: Delivery;
  /** The shop's notice when the order was placed. */
  deliveryNotice: NoticeEffect | null;
  /** What the shop promised when it was placed. */
  terms: OrderTerms;
  /** The customer took it along: there is no parcel, and it was supplied where the shop is. */
  handedOver: boolean;
  /** How often the admin withdrew the links that were mailed. */
  linkVersion: number;
  /** Units given back to stock by `lineKey`. */
  restocked: Readonly<Record<string, number>>;
}

const refunds: ReadonlyMap<string, Order['refund']> = new Map([
  ['REFUND_DUE', 'due'],
  ['PARTIALLY_REFUNDED', 'part'],
  ['REFUNDED', 'whole'],
]);

/** The state of the money that goes back, from an order's payment status. */
export const refundOf = (paymentStatus: string | null): Order['refund'] =>
  refunds.get(paymentStatus?.trim().toUpperCase() ?? '') ?? 'none';

type AmountColumns =
  | 'items'
  | 'products'
  | 'sum_rows'
  | 'subtotal_paise'
  | 'discount_code'
  | 'discount_paise'
  | 'fee_paise'
  | 'cash_charge_paise'
  | 'amount'
  | 'total_amount'
  | 'payment_amount';

const ofLines = { tax: 'lines', refund: 'lines' } as const;

/** A row as it is stored, with the words and rules of its kind where it was stored without them. */
export function readRow({ kind, paise, label, tax, refund }: StoredRow): SumRow {
  if (kind === 'goods' || kind === 'discount') return { kind, paise, label, ...ofLines };
  const known = chargeKinds.find((charge) => charge.kind === kind);
  return { kind, paise, label: label ?? known?.label() ?? null, tax, refund };
}

/**
 * The rows of an imported order, and of one that a database of release 1.3.2 returns. What the lines and the total of an imported order
 * differ by is a row `other`.
 */
function rowsOfColumns(row: Pick<OrderRow, AmountColumns>, lines: Paise, amount: Paise): SumRow[] {
  const charges = [
    { kind: 'fee', paise: row.fee_paise ?? 0, tax: 'fee', refund: 'share' } as const,
    { kind: 'cash_charge', paise: row.cash_charge_paise, tax: 'goods', refund: 'last' } as const,
  ];
  const rows = [
    { kind: 'goods', paise: lines, label: null, ...ofLines },
    {
      kind: 'discount',
      paise: -(row.discount_paise ?? 0),
      label: row.discount_code,
      ...ofLines,
    },
    ...charges.map((charge) => readRow({ ...charge, label: null })),
  ].filter(({ kind, paise }) => kind === 'goods' || paise !== 0);
  const rest = amount - rowsPaise(rows);
  return rest === 0
    ? rows
    : [...rows, { kind: 'other', paise: rest, label: null, tax: 'goods', refund: 'last' }];
}

/** The lines of an order and what they add up to, in paise. */
export function readAmounts(
  row: Pick<OrderRow, AmountColumns>,
  prices: PriceLookup,
): Pick<Order, 'items' | 'rows' | 'amount'> {
  const read = orderEntries(row).map((entry) => readItem(entry, prices));
  const sum = read.reduce((total, item) => total + item.price * item.quantity, 0);
  const stored = row.sum_rows?.map(readRow);
  // An order of this shop may cost nothing, as a free replacement does. Of an imported one the first amount that says something counts.
  const own = stored === undefined ? row.subtotal_paise && row.amount : rowsPaise(stored);
  const amount = own ?? positive(row.amount, row.total_amount, row.payment_amount, sum);
  const quantity = read.reduce((total, item) => total + item.quantity, 0);
  const items = read.map((item) => {
    const estimated = item.price === 0;
    const price = estimated ? Math.round(amount / quantity) : item.price;
    return { ...item, price, lineTotal: price * item.quantity, estimated };
  });
  const lines = items.reduce((total, { lineTotal }) => total + lineTotal, 0);
  return { items, rows: stored ?? rowsOfColumns(row, lines, amount), amount };
}

/** The code of the discount; null for none, and for a price that the admin reduced. */
export const discountCodeOf = ({ rows }: Pick<Order, 'rows'>): string | null =>
  rows.find(({ kind }) => kind === 'discount')?.label ?? null;

/** Parses one whole row of `orders`. Throws a ZodError when not even an id can be read. */
export function orderFromRow(value: unknown, prices: PriceLookup = new Map()): Order {
  const row = orderRowSchema.parse(value);
  const answers = answersOf(row);
  return {
    id: String(row.id),
    reference: row.merchant_transaction_id ?? '',
    createdAt: row.created_at ?? '',
    customerName: row.customer_name ?? '',
    customerEmail: row.customer_email ?? '',
    customerPhone: row.customer_phone ?? '',
    address: row.customer_address ?? '',
    city: row.customer_city ?? '',
    postalCode: row.customer_postal_code ?? '',
    askedAbout: row.asked_about,
    gstin: row.customer_gstin ?? '',
    notes: row.notes ?? '',
    giftNote: row.gift_note ?? '',
    recipientName: row.recipient_name ?? '',
    recipientPhone: row.recipient_phone ?? '',
    adminNote: row.admin_note ?? '',
    ...readAmounts(row, prices),
    cash: cashOf(row),
    status: orderStatus(row.payment_status?.trim() ? row.payment_status : row.status),
    rawStatus: row.status ?? '',
    rawPaymentStatus: row.payment_status ?? '',
    answers,
    isTest: row.is_test,
    refund: refundOf(row.payment_status),
    razorpayOrderId: row.razorpay_order_id,
    paymentId: row.payment_id,
    paymentMethod: row.payment_method,
    paymentReference: row.payment_reference,
    channel: row.channel,
    payLink:
      row.pay_token !== null && answers.customerMay === 'pay'
        ? { token: row.pay_token, until: row.hold_expires_at ?? '' }
        : null,
    paidAt: row.paid_at,
    delivery: deliveryOf(row),
    deliveryNotice: row.delivery_notice,
    terms: row.terms,
    handedOver: row.hand_over,
    linkVersion: row.link_version,
    restocked: row.restocked,
  };
}

/** A row of `orders` where it arrives within something else. Throws as `orderFromRow`. */
export const orderSchema = z.pipe(
  z.unknown(),
  z.transform((row): Order => orderFromRow(row)),
);

/** 'order #1001', within a sentence; 'test order #1001' for one that is no money. */
export const orderName = ({ id, isTest }: Pick<Order, 'id' | 'isTest'>): string =>
  `${isTest ? 'test order' : 'order'} #${id}`;

/** 'Order #1001', where it begins. */
export const orderTitle = (order: Pick<Order, 'id' | 'isTest'>): string =>
  orderName(order).replace(/^./u, (letter) => letter.toUpperCase());

/** How many units an order has, over all its items. Imported ones may claim any: JSON keeps integers exact up to here. */
export const totalQuantity = ({ items }: Order): number =>
  Math.min(
    items.reduce((sum, { quantity }) => sum + quantity, 0),
    Number.MAX_SAFE_INTEGER,
  );
