import * as z from 'zod/mini';
import { fulfilments, type Fulfilment } from './fulfilment.ts';

const text = z.catch(z.nullable(z.string()), null);
const rowSchema = z.object({
  fulfilment: z.catch(z.enum(fulfilments), 'new'),
  carrier: text,
  tracking_number: text,
  tracking_url: z.catch(z.string().check(z.regex(/^https:\/\/\S+$/u)), ''),
  packed_at: text,
  shipped_at: text,
  delivered_at: text,
  cancelled_at: text,
  invoice_number: text,
  payment_status: text,
});

/** Where an order is on its way, as its buyer sees it. */
export interface Delivery {
  fulfilment: Fulfilment;
  carrier: string | null;
  trackingNumber: string | null;
  /** Leads to the carrier's own page; https alone. */
  trackingUrl: string | null;
  /** When the present step was taken. */
  at: string | null;
  /** Null until the shop has written the invoice. */
  invoiceNumber: string | null;
  /** Money on its way back or back already. */
  refund: 'none' | 'due' | 'part' | 'whole';
}

const refunds: ReadonlyMap<string, Delivery['refund']> = new Map([
  ['REFUND_DUE', 'due'],
  ['PARTIALLY_REFUNDED', 'part'],
  ['REFUNDED', 'whole'],
]);

/** Reads the way of an order off its row. A row from before these columns, or an imported one, is new. */
export function deliveryFromRow(row: unknown): Delivery {
  const parsed = rowSchema.parse(row);
  const at = {
    new: null,
    packed: parsed.packed_at,
    shipped: parsed.shipped_at,
    delivered: parsed.delivered_at,
    cancelled: parsed.cancelled_at,
  } as const;
  return {
    fulfilment: parsed.fulfilment,
    carrier: parsed.carrier?.trim() || null,
    trackingNumber: parsed.tracking_number?.trim() || null,
    trackingUrl: parsed.tracking_url || null,
    at: at[parsed.fulfilment],
    invoiceNumber: parsed.invoice_number,
    refund: refunds.get(parsed.payment_status?.trim().toUpperCase() ?? '') ?? 'none',
  };
}
