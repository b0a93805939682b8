import * as z from 'zod/mini';
import { mayHaveClaim } from '#features/claims/domain/claimable.ts';
import {
  adminClaimSchema,
  type AdminClaim,
  type ClaimAnswer,
} from '#features/claims/domain/claims-api.ts';
import type { Claim, ClaimState } from '#features/claims/domain/damage-claim.ts';
import { shownWord } from '#domain/sql-word.ts';
import { linkDays, isOlderThan } from '#core/mail/order-links.ts';
import type { AdminSession } from '#core/auth/admin-session.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { filesMissing, nothingToClaim } from './claim-files.ts';
import { answerOutcomes, claimRefusals, reportOutcomes } from './claim-outcomes.ts';
import { claimPaths } from './claim-video.ts';
import { requireConfirmedRefund } from '#core/orders/large-refund.ts';
import { orderNotFound, readOrderRecord, type OrderRecord } from '#core/orders/order-record.ts';
import { refundRefused } from '#core/orders/order-refusal.ts';
import { nameIn, quantityByLine } from '#core/orders/order-steps.ts';

const claimRowSchema = z.extend(z.omit(adminClaimSchema, { photos: true, videoParts: true }), {
  files: z.array(z.object({ path: z.string(), kind: z.enum(['photo', 'video']) })),
});
const readRows = (orderId: number) =>
  callFunction('read_claims', { p_order_id: orderId }, z.array(claimRowSchema));

/** When damage of an order was last reported, ISO 8601; null for never. */
export async function lastReport(orderId: number): Promise<string | null> {
  const times = (await readRows(orderId)).map(({ createdAt }) => createdAt);
  return times.sort((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null;
}

type Order = OrderRecord['order'];

/**
 * The order of a claim's link. Throws 404 when it is gone, was sent long ago, or the link was withdrawn; 409 when it is not on
 * its way yet, before anything of the request is read: every account has links of unpaid orders.
 */
export async function claimedOrder(link: { id: number; linkVersion: number }): Promise<Order> {
  const { order } = await readOrderRecord(link.id);
  const { shippedAt } = order.delivery;
  const isOver = shippedAt !== null && isOlderThan(shippedAt, linkDays.claim);
  if (isOver || order.linkVersion !== link.linkVersion)
    throw new HttpError(404, 'not_found', 'This link has expired. Please write to us.');
  if (!mayHaveClaim(order)) throw nothingToClaim();
  return order;
}

/** The customer's view of an order and its claims. */
export async function claimState(order: Order): Promise<ClaimState> {
  const { deliveredAt } = order.delivery;
  const { damageHours } = order.terms;
  const rows = await readRows(Number(order.id));
  return {
    orderId: Number(order.id),
    items: order.items.map(({ name, quantity }) => `${name} × ${String(quantity)}`),
    deliveredAt,
    damageHours,
    until:
      deliveredAt === null
        ? null
        : new Date(Date.parse(deliveredAt) + damageHours * 3_600_000).toISOString(),
    claims: rows.map(({ id, createdAt, late, answer, reason, amountPaise, replacementId }) => ({
      id,
      createdAt,
      late,
      answer,
      reason,
      amountPaise,
      replacementId,
    })),
  };
}

const reportSchema = z.object({ outcome: shownWord(reportOutcomes) });
const answerSchema = z.object({
  outcome: shownWord(answerOutcomes),
  left_paise: z.optional(z.int()),
  line_key: z.optional(z.string()),
});

const sendClaim = async (order: Order, claim: Claim): Promise<z.infer<typeof reportSchema>> =>
  callFunction(
    'report_claim',
    {
      p_order_id: Number(order.id),
      p_message: claim.message,
      p_paths: await claimPaths(Number(order.id), claim),
      p_hours: order.terms.damageHours,
    },
    reportSchema,
  );

/** Reports damage. A claim that waits for its answer stays as it is. Throws 400, 404, 409 or 415. */
export async function reportClaim(order: Order, claim: Claim): Promise<void> {
  // The database is asked first, because the length of a video is read from the storage.
  const refusal = await callFunction(
    'claim_refusal',
    { p_order_id: Number(order.id) },
    z.nullable(shownWord(claimRefusals)),
  );
  const { outcome } = refusal === null ? await sendClaim(order, claim) : { outcome: refusal };
  switch (outcome) {
    case 'reported':
    case 'already':
      return;
    case 'not_found':
      throw orderNotFound();
    case 'files_missing':
      throw filesMissing();
    case 'not_possible':
      throw nothingToClaim();
    case 'too_many':
      throw new HttpError(
        409,
        'too_many',
        'You have already reported damage several times for this order. Please write to us.',
      );
    case 'unknown_word':
      throw new HttpError(
        409,
        'not_possible',
        'We do not know whether your report has arrived. Please write to us.',
      );
  }
}

/** The claims of an order for the admin, with the addresses of their files. */
export async function readAdminClaims(orderId: number): Promise<AdminClaim[]> {
  const rows = await readRows(orderId);
  return rows.map(({ files, ...claim }) => {
    const addressesOf = (wanted: 'photo' | 'video'): string[] =>
      files.flatMap(({ path, kind }) =>
        kind === wanted
          ? [`/api/admin/orders/${String(orderId)}/claim-file?path=${encodeURIComponent(path)}`]
          : [],
      );
    return { ...claim, photos: addressesOf('photo'), videoParts: addressesOf('video') };
  });
}

/** Answers a claim. Throws 403, 404; 409 with a sentence when it cannot be answered so. */
export async function answerClaim(
  session: AdminSession,
  orderId: number,
  request: ClaimAnswer,
): Promise<void> {
  if (request.answer === 'refund')
    await requireConfirmedRefund(session, { orderId, amountPaise: request.amountPaise });
  const items = request.answer === 'declined' ? [] : request.items;
  const { outcome, ...details } = await callFunction(
    'answer_claim',
    {
      p_order_id: orderId,
      p_claim_id: request.claimId,
      p_key: request.key,
      p_answer: request.answer,
      p_reason: request.reason,
      p_amount_paise: request.answer === 'refund' ? request.amountPaise : null,
      p_items: quantityByLine(items),
    },
    answerSchema,
  );
  if (outcome === 'answered' || outcome === 'already') return;
  if (outcome === 'not_found') throw orderNotFound();
  if (outcome === 'answered_before')
    throw new HttpError(
      409,
      'answered_before',
      'This report has already been answered, perhaps in another window. Reload the page to see the answer.',
    );
  if (outcome === 'out_of_stock')
    throw new HttpError(
      409,
      'out_of_stock',
      'There are not enough of these in stock for a replacement. Refund it, or raise the stock first.',
    );
  throw refundRefused({ outcome, ...details }, nameIn(await readOrderRecord(orderId)));
}
