import type { Fulfilment, OrderRow } from './order-row.ts';

/** Where an order is on its way. */
export interface Delivery {
  fulfilment: Fulfilment;
  carrier: string | null;
  trackingNumber: string | null;
  /** Leads to the carrier's own page; https alone. */
  trackingUrl: string | null;
  packedAt: string | null;
  shippedAt: string | null;
  deliveredAt: string | null;
  cancelledAt: string | null;
  /** Null until the shop has written the invoice. */
  invoiceNumber: string | null;
}

/** Reads the way of an order off its row. */
export function deliveryOf(
  row: Pick<
    OrderRow,
    | 'fulfilment'
    | 'carrier'
    | 'tracking_number'
    | 'tracking_url'
    | 'packed_at'
    | 'shipped_at'
    | 'delivered_at'
    | 'cancelled_at'
    | 'invoice_number'
  >,
): Delivery {
  return {
    fulfilment: row.fulfilment,
    carrier: row.carrier?.trim() || null,
    trackingNumber: row.tracking_number?.trim() || null,
    trackingUrl: row.tracking_url,
    packedAt: row.packed_at,
    shippedAt: row.shipped_at,
    deliveredAt: row.delivered_at,
    cancelledAt: row.cancelled_at,
    invoiceNumber: row.invoice_number,
  };
}

/** When the order took the step at which it is now; null for a new one, and for a step that this build does not know. */
export function stepTakenAt(delivery: Delivery): string | null {
  const { fulfilment, packedAt, shippedAt, deliveredAt, cancelledAt } = delivery;
  return {
    new: null,
    packed: packedAt,
    shipped: shippedAt,
    delivered: deliveredAt,
    cancelled: cancelledAt,
    unknown: null,
  }[fulfilment];
}
