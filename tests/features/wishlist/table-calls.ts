import { expect, vi } from 'vitest';
import type { FeatureCalls, TableCall } from '#tests/database/data-api/table-calls.ts';

/** Hearts pressed and shown by a signed-in customer. */
export const tableCalls: FeatureCalls = ({ user, product }) =>
  (
    [
      ['upsert', ['42501', 'done', 'done']],
      ['select', ['42501', '1 rows', '1 rows']],
      ['delete', ['42501', 'done', 'done']],
    ] as const
  ).map(([action, answers]): TableCall => ({
    name: `src/features/wishlist/exchange-wishlist.ts ${action} wishlists`,
    caller: 'customer',
    answers,
    async run() {
      vi.stubGlobal('localStorage', {
        getItem: () => JSON.stringify({ access_token: 'token', expires_at: Date.now() }),
      });
      const { exchangeWishlist } = await import('#features/wishlist/exchange-wishlist.ts');
      const at = Date.parse('2026-11-01T10:00:00Z');
      expect(
        await exchangeWishlist(user.id, [{ id: product, kept: action !== 'delete', at }]),
      ).toEqual(action === 'delete' ? [] : [{ id: product, at }]);
    },
  }));
