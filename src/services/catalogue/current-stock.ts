import {
  parseCurrentStock,
  stockColumns,
  type CurrentStock,
} from '#domain/catalogue/current-stock.ts';
import * as environment from '#services/environment.ts';
import { timeLimit } from '#services/time-limit.ts';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
const timeoutMs = 10_000;

/**
 * The rows of these products, straight from the database's REST address with `fetch`: browse pages carry no supabase-js.
 * Unreadable rows are left out. Throws when the database cannot be reached.
 */
export async function fetchRows<T>(
  ids: readonly string[],
  columns: string,
  parse: (row: unknown) => T,
): Promise<T[]> {
  // Ids come from storage; one that is not a UUID would make the database refuse the whole question.
  const known = ids.filter((id) => uuid.test(id));
  if (known.length === 0) return [];
  const address = new URL(`${environment.supabaseUrl}/rest/v1/products`);
  address.searchParams.set('select', columns);
  address.searchParams.set('id', `in.(${known.join(',')})`);
  const answer = await fetch(address, {
    headers: { apikey: environment.supabaseKey, accept: 'application/json' },
    signal: timeLimit(timeoutMs),
  });
  if (!answer.ok) throw new Error(`The catalogue answered ${String(answer.status)}`);
  const rows: unknown = await answer.json();
  if (!Array.isArray(rows)) throw new Error('The catalogue answered without a list');
  return rows.flatMap((row) => {
    try {
      return [parse(row)];
    } catch {
      return [];
    }
  });
}

/** The current price and stock of these products. Otherwise as `fetchCurrentProducts`. */
export const fetchCurrentStock = (ids: readonly string[]): Promise<CurrentStock[]> =>
  fetchRows(ids, stockColumns, parseCurrentStock);
