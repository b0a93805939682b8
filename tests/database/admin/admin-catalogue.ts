import { one, type Database } from '../support/database.ts';

/** A product as the admin page sends it. */
const ring = {
  name: 'Lotus ring',
  description: 'Gold-plated brass',
  category: 'rings',
  price: 123_450,
  offerPrice: null as number | null,
  stock: 10,
  sizes: undefined as { size: string; stock: number }[] | undefined,
  hidden: false,
  images: ['products/a.webp'],
  imageAlts: ['A ring'],
  attributes: { metal: 'Brass', weight_g: 4.2 },
};

/** A product as the admin functions return it. */
export interface AdminProductRow {
  id: string;
  name: string;
  stock: number;
  sizes: { size: string; stock: number }[];
  hidden: boolean;
  deleted_at: string | null;
  price: number;
  updated_at: string;
  change_version: number;
  [column: string]: unknown;
}
export interface Outcome {
  outcome: string;
  product: AdminProductRow;
  fields_changed?: boolean;
  stock_changed?: boolean;
  visibility_changed?: boolean;
}

const call = async <T>(
  database: Database,
  sql: string,
  ...values: readonly unknown[]
): Promise<T> => (await one<{ answer: T }>(database, `select ${sql} as answer`, ...values)).answer;

export const insertProduct = (
  database: Database,
  fields: Partial<typeof ring> = {},
  id: string = crypto.randomUUID(),
): Promise<Outcome> =>
  call(
    database,
    'public.insert_product($1, $2::jsonb)',
    id,
    JSON.stringify({ ...ring, ...fields }),
  );

/** Saves `fields` over what was seen, as a form does that was opened on `seen`. */
export const saveProduct = (
  database: Database,
  seen: AdminProductRow,
  fields: Partial<typeof ring> = {},
): Promise<Outcome> =>
  call(
    database,
    'public.save_product($1, $2::jsonb, $3::jsonb)',
    seen.id,
    JSON.stringify({ ...ring, name: seen.name, stock: seen.stock, hidden: seen.hidden, ...fields }),
    JSON.stringify({ updatedAt: seen.updated_at, stock: seen.stock, sizes: seen.sizes }),
  );

export const deleteProduct = (database: Database, id: string): Promise<boolean> =>
  call(database, 'public.delete_product($1)', id);

export const restoreProduct = (database: Database, id: string): Promise<AdminProductRow | null> =>
  call(database, 'public.restore_product($1)', id);

export const readProduct = (database: Database, id: string): Promise<AdminProductRow> =>
  call(database, 'public.admin_product($1)', id);

export interface Waiting {
  version: number;
  count: number;
  changes: { productId: string; name: string; kind: string; at: string }[];
}
export const unpublished = (database: Database, live: number, limit = 50): Promise<Waiting> =>
  call(database, 'public.unpublished_changes($1, $2)', live, limit);

export const requestBuild = (
  database: Database,
  by: 'admin' | 'auto',
  live: number,
  quietSeconds = 0,
): Promise<number | null> =>
  call(database, 'public.request_build($1, $2, $3)', by, live, quietSeconds);

export const recordDeploy = (
  database: Database,
  id: string,
  state: string,
  reason: string | null = null,
): Promise<number> => call(database, 'public.record_deploy($1, $2, $3)', id, state, reason);
