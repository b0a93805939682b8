import { productColumns, productFromRow, type Product } from '../domain/product.ts';
import { environment } from './environment.ts';

const pageLength = 1_000;

async function fetchRows(offset: number): Promise<unknown[]> {
  const address = new URL(`${environment.supabaseUrl}/rest/v1/products`);
  address.searchParams.set('select', productColumns);
  // A total order, or pages could overlap and miss rows.
  address.searchParams.set('order', 'created_at.asc,id.asc');
  address.searchParams.set('limit', String(pageLength));
  address.searchParams.set('offset', String(offset));
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
  if (!Array.isArray(rows)) throw new Error(`The catalogue at ${address.origin} did not answer with a list.`);
  return rows as unknown[];
}

/** One row as a product. Throws one sentence that names the row, so that its owner can find and mend it. */
function readRow(row: unknown): Product {
  try {
    return productFromRow(row);
  } catch (cause) {
    const { id, name } = { id: 'unknown', name: 'without a name', ...Object(row) } as Record<string, unknown>;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Product ${String(id)} ('${String(name)}') cannot be read: ${reason}`, { cause });
  }
}

/**
 * The whole catalogue for a build, oldest first. Throws when it is unreachable, empty or has an unreadable row:
 * a build that fails leaves the old site standing, a build without pieces would take it down.
 */
export async function fetchCatalogue(): Promise<Product[]> {
  if (environment.supabaseUrl === '') {
    throw new Error('PUBLIC_SUPABASE_URL is not set, so there is no catalogue to build the shop from.');
  }
  const products: Product[] = [];
  for (let offset = 0; ; offset += pageLength) {
    const rows = await fetchRows(offset);
    products.push(...rows.map(readRow));
    if (rows.length < pageLength) break;
  }
  if (products.length === 0) throw new Error('The catalogue is empty; a shop without pieces is not published.');
  return products;
}
