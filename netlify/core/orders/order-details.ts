import * as z from 'zod/mini';
import {
  orderDetailLabels,
  type OrderDetail,
  type OrderDetailsChange,
} from '#domain/admin/orders/order-details.ts';
import { stateOfPin } from '#domain/checkout/postal-code.ts';
import { shownWord } from '#domain/sql-word.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { orderNotFound } from './order-record.ts';
import { detailOutcomes, notPossible } from './order-refusal.ts';

const columns: Readonly<Record<OrderDetail, string>> = {
  name: 'customer_name',
  phone: 'customer_phone',
  address: 'customer_address',
  city: 'customer_city',
  postalCode: 'customer_postal_code',
  gstin: 'customer_gstin',
  recipientName: 'recipient_name',
  recipientPhone: 'recipient_phone',
  adminNote: 'admin_note',
};
const details = Object.keys(columns) as OrderDetail[];

/** 'customer_name' → 'name'; a column that has no name here as it is. */
export const detailOfColumn = (column: string): string =>
  details.find((detail) => columns[detail] === column) ?? column;

const answerSchema = z.object({
  outcome: shownWord(detailOutcomes),
  field: z.optional(z.string()),
  value: z.optional(z.string()),
});

/**
 * Corrects an order's details; the history has the old values. Throws 404, or 409: `not_possible` when the order is sent, or the
 * invoice shows what would change; `conflict` when a detail is no longer what the admin saw.
 */
export async function changeOrderDetails(id: number, changes: OrderDetailsChange): Promise<void> {
  const given = details.flatMap((detail) => {
    const change = changes[detail];
    return change === undefined ? [] : [[columns[detail], change] as const];
  });
  const pin = changes.postalCode;
  const answer = await callFunction(
    'change_order_details',
    {
      p_order_id: id,
      p_changes: Object.fromEntries(given),
      p_moves_state:
        pin !== undefined && stateOfPin(pin.from)?.gstCode !== stateOfPin(pin.to)?.gstCode,
    },
    answerSchema,
  );
  if (answer.outcome === 'changed') return;
  if (answer.outcome === 'not_found') throw orderNotFound();
  if (answer.outcome !== 'conflict') throw notPossible(answer.outcome);
  const label = orderDetailLabels[detailOfColumn(answer.field ?? '') as OrderDetail];
  throw new HttpError(
    409,
    'conflict',
    `${label} has been changed in the meantime: it is now “${answer.value ?? ''}”. Nothing was saved.`,
  );
}
