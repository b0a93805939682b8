import * as z from 'zod/mini';
import {
  orderReviewsSchema,
  type OrderReviews,
  type Reviews,
} from '#features/reviews/domain/review.ts';
import { removeUnusedImages, storeImage } from '#core/catalogue/image-files.ts';
import { reencodeImage } from '#core/catalogue/reencode-image.ts';
import { linkDays } from '#core/mail/order-links.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';

/** The order of a mailed link. */
export interface ReviewLink {
  id: number;
  linkVersion: number;
}

const argsOf = ({ id, linkVersion }: ReviewLink) => ({
  p_order_id: id,
  p_link_version: linkVersion,
  p_days: linkDays.review,
});

/** The 404 of a link that is cut, changed, withdrawn or too old, and of an order that takes no reviews. */
export const linkEnded = (): HttpError =>
  new HttpError(
    404,
    'not_found',
    'This link has expired or is incomplete. Open it from the e-mail, or write to us.',
  );

/** The products of an order, and what was sent about them. Throws 404. */
export async function readOrderReviews(link: ReviewLink): Promise<OrderReviews> {
  const found = await callFunction(
    'read_order_reviews',
    argsOf(link),
    z.nullable(orderReviewsSchema),
  );
  if (found === null) throw linkEnded();
  return found;
}

/** What SQL `save_reviews` answers. */
export const saveOutcomes = ['saved', 'not_found', 'not_of_order'] as const;

/** Stores reviews; one that the admin has decided about stays. Throws 404; 400 for a product of another order. */
export async function saveReviews(
  link: ReviewLink,
  { name, town, reviews }: Reviews,
): Promise<void> {
  const { outcome } = await callFunction(
    'save_reviews',
    { ...argsOf(link), p_name: name, p_town: town, p_reviews: reviews },
    z.object({ outcome: z.enum(saveOutcomes) }),
  );
  if (outcome === 'not_found') throw linkEnded();
  if (outcome === 'not_of_order')
    throw new HttpError(
      400,
      'not_of_order',
      'This product is not in your order, or has left the shop. Please reload the page.',
    );
}

/**
 * Stores the image of a review that was sent, encoded anew and without metadata. Throws 404, 409 when the shop has read the review,
 * 415 or 422 for what is no image.
 */
export async function saveReviewImage(
  link: ReviewLink,
  productId: string,
  bytes: Uint8Array,
): Promise<void> {
  const { products } = await readOrderReviews(link);
  const review = products.find(({ id }) => id === productId)?.review;
  const decided = new HttpError(
    409,
    'decided',
    'The shop has read this review already, so it can no longer be changed.',
  );
  // The state is checked before any work on the image.
  if (review?.state !== 'new') throw decided;
  const path = await storeImage(await reencodeImage(bytes));
  const args = { ...argsOf(link), p_product_id: productId, p_path: path };
  const isSet = await callFunction('set_review_image', args, z.boolean());
  // The one before: a review has one file, however often its image is sent.
  await removeUnusedImages(10, 'reviews');
  if (!isSet) throw decided;
}
