import * as z from 'zod/mini';
import { productsAtOnce, severalProductsApi } from '#domain/admin/products/products-api.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { readJson } from '#core/platform/http/request-body.ts';
import { requireRevision } from './product-request.ts';

export const maxBodyBytes = productsAtOnce.bytes;

/** What SQL `save_products` answers for all products, and for each that stands in the way. */
export const severalOutcomes = ['saved', 'refused'] as const;
export const rowOutcomes = ['changed', 'missing', 'deleted'] as const;

const refusedSchema = z.object({
  id: z.string(),
  outcome: z.enum(rowOutcomes),
  fields_changed: z.optional(z.boolean()),
  product: z.optional(z.unknown()),
});
const savedSchema = z.object({
  outcome: z.enum(severalOutcomes),
  visibility_changed: z.boolean(),
  refused: z.array(refusedSchema),
});

/**
 * Saves all products of a request, or none. Throws 400, or 409 `changed` with what stands in the way of each: then nothing
 * was written. Returns how many were saved.
 */
export async function saveProducts(
  request: Request,
): Promise<{ saved: number; visibilityChanged: boolean }> {
  const { rows } = await readJson(request, severalProductsApi.save.body, maxBodyBytes).catch(
    (error: unknown) => {
      if (!(error instanceof HttpError) || error.status !== 413) throw error;
      throw new HttpError(
        413,
        'too_large',
        'This is too much to save at once. Nothing was saved: please choose fewer products.',
      );
    },
  );
  for (const { seen } of rows) if (seen) requireRevision(seen);
  const {
    outcome,
    refused,
    visibility_changed: visibilityChanged,
  } = await callFunction('save_products', { p_rows: rows }, savedSchema);
  if (outcome === 'saved') return { saved: rows.length, visibilityChanged };
  const nameOf = (id: string) => rows.find((row) => row.id === id)?.product.name ?? '';
  throw new HttpError(
    409,
    'changed',
    'Nothing was saved: some of these products were changed elsewhere in the meantime.',
    {
      refused: refused.map(({ id, outcome: why, fields_changed }) => ({
        id,
        name: nameOf(id),
        why: why !== 'changed' ? 'deleted' : fields_changed === false ? 'stock' : 'changed',
      })),
    },
  );
}
