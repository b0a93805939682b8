import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import {
  claimLimits,
  claimLinkHeader,
  claimSchema,
  keptPhotosSchema,
  videoPartSchema,
  videoRequestSchema,
} from '#features/claims/domain/damage-claim.ts';
import { requireCustomer } from '#core/auth/customer.ts';
import { orderPath, readLinkToken } from '#core/mail/order-links.ts';
import { storeClaimPhoto } from '#netlify/features/claims/claim-files.ts';
import { missingVideoParts, storeVideoPart } from '#netlify/features/claims/claim-video.ts';
import {
  claimedOrder,
  claimState,
  lastReport,
  reportClaim,
} from '#netlify/features/claims/order-claims.ts';
import { orderNotFound, readOrderRecord, type OrderRecord } from '#core/orders/order-record.ts';
import { sendOutboxAfterResponse } from '#core/mail/outbox.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { endpoint, json, type RequestContext } from '#core/platform/http/http.ts';
import { limitCost } from '#core/platform/costs.ts';
import { parseOrRefuse, readBytes, readJson } from '#core/platform/http/request-body.ts';
import { routeByAction } from '#core/platform/http/route-by-action.ts';

/** More than a request of Netlify's can carry; browsers send photos of at most 4 MB. */
const maxPhotoBytes = 8 * 1024 * 1024;

/** The order of the request's link. Throws 404 for a link that is cut, changed or too old; 429. */
async function linkedOrder({
  request,
  context,
  addLogFields,
}: RequestContext): Promise<OrderRecord['order']> {
  const link = readLinkToken('claim', request.headers.get(claimLinkHeader));
  if (link === null)
    throw new HttpError(
      404,
      'not_found',
      'This link has expired or is incomplete. Open it from the e-mail or from your order.',
    );
  await limitCost('image_work', { account: `order:${String(link.id)}`, context });
  addLogFields({ order: link.id });
  return claimedOrder(link);
}

/** POST /api/claims/order: the order of the link and the claims that it has. */
const order = endpoint({
  route: 'claims/order',
  method: 'POST',
  handler: async (ctx) => json(await claimState(await linkedOrder(ctx))),
});

/**
 * POST /api/claims/photo?keep=…: one photo, the body's bytes. Encoded anew. Answers with its path. Photos of the draft that `keep`
 * does not name were replaced, and are deleted.
 */
const photo = endpoint({
  route: 'claims/photo',
  method: 'POST',
  async handler(ctx) {
    const { id } = await linkedOrder(ctx);
    const query = new URL(ctx.request.url).searchParams;
    const keep = parseOrRefuse(keptPhotosSchema, query.getAll('keep'));
    const bytes = await readBytes(ctx.request, maxPhotoBytes);
    return json({ path: await storeClaimPhoto(Number(id), bytes, keep) }, 201);
  },
});

/** POST /api/claims/video: announces a video. Answers with the parts that have not arrived: all, or those of a cut upload. */
const video = endpoint({
  route: 'claims/video',
  method: 'POST',
  async handler(ctx) {
    const { id } = await linkedOrder(ctx);
    const request = await readJson(ctx.request, videoRequestSchema);
    return json({ missing: await missingVideoParts(Number(id), request) });
  },
});

/** POST /api/claims/part?video=…&index=…: one part of a video, the body's bytes. */
const part = endpoint({
  route: 'claims/part',
  method: 'POST',
  async handler(ctx) {
    const { id } = await linkedOrder(ctx);
    const query = new URL(ctx.request.url).searchParams;
    const which = parseOrRefuse(videoPartSchema, Object.fromEntries(query));
    const bytes = await readBytes(ctx.request, claimLimits.partBytes);
    await storeVideoPart(Number(id), which, bytes);
    return json({ index: which.index }, 201);
  },
});

/** POST /api/claims/send: reports the damage. Sent twice it is one claim. */
const send = endpoint({
  route: 'claims/send',
  method: 'POST',
  async handler(ctx) {
    const found = await linkedOrder(ctx);
    // Each may read parts of a video from the storage.
    await limitCost('claim_report', { account: `order:${found.id}` });
    await reportClaim(found, await readJson(ctx.request, claimSchema));
    await sendOutboxAfterResponse(ctx);
    return json(await claimState(found), 201);
  },
});

/** POST /api/claims/link: for the signed-in customer, the link of one of their orders. */
const link = endpoint({
  route: 'claims/link',
  method: 'POST',
  async handler({ request }) {
    const customer = await requireCustomer(request, 'report damage');
    await limitCost('account_request', { account: customer.id });
    const { orderId } = await readJson(request, z.object({ orderId: z.int() }));
    const isOwn = await callFunction(
      'owns_order',
      { p_user_id: customer.id, p_order_id: orderId },
      z.boolean(),
    );
    if (!isOwn) throw orderNotFound();
    const { order: own } = await readOrderRecord(orderId);
    return json({ path: orderPath('claim', own), reportedAt: await lastReport(orderId) });
  },
});

export default routeByAction({ photo, video, part, send, link }, order);

export const config: Config = { path: '/api/claims/:action(order|photo|video|part|send|link)' };
