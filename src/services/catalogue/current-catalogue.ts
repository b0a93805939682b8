import { productColumns, productFromRow, type Product } from '../../domain/catalogue/product.ts';
import { environment } from '../environment.ts';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;

/**
 * The present rows of these products, straight from the database's REST address with `fetch`: browse pages carry
 * no supabase-js. Ids that no longer exist are absent from the answer; unreadable rows are left out.
 * Throws when the database cannot be reached, so that callers keep what they have.
 */
export async function fetchLiveProducts(
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<Product[]> {
  // Ids come from storage; one that is not a UUID would make the database refuse the whole question.
  const known = ids.filter((id) => uuid.test(id));
  if (known.length === 0) return [];
  const address = new URL(`${environment.supabaseUrl}/rest/v1/products`);
  address.searchParams.set('select', productColumns);
  address.searchParams.set('id', `in.(${known.join(',')})`);
  const answer = await fetch(address, {
    headers: { apikey: environment.supabaseKey, accept: 'application/json' },
    signal: signal ?? AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`The catalogue answered ${String(answer.status)}`);
  const rows: unknown = await answer.json();
  if (!Array.isArray(rows)) throw new Error('The catalogue answered without a list');
  return rows.flatMap((row) => {
    try {
      return [productFromRow(row)];
    } catch {
      return [];
    }
  });
}
