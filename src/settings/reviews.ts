import { shop as own } from '#shop/shop.ts';

/** The fixed stars of the product page, which a shop without a true review shows. */
export const fixedReviews = own.reviews;

/** Days after the delivery, after which the customer is asked for a review; null in a shop that collects none. */
export const askAfterDays = own.reviews.askAfterDays ?? null;
