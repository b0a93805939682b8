import type { Config } from '@netlify/functions';
import { claimAnswerSchema } from '../../src/domain/admin/orders/claims.ts';
import { adminEndpoint, type AdminContext } from '../server/auth/admin-endpoint.ts';
import { adminOrderOf } from '../server/orders/admin-order.ts';
import { readClaimFile } from '../server/orders/claims/claim-files.ts';
import { answerClaim, readAdminClaims } from '../server/orders/claims/claims.ts';
import { readOrderId, readOrderRecord } from '../server/orders/order-record.ts';
import { sendOutboxAfterResponse } from '../server/mail/outbox.ts';
import { sendRefundsNow } from '../server/payments/send-after-response.ts';
import { json } from '../server/platform/http/http.ts';
import { readJson } from '../server/platform/http/request-body.ts';
import { routeByAction } from '../server/platform/http/route-by-action.ts';

/** Throws 404 when the URL names no order. */
const idOf = ({ context }: AdminContext): number => readOrderId(context.params['id']);

/**
 * GET /api/admin/orders/:id/claims: the damage that was reported. POST: answers a
 * claim with a refund, a replacement or a reason; the same key is one answer. Shows the order.
 */
const claims = adminEndpoint({
  route: 'admin/order/claims',
  handlers: {
    GET: async (ctx) => json({ claims: await readAdminClaims(idOf(ctx)) }),
    async POST(ctx) {
      const id = idOf(ctx);
      const request = await readJson(ctx.request, claimAnswerSchema);
      ctx.addLogFields({ order: id, answer: request.answer });
      await answerClaim(ctx.session, id, request);
      if (request.answer === 'refund') await sendRefundsNow(ctx);
      await sendOutboxAfterResponse(ctx);
      return json({ order: adminOrderOf(await readOrderRecord(id)) });
    },
  },
});

/** GET /api/admin/orders/:id/claim-file?path=…: a photo, or a part of a video. */
const claimFile = adminEndpoint({
  route: 'admin/order/claim-file',
  handlers: {
    GET: async (ctx) => readClaimFile(idOf(ctx), ctx.url.searchParams.get('path') ?? ''),
  },
});

export default routeByAction({ 'claim-file': claimFile }, claims);

export const config: Config = { path: '/api/admin/orders/:id/:action(claims|claim-file)' };
