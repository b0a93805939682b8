import * as z from 'zod/mini';
import { featuredSchema, type FeaturedProduct } from '#domain/admin/products/product-input.ts';
import { shop } from '#settings/shop.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';

const { featured: listSchema } = featuredSchema.shape;
/** What SQL `feature_products` answers. */
export const featureOutcomes = ['saved', 'changed', 'missing'] as const;
const savedSchema = z.object({
  outcome: z.enum(featureOutcomes),
  featured: listSchema,
});

/** The products that the admin chose for the front page, in order. */
export async function listFeatured(): Promise<FeaturedProduct[]> {
  return callFunction('featured_products', {}, listSchema);
}

/**
 * Chooses the products of the front page. Throws 400, and 409 with the choice as it is when it was changed elsewhere or a
 * product is gone: then nothing was written.
 */
export async function saveFeatured({
  ids,
  seen,
}: Record<'ids' | 'seen', readonly string[]>): Promise<FeaturedProduct[]> {
  if (new Set(ids).size < ids.length)
    throw new HttpError(400, 'invalid_request', 'A product can be on the home page only once.');
  const args = { p_ids: ids, p_expected: seen, p_limit: shop.limits.featured };
  const { outcome, featured } = await callFunction('feature_products', args, savedSchema);
  if (outcome === 'saved') return featured;
  const sentence =
    outcome === 'missing'
      ? 'This product is no longer in the catalogue. Nothing was changed.'
      : 'The home page was changed elsewhere. This is its current state; nothing was saved.';
  throw new HttpError(409, outcome, sentence, { featured });
}
