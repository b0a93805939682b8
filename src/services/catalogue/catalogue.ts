import { productColumns, productFromRow } from '#domain/catalogue/product-row.ts';
import { isOffered } from '#domain/catalogue/category.ts';
import type { Product } from '#domain/catalogue/product.ts';
import * as v from '#domain/validate.ts';
import * as environment from '#services/environment.ts';

const pageLength = 1_000;

/** The rows that a build reads. Throws with the reason when they are not to be had. */
export async function fetchRows(
  table: string,
  query: Readonly<Record<string, string>>,
): Promise<unknown[]> {
  const address = new URL(`${environment.supabaseUrl}/rest/v1/${table}`);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  let rows: unknown;
  try {
    const answer = await fetch(address, {
      headers: { apikey: environment.supabaseKey, accept: 'application/json' },
      signal: AbortSignal.timeout(30_000),
    });
    if (!answer.ok) throw new Error(`it answered ${String(answer.status)}`);
    rows = await answer.json();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The catalogue at ${address.origin} cannot be read: ${reason}.`, { cause });
  }
  if (!Array.isArray(rows))
    throw new Error(`The catalogue at ${address.origin} did not answer with a list.`);
  return rows as unknown[];
}

/** The `id` of a row. */
const idOf = (row: unknown): unknown => (Object(row) as { id?: unknown }).id;

/** All rows of a query, which selects `id` and names a total order, or pages could overlap and miss rows. Throws as `fetchRows`. */
export async function fetchAllRows(
  table: string,
  query: Readonly<Record<string, string>>,
): Promise<unknown[]> {
  // A project may answer with fewer rows than requested (its `max_rows`): only a page without a new row is the end.
  const rows = new Map<unknown, unknown>();
  for (;;) {
    const offset = String(rows.size);
    const page = await fetchRows(table, { ...query, limit: String(pageLength), offset });
    const added = page.filter((row) => !rows.has(idOf(row)));
    if (added.length === 0) return [...rows.values()];
    for (const row of added) rows.set(idOf(row), row);
  }
}

/** One row as a product. Throws one sentence that names the row, so that the admin can find and mend it. */
function readRow(row: unknown): Product {
  try {
    return productFromRow(row);
  } catch (cause) {
    const { id, name } = { id: 'unknown', name: 'without a name', ...Object(row) } as Record<
      string,
      unknown
    >;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Product ${String(id)} ('${String(name)}') cannot be read: ${reason}`, {
      cause,
    });
  }
}

const parsePlace = v.object({ featured: v.withDefault(v.number, null) });

/** A product, and its place on the front page. */
function readPlaced(row: unknown): { product: Product; place: number | null } {
  return { product: readRow(row), place: parsePlace(row).featured };
}

async function fetchVersion(): Promise<number> {
  const [row] = await fetchRows('catalogue_version', { select: 'version' });
  const { version } = Object(row) as { version?: unknown };
  if (typeof version === 'number' && Number.isSafeInteger(version)) return version;
  throw new Error(
    'The catalogue does not say its version: the database lacks a migration of this site.',
  );
}

/** The catalogue as one build shows it. */
export interface Catalogue {
  /** Every change of the admin's up to this number is in `products`. */
  version: number;
  products: Product[];
  /** Ids that the admin chose for the front page, in their order. */
  featured: string[];
}

/**
 * All products that the shop offers, for a build, oldest first. Throws when it is unreachable, has an unreadable row, or lost all its
 * products: a build that fails leaves the old site standing, a build without products would take it down.
 */
export async function fetchCatalogue(): Promise<Catalogue> {
  if (environment.supabaseUrl === '') {
    throw new Error(
      'PUBLIC_SUPABASE_URL is not set, so there is no catalogue to build the shop from.',
    );
  }
  // The version is read before the products: a change between the two is then built, and counted as not yet built, which does no
  // harm.
  const version = await fetchVersion();
  const products: Product[] = [];
  const chosen: { id: string; place: number }[] = [];
  const rows = await fetchAllRows('products', {
    select: `${productColumns},featured`,
    order: 'created_at.asc,id.asc',
  });
  for (const { product, place } of rows.map(readPlaced)) {
    if (!isOffered(product)) continue;
    products.push(product);
    if (place !== null) chosen.push({ id: product.id, place });
  }
  // A shop that has never had a product is new: its first build has the admin page, where the first one is added.
  if (products.length === 0 && version > 0)
    throw new Error('The catalogue is empty; a shop without products is not published.');
  const featured = chosen.toSorted((a, b) => a.place - b.place).map(({ id }) => id);
  return { version, products, featured };
}
