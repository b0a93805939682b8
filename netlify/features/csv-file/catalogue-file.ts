import * as z from 'zod/mini';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { exportedRows } from '#features/csv-file/domain/catalogue-csv.ts';
import { csvFileApi } from '#features/csv-file/domain/csv-file-api.ts';
import { toAdminProduct } from '#core/catalogue/products.ts';
import { maxBodyBytes } from '#core/catalogue/several-products.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { readJson } from '#core/platform/http/request-body.ts';

/** The products with the ids of a file, deleted ones too, and those with its names. Throws 400. */
export async function readCompared(
  request: Request,
  deployedVersion: Promise<number>,
): Promise<AdminProduct[]> {
  const { ids, names } = await readJson(request, csvFileApi.compare.body, maxBodyBytes);
  const [rows, version] = await Promise.all([
    callFunction('products_by_id_or_name', { p_ids: ids, p_names: names }, z.array(z.unknown())),
    deployedVersion,
  ]);
  return rows.map((row) => toAdminProduct(row, version));
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
  const args = { p_offset: (number.data - 1) * exportedRows, p_limit: exportedRows };
  const [rows, version] = await Promise.all([
    callFunction('exported_products', args, z.array(z.unknown())),
    deployedVersion,
  ]);
  return rows.map((row) => toAdminProduct(row, version));
}
