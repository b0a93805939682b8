import * as z from 'zod/mini';
import { changes } from '#domain/admin/endpoint.ts';
import { productIdSchema, tooManyProducts } from '#domain/admin/products/products-api.ts';

const idsSchema = z.object({
  ids: z.array(productIdSchema).check(z.minLength(1, 'Choose a product first'), tooManyProducts),
});
const foundSchema = z.object({ ids: z.array(z.string()) });

/** Each answers with the ids of the products that were found. */
export const bulkEditsApi = {
  remove: changes('POST', '/api/admin/catalogue/delete', idsSchema, foundSchema),
  restore: changes('POST', '/api/admin/catalogue/restore', idsSchema, foundSchema),
};
