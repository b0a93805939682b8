import * as z from 'zod/mini';
import { gstinNote } from '#domain/admin/orders/gstin-note.ts';
import {
  checkParcelRows,
  isReferenceOf,
  type ParcelsAnswer,
  type ParcelsRequest,
} from '#features/couriers/domain/parcels.ts';
import { invoiceDocument } from '#domain/invoice/invoice.ts';
import { trackingLink } from '#domain/orders/carriers.ts';
import { shownWord, type UnknownWord } from '#domain/sql-word.ts';
import type { PaymentProvider } from '#core/payments/razorpay.ts';
import { callFunction } from '#core/platform/database.ts';
import { readOrderRecords, type OrderRecord } from '#core/orders/order-record.ts';
import { fulfilmentOutcomes, refusalSentence } from '#core/orders/order-refusal.ts';
import { checkForRefund, refundsUnknown } from '#core/orders/refund-check.ts';

/** What SQL `ship_orders` answers for all parcels, and for each order. */
export const shipmentOutcomes = ['saved', 'checked', 'refused'] as const;
export const parcelOutcomes = [...fulfilmentOutcomes, 'hand_over', 'shipped_otherwise'] as const;

const shippedSchema = z.object({
  outcome: z.enum(shipmentOutcomes),
  orders: z.array(z.object({ order_id: z.int(), outcome: shownWord(parcelOutcomes) })),
});

/** Why an order is not shipped, as a sentence for the admin. */
function sentenceOf(
  outcome: Exclude<(typeof parcelOutcomes)[number], 'changed' | 'same'> | UnknownWord,
): string {
  switch (outcome) {
    case 'hand_over':
      return 'This order is handed over in person, so it has no parcel.';
    case 'shipped_otherwise':
      return 'This order is already on its way with another number. Correct it in the order itself.';
    default:
      return refusalSentence(outcome);
  }
}

/** How many payments are queried at Razorpay at once. */
const askedAtOnce = 10;

/** The ids of the orders with a refund that Razorpay knows and the shop did not. Throws HttpError 409 `refunds_unknown`. */
async function refundedOf(
  records: readonly OrderRecord[],
  openProvider: () => PaymentProvider,
): Promise<string[]> {
  const refunded: string[] = [];
  const unknown: { id: string; answered: boolean; cause: unknown }[] = [];
  for (let at = 0; at < records.length; at += askedAtOnce) {
    const part = records
      .slice(at, at + askedAtOnce)
      .map(async ({ order: { id, paymentId, cash } }) => {
        const check = await checkForRefund(cash?.advancePaymentId ?? paymentId, openProvider);
        if (check.found === 'unknown') unknown.push({ id, ...check });
        else if (check.found) refunded.push(id);
      });
    await Promise.all(part);
    const silent = unknown.find(({ answered }) => !answered);
    if (silent === undefined) continue;
    // Razorpay is down: querying the others would take longer than a function may run.
    const others = records.slice(at + askedAtOnce).map(({ order }) => order.id);
    throw refundsUnknown([...unknown.map(({ id }) => id), ...others], silent);
  }
  const [first] = unknown;
  if (first)
    throw refundsUnknown(
      unknown.map(({ id }) => id),
      first,
    );
  return refunded;
}

function noteOf(record: OrderRecord | undefined): string | null {
  if (!record) return null;
  const { gstin, postalCode, handedOver, delivery } = record.order;
  return gstinNote({ gstin, postalCode, handedOver, invoiceNumber: delivery.invoiceNumber });
}

/**
 * Ships orders with their tracking numbers, all or none; without `save` it only returns the plan. Every fault has its
 * row. Throws HttpError 409 `refunds_unknown` with the orders whose payments Razorpay could not
 * check.
 */
export async function shipOrders(
  { rows, save, unchecked }: ParcelsRequest,
  openProvider: () => PaymentProvider,
): Promise<ParcelsAnswer> {
  const { faults, parcels } = checkParcelRows(rows);
  const records = await readOrderRecords(parcels.map(({ order }) => order));
  const byId = new Map(records.map((record) => [Number(record.order.id), record]));
  const refuse = (id: number, message: string) => {
    const { row } = parcels.find(({ order }) => order === id) ?? { row: 0 };
    faults.push({ row, column: 'Order', message, found: String(id) });
  };

  for (const { row, order } of parcels) {
    const reference = byId.get(order)?.order.reference ?? '';
    const found = rows.find((one) => one.row === row)?.order ?? '';
    if (reference !== '' && !isReferenceOf(found, reference))
      faults.push({
        row,
        column: 'Order',
        message: `Order #${String(order)} has the reference ${reference}. Is this file of another shop?`,
        found,
      });
  }

  const ship = (keep: boolean) =>
    callFunction(
      'ship_orders',
      {
        p_parcels: parcels.map(({ order, carrier, trackingNumber }) => {
          const record = byId.get(order);
          const needsInvoice =
            record !== undefined &&
            record.order.answers.isSale &&
            record.order.delivery.invoiceNumber === null;
          return {
            order_id: order,
            carrier,
            tracking_number: trackingNumber,
            tracking_url: trackingLink(carrier, trackingNumber),
            document: needsInvoice ? invoiceDocument(record.order, record.facts) : null,
            revision: record?.revision ?? null,
          };
        }),
        p_save: keep,
      },
      shippedSchema,
    );

  let shipped = await ship(false);
  if (save && faults.length === 0 && shipped.outcome === 'checked') {
    const leaving = shipped.orders.flatMap(({ order_id: id, outcome }) =>
      outcome === 'changed' ? (byId.get(id) ?? []) : [],
    );
    const refunded = unchecked === true ? [] : await refundedOf(leaving, openProvider);
    for (const id of refunded) refuse(Number(id), refusalSentence('refund_found'));
    if (refunded.length === 0) shipped = await ship(true);
  }
  for (const { order_id: id, outcome } of shipped.orders)
    if (outcome !== 'changed' && outcome !== 'same') refuse(id, sentenceOf(outcome));
  const same = new Set(
    shipped.orders.filter(({ outcome }) => outcome === 'same').map(({ order_id: id }) => id),
  );
  return {
    saved: shipped.outcome === 'saved',
    faults: faults.toSorted((a, b) => a.row - b.row),
    parcels: parcels.map((parcel) => ({
      ...parcel,
      customerName: byId.get(parcel.order)?.order.customerName ?? '',
      same: same.has(parcel.order),
      note: noteOf(byId.get(parcel.order)),
    })),
  };
}
