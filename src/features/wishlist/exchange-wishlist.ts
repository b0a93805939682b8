import type { WishlistChange, WishlistEntry } from './domain/wishlist.ts';
import * as v from '#domain/validate.ts';
import { getAccessToken } from '#services/auth/account.ts';
import * as environment from '#services/environment.ts';
import { timeLimit } from '#services/time-limit.ts';

const parseRows = v.array(v.object({ product_id: v.nonEmptyString, kept_at: v.nonEmptyString }));

/**
 * Sends changes to the account that is signed in, and returns the stored wishlist after them, newest first. It uses `fetch` alone,
 * because browse pages carry no supabase-js. Throws when the database cannot be reached or refuses; what was sent may be sent
 * again.
 */
export async function exchangeWishlist(
  userId: string,
  changes: readonly WishlistChange[],
): Promise<WishlistEntry[]> {
  const token = await getAccessToken();
  if (token === null) throw new Error('Nobody is signed in');
  const ask = async (
    query: Readonly<Record<string, string>>,
    init: RequestInit = {},
  ): Promise<Response> => {
    const address = new URL(`${environment.supabaseUrl}/rest/v1/wishlists`);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    const answer = await fetch(address, {
      headers: {
        apikey: environment.supabaseKey,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        prefer: 'resolution=ignore-duplicates,return=minimal',
      },
      // Completes the request even when the page is left right after the press.
      keepalive: true,
      signal: timeLimit(10_000),
      ...init,
    });
    if (!answer.ok) throw new Error(`The wishlist answered ${String(answer.status)}`);
    return answer;
  };
  const kept = changes
    .filter((change) => change.kept)
    .map(({ id, at }) => ({ product_id: id, kept_at: new Date(at).toISOString() }));
  const given = changes.filter((change) => !change.kept).map(({ id }) => id);
  if (kept.length > 0)
    await ask(
      { on_conflict: 'user_id,product_id' },
      { method: 'POST', body: JSON.stringify(kept) },
    );
  if (given.length > 0)
    await ask(
      { user_id: `eq.${userId}`, product_id: `in.(${given.join(',')})` },
      { method: 'DELETE' },
    );
  const answer = await ask({ select: 'product_id,kept_at', order: 'kept_at.desc' });
  return parseRows(await answer.json()).map(({ product_id: id, kept_at: at }) => ({
    id,
    at: Date.parse(at),
  }));
}
