import * as z from 'zod/mini';
import {
  cashApi,
  remittanceOutcomes,
  type RemittanceAnswer,
  type RemittanceRow,
} from '#features/cash-on-delivery/domain/cash-api.ts';
import { shownWord } from '#domain/sql-word.ts';
import { callFunction } from '#core/platform/database.ts';

const recordedSchema = z.object({
  rows: z.array(
    z.object({
      order_id: z.nullable(z.int()),
      outcome: shownWord(remittanceOutcomes),
      due_paise: z.nullable(z.int()),
    }),
  ),
  missing: z.array(
    z.object({ order_id: z.int(), carrier: z.string(), due_paise: z.int(), at: z.string() }),
  ),
});

/** Records the cash of a courier's list, or without `save` only says what would become of each row. */
export async function recordRemittance(
  rows: readonly RemittanceRow[],
  save: boolean,
): Promise<RemittanceAnswer> {
  const recorded = await callFunction(
    'record_remittance',
    {
      p_rows: rows.map(
        ({ row, trackingNumber, orderId, orderReference, amountPaise, reference }) => ({
          row,
          tracking_number: trackingNumber,
          order_id: orderId,
          order_reference: orderReference,
          amount_paise: amountPaise,
          reference,
        }),
      ),
      p_save: save,
    },
    recordedSchema,
  );
  return cashApi.remittance.answer.parse({
    rows: rows.map(({ row, amountPaise }, at) => ({
      row,
      amountPaise,
      orderId: recorded.rows[at]?.order_id ?? null,
      outcome: recorded.rows[at]?.outcome,
      duePaise: recorded.rows[at]?.due_paise ?? null,
    })),
    missing: recorded.missing.map(({ order_id: orderId, carrier, due_paise: duePaise, at }) => ({
      orderId,
      carrier,
      duePaise,
      at,
    })),
  });
}
