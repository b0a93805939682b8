import * as z from 'zod/mini';
import { csvFileLimits } from '../../../domain/admin/csv-table.ts';
import { changes } from '../../../domain/admin/endpoint.ts';
import { adminProductSchema } from '../../../domain/admin/products/product-input.ts';
import { productIdSchema } from '../../../domain/admin/products/products-api.ts';

const { rows: maxRows } = csvFileLimits;

export const csvFileApi = {
  /** The products with the ids of a file, deleted ones too, and those with its names. Changes nothing. */
  compare: changes(
    'POST',
    '/api/admin/catalogue/compare',
    z.object({
      ids: z.array(productIdSchema).check(z.maxLength(maxRows)),
      names: z.array(z.string().check(z.maxLength(1_000))).check(z.maxLength(maxRows)),
    }),
    z.object({ products: z.array(adminProductSchema) }),
  ),
};
