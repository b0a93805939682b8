import * as z from 'zod/mini';
import {
  adminProductSchema,
  type AdminProduct,
  type ExpectedRevision,
  type ProductInput,
} from '../../../domain/admin/products/product-input.ts';
import { adminSend } from '../api.ts';
import { AdminError } from '../admin-error.ts';

const path = '/api/admin/catalogue';

/** The address of a part of the catalogue as a CSV file, a thousand products each; the first is 1. */
export const catalogueExport = (part: number): string => `${path}/export?part=${String(part)}`;

const comparedSchema = z.object({ products: z.array(adminProductSchema) });
/** So many that their answer stays below the six megabytes of a function, however long their descriptions are. */
const comparedAtOnce = 400;

/** The stored products under ids, deleted ones too, and under names, each product once. Throws AdminError. */
export async function fetchCompared({
  ids,
  names,
}: {
  ids: readonly string[];
  names: readonly string[];
}): Promise<AdminProduct[]> {
  const found = new Map<string, AdminProduct>();
  for (let at = 0; at < Math.max(ids.length, names.length); at += comparedAtOnce) {
    const part = {
      ids: ids.slice(at, at + comparedAtOnce),
      names: names.slice(at, at + comparedAtOnce),
    };
    const { products } = await adminSend('POST', `${path}/compare`, part, comparedSchema);
    for (const product of products) found.set(product.id, product);
  }
  return [...found.values()];
}

/** A product to save: `seen` is the revision that it was changed from, null for a new one. */
export interface ProductToSave {
  id: string;
  product: ProductInput;
  seen: ExpectedRevision | null;
}

/** Saves all of them or none. Throws AdminError; `refusedOf` has the reasons. */
export async function saveProducts(rows: readonly ProductToSave[]): Promise<void> {
  const sent = rows.map(({ id, product, seen }) => ({ id, product, seen }));
  await adminSend('POST', `${path}/save`, { rows: sent }, z.object({ saved: z.int() }));
}

const refusedSchema = z.object({
  refused: z.array(z.object({ name: z.string(), why: z.enum(['changed', 'deleted', 'stock']) })),
});
const whys = {
  changed: 'was changed elsewhere',
  deleted: 'was deleted',
  stock: 'was sold or restocked',
} as const;

/** Which products had moved on when nothing was saved for it, as sentences; null for another failure. */
export function refusedOf(error: unknown): string[] | null {
  const parsed =
    error instanceof AdminError && error.status === 409
      ? refusedSchema.safeParse(error.body)
      : null;
  return parsed?.success
    ? parsed.data.refused.map(({ name, why }) => `${name} ${whys[why]}.`)
    : null;
}

const idsSchema = z.object({ ids: z.array(z.string()) });

/** Deletes products; the ids of those that were there, to bring them back. Throws AdminError. */
export async function deleteProducts(ids: readonly string[]): Promise<string[]> {
  return (await adminSend('POST', `${path}/delete`, { ids }, idsSchema)).ids;
}

/** Brings deleted products back; the ids of those that are there now. Throws AdminError. */
export async function restoreProducts(ids: readonly string[]): Promise<string[]> {
  return (await adminSend('POST', `${path}/restore`, { ids }, idsSchema)).ids;
}
