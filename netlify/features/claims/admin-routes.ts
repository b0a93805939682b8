import { claimsApi } from '#features/claims/domain/claims-api.ts';
import { answer, respond, type AdminContext } from '#core/auth/admin-routes.ts';
import { adminOrderOf } from '#core/orders/admin-order.ts';
import { readClaimFile } from './claim-files.ts';
import { answerClaim, readAdminClaims } from './order-claims.ts';
import { readOrderId, readOrderRecord } from '#core/orders/order-record.ts';
import { sendOutboxAfterResponse } from '#core/mail/outbox.ts';
import { sendRefundsNow } from '#core/payments/send-after-response.ts';

/** Throws 404 when the URL names no order. */
const idOf = ({ params }: AdminContext): number => readOrderId(params['id']);

export const routes = [
  answer(claimsApi.list, async (ctx) => ({ claims: await readAdminClaims(idOf(ctx)) })),
  // The same key is one answer.
  answer(claimsApi.answer, async (ctx) => {
    const [id, request] = [idOf(ctx), ctx.body];
    ctx.addLogFields({ order: id, answer: request.answer });
    await answerClaim(ctx.session, id, request);
    if (request.answer === 'refund') await sendRefundsNow(ctx);
    await sendOutboxAfterResponse(ctx);
    return { order: adminOrderOf(await readOrderRecord(id)) };
  }),
  // `path` is a photo, or a part of a video.
  respond({ method: 'GET', path: '/api/admin/orders/:id/claim-file' }, (ctx) =>
    readClaimFile(idOf(ctx), ctx.url.searchParams.get('path') ?? ''),
  ),
];
