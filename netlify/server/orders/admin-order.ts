import * as z from 'zod/mini';
import type { AdminOrder } from '../../../src/domain/admin/orders.ts';
import { orderEntries, textColumn, type OrderItem } from '../../../src/domain/orders/order-item.ts';
import { orderFromRow } from '../../../src/domain/orders/order.ts';
import { stateOfPin } from '../../../src/domain/checkout/postal-code.ts';
import { detailOfColumn } from './order-details.ts';
import type { OrderRecord } from './order-record.ts';

/** Imported orders may claim any figure; JSON keeps integers exact up to here. */
const toSafeInteger = (value: number): number => Math.min(Math.round(value), Number.MAX_SAFE_INTEGER);

/** How many units an order has, over all its items. */
export const totalQuantity = (items: readonly OrderItem[]): number =>
  toSafeInteger(items.reduce((sum, { quantity }) => sum + quantity, 0));

const pictureSchema = z.catch(z.object({ image: textColumn }), { image: null });

function itemsOf({ order: row }: OrderRecord, items: readonly OrderItem[]): AdminOrder['items'] {
  const entries = orderEntries(row);
  return items.map(({ productId, name, quantity, price }, index) => ({
    productId,
    name,
    quantity,
    pricePaise: toSafeInteger(price),
    image: pictureSchema.parse(entries[index]).image || null,
    restocked: productId === null ? 0 : (row.restocked[productId] ?? 0),
  }));
}

/** The least that Razorpay sends back. */
const minRefundPaise = 100;

/** An order as the admin page shows it. */
export function adminOrderOf(record: OrderRecord): AdminOrder {
  const { order: row } = record;
  const { items, amount } = orderFromRow(row);
  const fee = row.fee_paise ?? 0;
  const postalCode = row.customer_postal_code ?? '';
  return {
    id: row.id,
    number: row.merchant_transaction_id,
    createdAt: row.created_at,
    customerName: row.customer_name ?? '',
    customerEmail: row.customer_email ?? '',
    customerPhone: row.customer_phone ?? '',
    city: row.customer_city ?? '',
    status: row.status ?? '',
    paymentStatus: row.payment_status ?? '',
    fulfilment: row.fulfilment,
    totalPaise: toSafeInteger(amount),
    refundedPaise: record.refunded_paise,
    pieces: totalQuantity(items),
    firstItem: items[0]?.name ?? '',
    notes: row.notes ?? '',
    adminNote: row.admin_note,
    address: row.customer_address ?? '',
    postalCode,
    gstin: row.customer_gstin ?? '',
    state: stateOfPin(postalCode)?.name ?? null,
    items: itemsOf(record, items),
    subtotalPaise: toSafeInteger(row.subtotal_paise ?? amount - fee),
    feePaise: fee,
    paidAt: row.paid_at,
    paymentId: row.payment_id,
    paymentMethod: row.payment_method,
    carrier: row.carrier,
    trackingNumber: row.tracking_number,
    trackingUrl: row.tracking_url,
    packedAt: row.packed_at,
    shippedAt: row.shipped_at,
    deliveredAt: row.delivered_at,
    cancelledAt: row.cancelled_at,
    invoiceNumber: row.invoice_number,
    refundablePaise: record.refundable_paise < minRefundPaise ? 0 : record.refundable_paise,
    payments: record.payments.map(({ payment_id: paymentId, amount_paise: amountPaise, state, reason, at }) => ({
      ...{ paymentId, amountPaise, state, reason, at },
    })),
    refunds: record.refunds.map((refund) => ({
      id: refund.id,
      paymentId: refund.payment_id,
      amountPaise: refund.amount_paise,
      state: refund.state,
      reason: refund.reason,
      lastError: refund.last_error,
      razorpayRefundId: refund.razorpay_refund_id,
      at: refund.at,
    })),
    changes: record.changes.map(({ field, old_value: oldValue, new_value: newValue, at }) => ({
      ...{ field: detailOfColumn(field), oldValue, newValue, at },
    })),
    mails: record.mails.map(({ kind, recipient, at, sent_at: sentAt, attempts, last_error: lastError }) => ({
      ...{ kind, recipient, at, sentAt, attempts, lastError },
    })),
  };
}
