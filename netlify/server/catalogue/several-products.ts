import * as z from 'zod/mini';
import { exportedRows } from '../../../src/domain/admin/products/catalogue-csv.ts';
import { csvFileLimits } from '../../../src/domain/admin/csv-table.ts';
import {
  expectedRevisionSchema,
  productInputSchema,
  type AdminProduct,
} from '../../../src/domain/admin/products/product-input.ts';
import { callFunction } from '../platform/database.ts';
import { HttpError } from '../platform/http/http-error.ts';
import { readJson } from '../platform/http/request-body.ts';
import { requireRevision, uuid } from './product-request.ts';
import { listProducts, toAdminProduct } from './products.ts';

/** As many as one file may hold. The platform takes bodies of up to six megabytes. */
const { rows: maxRows } = csvFileLimits;
const maxBodyBytes = 5 * 1024 * 1024;

const idsSchema = z.object({
  ids: z
    .array(uuid)
    .check(
      z.minLength(1, 'Choose a product first'),
      z.maxLength(maxRows, 'These are too many at once'),
    ),
});
const rowsSchema = z.object({
  rows: z
    .array(
      z.object({ id: uuid, product: productInputSchema, seen: z.nullable(expectedRevisionSchema) }),
    )
    .check(
      z.minLength(1, 'There is nothing to save'),
      z.maxLength(maxRows, 'These are too many at once'),
      z.refine(
        (rows) => new Set(rows.map(({ id }) => id)).size === rows.length,
        'A product is listed twice',
      ),
    ),
});
const comparedSchema = z.object({
  ids: z.array(uuid).check(z.maxLength(maxRows)),
  names: z.array(z.string().check(z.maxLength(1_000))).check(z.maxLength(maxRows)),
});

/** The products with the ids of a file, deleted ones too, and those with its names. Throws 400. */
export async function readCompared(
  request: Request,
  deployedVersion: Promise<number>,
): Promise<AdminProduct[]> {
  const { ids, names } = await readJson(request, comparedSchema, maxBodyBytes);
  const [rows, version] = await Promise.all([
    callFunction('products_by_id_or_name', { p_ids: ids, p_names: names }, z.array(z.unknown())),
    deployedVersion,
  ]);
  return rows.map((row) => toAdminProduct(row, version));
}

const refusedSchema = z.object({
  id: z.string(),
  outcome: z.enum(['changed', 'missing', 'deleted']),
  fields_changed: z.optional(z.boolean()),
  product: z.optional(z.unknown()),
});
const savedSchema = z.object({
  outcome: z.enum(['saved', 'refused']),
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
  const { rows } = await readJson(request, rowsSchema, maxBodyBytes).catch((error: unknown) => {
    if (!(error instanceof HttpError) || error.status !== 413) throw error;
    throw new HttpError(
      413,
      'too_large',
      'This is too much to save at once. Nothing was saved: please split the file in two.',
    );
  });
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

async function idsOf(request: Request): Promise<{ p_ids: string[] }> {
  return { p_ids: (await readJson(request, idsSchema, maxBodyBytes)).ids };
}

/** Deletes products; the ids of those that were there. Throws 400. */
export async function deleteProducts(request: Request): Promise<string[]> {
  return callFunction('delete_products', await idsOf(request), z.array(z.string()));
}

/** Brings deleted products back; the ids of those that are in the catalogue now. Throws 400. */
export async function restoreProducts(request: Request): Promise<string[]> {
  return callFunction('restore_products', await idsOf(request), z.array(z.string()));
}

const partSchema = z.int().check(z.minimum(1), z.maximum(1_000));

/** One part of the catalogue for its file, the newest product first; the first part is 1. Throws 404. */
export async function exportPart(
  part: string | null,
  deployedVersion: Promise<number>,
): Promise<AdminProduct[]> {
  const number = partSchema.safeParse(Number(part ?? '1'));
  if (!number.success)
    throw new HttpError(404, 'not_found', 'There is no such part of the catalogue.');
  const query = { search: '', category: null, stock: 'all', show: 'all', sort: 'newest' } as const;
  return (
    await listProducts(
      { ...query, offset: (number.data - 1) * exportedRows, limit: exportedRows },
      deployedVersion,
    )
  ).products;
}
