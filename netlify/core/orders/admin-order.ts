import { type AdminOrder, type ListedOrder } from '#domain/admin/orders/orders.ts';
import { minRefundPaise } from '#domain/admin/orders/order-requests.ts';
import { lineKey } from '#domain/catalogue/sizes.ts';
import { stillAsked } from '#domain/checkout/address-hints.ts';
import { stateOfPin } from '#domain/checkout/postal-code.ts';
import { discountCodeOf, totalQuantity, type Order } from '#domain/orders/order.ts';
import { rowsPaise } from '#domain/sums/sum-rows.ts';
import { detailOfColumn } from './order-details.ts';
import type { OrderRecord } from './order-record.ts';

/** Imported orders may claim any figure; JSON keeps integers exact up to here. */
const toSafeInteger = (value: number): number =>
  Math.min(Math.round(value), Number.MAX_SAFE_INTEGER);

/** An order as the admin's list shows it. */
export function listedOrderOf(
  order: Order,
  refunds: Pick<ListedOrder, 'refundedPaise' | 'openRefund' | 'refundSums'>,
): ListedOrder {
  return {
    id: Number(order.id),
    reference: order.reference,
    createdAt: order.createdAt,
    customerName: order.customerName,
    customerEmail: order.customerEmail,
    customerPhone: order.customerPhone,
    city: order.city,
    status: order.rawStatus,
    paymentStatus: order.rawPaymentStatus,
    sold: order.answers.isSale,
    cash: order.cash && {
      ...order.cash,
      charge: rowsPaise(order.rows, 'cash_charge'),
      rounding: rowsPaise(order.rows, 'rounding'),
    },
    isTest: order.isTest,
    fulfilment: order.delivery.fulfilment,
    totalPaise: toSafeInteger(order.amount),
    ...refunds,
    handedOver: order.handedOver,
    pieces: totalQuantity(order),
    firstItem: order.items[0]?.name ?? '',
    notes: order.notes,
  };
}

/** An order as the admin page shows it. */
export function adminOrderOf({
  order,
  refundedPaise,
  openRefund,
  refundablePaise,
  advanceLeftPaise,
  payments,
  refunds,
  mails,
  changes,
  customer,
  revision,
}: OrderRecord): AdminOrder {
  return {
    ...listedOrderOf(order, { refundedPaise, openRefund }),
    ...order.delivery,
    giftNote: order.giftNote,
    recipientName: order.recipientName,
    recipientPhone: order.recipientPhone,
    address: order.address,
    postalCode: order.postalCode,
    askedAbout: stillAsked(order.askedAbout, {
      postalCode: order.postalCode,
      phone: order.customerPhone,
    }),
    gstin: order.gstin,
    adminNote: order.adminNote,
    state: stateOfPin(order.postalCode)?.name ?? null,
    items: order.items.map(({ productId, size, name, quantity, price, discount, image }) => ({
      productId,
      size,
      name,
      quantity,
      image,
      pricePaise: toSafeInteger(price),
      discountPaise: discount,
      restocked: productId === null ? 0 : (order.restocked[lineKey(productId, size)] ?? 0),
    })),
    rows: order.rows.map((row) => ({ ...row, paise: toSafeInteger(row.paise) })),
    subtotalPaise: toSafeInteger(rowsPaise(order.rows, 'goods')),
    discountCode: discountCodeOf(order),
    discountPaise: -rowsPaise(order.rows, 'discount'),
    feePaise: rowsPaise(order.rows, 'fee'),
    paidAt: order.paidAt,
    paymentId: order.paymentId,
    paymentMethod: order.paymentMethod,
    paymentReference: order.paymentReference,
    channel: order.channel,
    payLink: order.payLink,
    terms: order.terms,
    advanceLeftPaise: advanceLeftPaise < minRefundPaise ? 0 : advanceLeftPaise,
    refundablePaise: refundablePaise < minRefundPaise ? 0 : refundablePaise,
    payments,
    refunds,
    mails,
    customer,
    revision,
    changes: changes.map((change) => ({ ...change, field: detailOfColumn(change.field) })),
  };
}
