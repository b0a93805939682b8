import {
  orderReviewsSchema,
  reviewLinkHeader,
  type OrderReviews,
  type Reviews,
} from './domain/review.ts';
import { prepareImage } from '#services/images/prepare-image.ts';
import { postToLink } from '#services/orders/post-to-link.ts';

const post = (
  action: string,
  token: string,
  type: string,
  body: BodyInit | null,
): Promise<OrderReviews> =>
  postToLink(
    `/api/reviews/${action}`,
    { 'content-type': type, [reviewLinkHeader]: token },
    body,
    orderReviewsSchema,
  );

/** The products of a link's order, and what was sent about them. Throws LinkError. */
export const fetchOrderReviews = (token: string): Promise<OrderReviews> =>
  post('order', token, 'application/json', null);

/** Sends reviews. Throws LinkError. */
export const sendReviews = (token: string, reviews: Reviews): Promise<OrderReviews> =>
  post('send', token, 'application/json', JSON.stringify(reviews));

/** Sends the image of a review that was sent, made smaller first. Throws LinkError, or ImageError for what is no image. */
export async function sendReviewImage(
  token: string,
  productId: string,
  file: Blob,
): Promise<OrderReviews> {
  const image = await prepareImage(file);
  return post(`image?product=${productId}`, token, image.type, image);
}
