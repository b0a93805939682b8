import * as z from 'zod/mini';
import { callFunction } from '#core/platform/database.ts';

/** The CDN's tag of the cached codes. */
export const shownDiscountsTag = 'discounts';

/** The codes that the cart shows to everybody, with their last days. */
export const readShownDiscounts = (): Promise<unknown[]> =>
  callFunction('shown_discounts', {}, z.array(z.unknown()));
