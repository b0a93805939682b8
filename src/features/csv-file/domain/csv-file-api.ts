import * as z from 'zod/mini';
import { oldPathForm } from './old-path.ts';
import { changes } from '#domain/admin/endpoint.ts';
import { emptySchema } from '#domain/admin/plain-schemas.ts';
import { adminProductSchema } from '#domain/admin/products/product-input.ts';
import { productIdSchema, tooManyProducts } from '#domain/admin/products/products-api.ts';

export const csvFileApi = {
  /** The products with the ids of a file, deleted ones too, and those with its names. Changes nothing. */
  compare: changes(
    'POST',
    '/api/admin/catalogue/compare',
    z.object({
      ids: z.array(productIdSchema).check(tooManyProducts),
      names: z.array(z.string().check(z.maxLength(1_000))).check(tooManyProducts),
    }),
    z.object({ products: z.array(adminProductSchema) }),
  ),
  /** Fetches an image from another shop and stores it; returns its path in the bucket. */
  fetchImage: changes(
    'POST',
    '/api/admin/images/from-address',
    z.object({ address: z.string().check(z.maxLength(2_000, 'This address is too long')) }),
    z.object({ path: z.string() }),
  ),
  /** Paths of products in the shop that they come from: whoever opens one is sent to the product. */
  storeOldAddresses: changes(
    'POST',
    '/api/admin/catalogue/old-addresses',
    z.object({
      rows: z
        .array(
          z.object({
            path: z.string().check(z.regex(oldPathForm)),
            product_id: productIdSchema,
          }),
        )
        .check(tooManyProducts),
    }),
    emptySchema,
  ),
};
