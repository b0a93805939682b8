import * as z from 'zod/mini';
import { formatRupees, type Paise } from '#domain/money.ts';
import { shownWord, unknownWord } from '#domain/sql-word.ts';
import { cashApi, cashOutcomes } from '#features/cash-on-delivery/domain/cash-api.ts';
import { shop } from '#settings/shop.ts';
import { answer, type AdminContext } from '#core/auth/admin-routes.ts';
import { sendOutboxAfterResponse } from '#core/mail/outbox.ts';
import { adminOrderOf } from '#core/orders/admin-order.ts';
import { issueCreditNotes } from '#core/orders/documents/credit-notes.ts';
import { requireConfirmedRefund } from '#core/orders/large-refund.ts';
import { notPossible } from '#core/orders/order-refusal.ts';
import { orderNotFound, readOrderId, readOrderRecord } from '#core/orders/order-record.ts';
import { sendRefundsNow } from '#core/payments/send-after-response.ts';
import { recordRemittance } from './record-remittance.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';

/** Body of a list with as many rows as are taken, each with its longest texts. */
const maxListBytes = 1024 * 1024;

/** What SQL `confirm_cash_order` answers. */
export const confirmOutcomes = [
  'confirmed',
  'already',
  'not_found',
  'ended',
  'refunded',
  'outdated',
] as const;
/** What SQL `refuse_cash_order` answers. */
export const refuseOutcomes = [
  'refused',
  'already',
  'not_found',
  'paid',
  'not_sent',
  'replaced',
] as const;

/** The admin's sentence for each answer of an SQL function that changes one order; null when it is done. */
type Sentences<Word extends string> = Readonly<Record<Word, string | null>>;

const notFound = 'There is no such order.';
const confirmSentences: Sentences<(typeof confirmOutcomes)[number]> = {
  confirmed: null,
  already: null,
  not_found: notFound,
  ended: 'This order does not wait for a confirmation any more.',
  refunded: 'The advance of this order went back, so it cannot be sent. Cancel it instead.',
  outdated:
    'The order has changed since you read it. Look at its details again, and ask the customer if they are others.',
};
const refuseSentences: Sentences<(typeof refuseOutcomes)[number]> = {
  refused: null,
  already: null,
  not_found: notFound,
  paid: 'The cash of this order is there. Refund it instead.',
  not_sent: 'This parcel was not sent. Cancel the order instead.',
  replaced:
    'A free replacement for its damage waits to be sent. Cancel the replacement first, or send it and record the refusal then.',
};
function receiveSentences(due: Paise): Sentences<(typeof cashOutcomes)[number]> {
  const amount = `${formatRupees(due)} is due. Record the whole amount, or settle the difference with the courier first.`;
  return {
    received: null,
    already: null,
    not_found: notFound,
    too_little: amount,
    too_much: amount,
    refused:
      'This parcel came back unpaid, so there is no cash to record. If the customer has it after all, make the sale anew with “New order”, as paid in cash, and forgive the refusal here.',
    not_sold: 'This order has no cash to come.',
    paid_twice: 'The cash of this order was recorded before, with another note.',
  };
}

/** Runs a change of one order. An outcome that changes nothing is 404, or 409 `not_possible` with a sentence. */
async function change<Word extends string>(
  ctx: AdminContext,
  name: string,
  args: Readonly<Record<string, unknown>>,
  outcomes: readonly Word[],
  sentences: Sentences<Word>,
): Promise<z.input<typeof cashApi.confirm.answer>> {
  const id = readOrderId(ctx.params['id']);
  ctx.addLogFields({ order: id });
  const answerSchema = z.object({ outcome: shownWord(outcomes) });
  const { outcome } = await callFunction(name, { p_order_id: id, ...args }, answerSchema);
  if (outcome === 'not_found') throw orderNotFound();
  if (outcome === unknownWord) throw notPossible(unknownWord);
  const sentence = sentences[outcome];
  if (sentence !== null)
    throw new HttpError(409, outcome === 'outdated' ? outcome : 'not_possible', sentence);
  await sendOutboxAfterResponse(ctx);
  return { order: adminOrderOf(await readOrderRecord(id)) };
}

export const routes = [
  answer(cashApi.read, (ctx) =>
    callFunction(
      'read_cash_order',
      { p_order_id: readOrderId(ctx.params['id']) },
      cashApi.read.answer,
    ),
  ),
  answer(cashApi.confirm, (ctx) =>
    change(
      ctx,
      'confirm_cash_order',
      { p_low_stock_below: shop.limits.lowStockBelow, p_revision: ctx.body.revision },
      confirmOutcomes,
      confirmSentences,
    ),
  ),
  answer(cashApi.receive, async (ctx) => {
    const { amountPaise, reference } = ctx.body;
    const { order } = await readOrderRecord(readOrderId(ctx.params['id']));
    const args = { p_amount_paise: amountPaise, p_reference: reference };
    return change(ctx, 'receive_cash', args, cashOutcomes, receiveSentences(order.cash?.due ?? 0));
  }),
  answer(cashApi.refuse, async (ctx) => {
    const { reason, restock } = ctx.body;
    const orderId = readOrderId(ctx.params['id']);
    const { order } = await readOrderRecord(orderId);
    const returnsAdvance = !order.terms.keepsAdvance;
    if (returnsAdvance) await requireConfirmedRefund(ctx.session, { orderId });
    const answered = await change(
      ctx,
      'refuse_cash_order',
      {
        p_reason: reason,
        p_restock: restock,
        p_return_advance: returnsAdvance,
      },
      refuseOutcomes,
      refuseSentences,
    );
    await sendRefundsNow(ctx);
    await issueCreditNotes({ orderId: answered.order.id });
    return { order: adminOrderOf(await readOrderRecord(answered.order.id)) };
  }),
  answer(cashApi.forgive, async (ctx) => {
    const id = readOrderId(ctx.params['id']);
    await callFunction('forgive_cash_refusal', { p_order_id: id }, z.boolean());
    return { order: adminOrderOf(await readOrderRecord(id)) };
  }),
  answer(
    cashApi.remittance,
    async (ctx) => {
      const { rows, save } = ctx.body;
      const answered = await recordRemittance(rows, save);
      ctx.addLogFields({
        rows: rows.length,
        received: answered.rows.filter(({ outcome }) => outcome === 'received').length,
        saved: save,
      });
      return answered;
    },
    maxListBytes,
  ),
];
