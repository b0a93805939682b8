import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import { reviewLinkHeader, reviewsSchema } from '#features/reviews/domain/review.ts';
import { askAfterDays } from '#settings/reviews.ts';
import { readLinkToken } from '#core/mail/order-links.ts';
import { sendOutboxAfterResponse } from '#core/mail/outbox.ts';
import { limitCost } from '#core/platform/costs.ts';
import { endpoint, json, type RequestContext } from '#core/platform/http/http.ts';
import { parseOrRefuse, readBytes, readJson } from '#core/platform/http/request-body.ts';
import { routeByAction } from '#core/platform/http/route-by-action.ts';
import {
  linkEnded,
  readOrderReviews,
  saveReviewImage,
  saveReviews,
  type ReviewLink,
} from '#netlify/features/reviews/order-reviews.ts';

/** More than a request of Netlify's can carry; browsers send images of at most 4 MB. */
const maxImageBytes = 8 * 1024 * 1024;
/** The longest reviews of as many products as an order has lines, in letters of three bytes. */
const maxReviewsBytes = 256 * 1024;

/** The order of the request's link. Throws 404 for a link that is cut or changed, 429. */
async function linkOf({ request, context, addLogFields }: RequestContext): Promise<ReviewLink> {
  const link = readLinkToken('review', request.headers.get(reviewLinkHeader));
  if (link === null || askAfterDays === null) throw linkEnded();
  await limitCost('image_work', { account: `order:${String(link.id)}`, context });
  addLogFields({ order: link.id });
  return link;
}

/** POST /api/reviews/order: the products of the link's order, and what was sent about them. */
const order = endpoint({
  route: 'reviews/order',
  method: 'POST',
  handler: async (ctx) => json(await readOrderReviews(await linkOf(ctx))),
});

/** POST /api/reviews/send: stores the reviews of an order. Answers as `order`. */
const send = endpoint({
  route: 'reviews/send',
  method: 'POST',
  async handler(ctx) {
    const link = await linkOf(ctx);
    await limitCost('review', { account: `order:${String(link.id)}` });
    await saveReviews(link, await readJson(ctx.request, reviewsSchema, maxReviewsBytes));
    await sendOutboxAfterResponse(ctx);
    return json(await readOrderReviews(link), 201);
  },
});

/** POST /api/reviews/image?product=…: the image of a review that was sent, the body's bytes. Answers as `order`. */
const image = endpoint({
  route: 'reviews/image',
  method: 'POST',
  async handler(ctx) {
    const link = await linkOf(ctx);
    const product = new URL(ctx.request.url).searchParams.get('product');
    const productId = parseOrRefuse(z.uuid(), product);
    await saveReviewImage(link, productId, await readBytes(ctx.request, maxImageBytes));
    return json(await readOrderReviews(link), 201);
  },
});

export default routeByAction({ send, image }, order);

export const config: Config = { path: '/api/reviews/:action(order|send|image)' };
