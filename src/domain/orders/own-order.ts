import * as z from 'zod/mini';
import { stateOfPin } from '#domain/checkout/postal-code.ts';
import { createReader } from '#domain/reader.ts';
import { cashOf } from './order-cash.ts';
import { answersOf } from './order-answers.ts';
import { deliveryOf } from './order-delivery.ts';
import type { PriceLookup } from './order-item.ts';
import { orderRowSchema } from './order-row.ts';
import { orderStatus } from './order-status.ts';
import { readAmounts, refundOf, type Order } from './order.ts';

/** A customer's view of their own orders. Amounts in paise. */
export type OwnOrder = Pick<
  Order,
  | 'id'
  | 'isTest'
  | 'createdAt'
  | 'customerName'
  | 'customerEmail'
  | 'customerPhone'
  | 'address'
  | 'city'
  | 'postalCode'
  | 'giftNote'
  | 'recipientName'
  | 'recipientPhone'
  | 'items'
  | 'rows'
  | 'amount'
  | 'cash'
  | 'status'
  | 'answers'
  | 'refund'
  | 'paymentId'
  | 'paymentMethod'
  | 'paidAt'
  | 'delivery'
  | 'deliveryNotice'
  | 'terms'
  | 'handedOver'
> & {
  /** Set for an account, so that its cart can pay it; an order that the admin made has none. */
  hasAccount: boolean;
  /** Until when an unpaid order is held. */
  holdExpiresAt: string | null;
};

const reader = createReader(
  z.pick(orderRowSchema, {
    id: true,
    is_test: true,
    created_at: true,
    customer_name: true,
    customer_email: true,
    customer_phone: true,
    customer_address: true,
    customer_city: true,
    customer_postal_code: true,
    gift_note: true,
    recipient_name: true,
    recipient_phone: true,
    items: true,
    products: true,
    sum_rows: true,
    subtotal_paise: true,
    discount_code: true,
    discount_paise: true,
    fee_paise: true,
    cash_paise: true,
    cash_charge_paise: true,
    advance_payment_id: true,
    cash_confirmed_at: true,
    amount: true,
    total_amount: true,
    payment_amount: true,
    status: true,
    state: true,
    kind: true,
    payment_status: true,
    payment_id: true,
    payment_method: true,
    paid_at: true,
    fulfilment: true,
    carrier: true,
    tracking_number: true,
    tracking_url: true,
    packed_at: true,
    shipped_at: true,
    delivered_at: true,
    cancelled_at: true,
    invoice_number: true,
    delivery_notice: true,
    terms: true,
    hand_over: true,
    user_id: true,
    hold_expires_at: true,
  }),
);

/** The columns of `orders` that `ownOrderFromRow` needs. */
export const ownOrderColumns = reader.columns;

/** Parses one row of the customer's own orders. @throws a ZodError when the row has no id. */
export function ownOrderFromRow(value: unknown, prices: PriceLookup = new Map()): OwnOrder {
  const row = reader.parse(value);
  return {
    id: String(row.id),
    isTest: row.is_test,
    createdAt: row.created_at ?? '',
    customerName: row.customer_name ?? '',
    customerEmail: row.customer_email ?? '',
    customerPhone: row.customer_phone ?? '',
    address: row.customer_address ?? '',
    city: row.customer_city ?? '',
    postalCode: row.customer_postal_code ?? '',
    giftNote: row.gift_note ?? '',
    recipientName: row.recipient_name ?? '',
    recipientPhone: row.recipient_phone ?? '',
    ...readAmounts(row, prices),
    cash: cashOf(row),
    status: orderStatus(row.payment_status?.trim() ? row.payment_status : row.status),
    answers: answersOf(row),
    refund: refundOf(row.payment_status),
    paymentId: row.payment_id,
    paymentMethod: row.payment_method,
    paidAt: row.paid_at,
    delivery: deliveryOf(row),
    deliveryNotice: row.delivery_notice,
    terms: row.terms,
    handedOver: row.hand_over,
    hasAccount: row.user_id !== null,
    holdExpiresAt: row.hold_expires_at,
  };
}

/** Where the parcel goes, in one line. */
export const addressOf = ({ address, city, postalCode }: OwnOrder): string =>
  [address, `${city} ${postalCode}`.trim(), stateOfPin(postalCode)?.name ?? '']
    .filter((part) => part !== '')
    .join(', ');

const timeOf = (order: OwnOrder): number => Date.parse(order.createdAt) || 0;

/** Merges lists of orders by id, newest first (spec section 6). Orders without a readable date come last. */
export function mergeOrders(...lists: readonly (readonly OwnOrder[])[]): OwnOrder[] {
  const byId = new Map(lists.flat().map((order) => [order.id, order]));
  return [...byId.values()].sort((a, b) => timeOf(b) - timeOf(a));
}
