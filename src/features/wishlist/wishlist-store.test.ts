import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openBrowser, type FakeBrowser } from '#tests/unit/support/browser.ts';

const [ring, chain, bangle] = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
  '00000000-0000-4000-8000-000000000003',
];
const key = 'kasavu:wishlist';
const session = JSON.stringify({
  access_token: 'token',
  refresh_token: 'refresh',
  expires_at: 4_000_000_000,
  user: { id: 'asha', email: 'asha@example.com', user_metadata: null },
});

/** The account's rows, newest first, and the requests for them. */
let account: { product_id: string; kept_at: string }[] = [];
let asked: string[] = [];
let isDown = false;
async function answer(
  input: URL,
  { method = 'GET', body }: { method?: string; body?: string },
): Promise<Response> {
  await Promise.resolve();
  asked.push(method);
  if (isDown) throw new TypeError('fetch failed');
  if (method === 'POST') account = [...(JSON.parse(body ?? '[]') as typeof account), ...account];
  if (method === 'DELETE')
    account = account.filter(
      ({ product_id: id }) => !(input.searchParams.get('product_id') ?? '').includes(id),
    );
  return method === 'GET' ? Response.json(account) : new Response(null, { status: 201 });
}

let browser: FakeBrowser;
beforeEach(() => {
  browser = openBrowser();
  [account, asked, isDown] = [[], [], false];
  vi.stubEnv('PUBLIC_SUPABASE_URL', 'https://project.supabase.co');
  vi.stubGlobal('fetch', answer);
  vi.spyOn(console, 'info').mockReturnValue();
});

/** The store as a page that just opened has it. */
async function openPage() {
  const store = await import('./wishlist-store.ts');
  const close = [store.followWishlist(), store.$wishlist.listen(() => undefined)];
  await store.syncWishlist(60_000);
  return {
    ...store,
    ids: () => store.$wishlist.get().map(({ id }) => id),
    close: () => {
      for (const stop of close) stop();
    },
  };
}

describe('the wishlist store', () => {
  test('keeps a visitor’s list on the device, survives a reload, follows another tab, and asks nobody', async () => {
    const page = await openPage();
    page.changeWishlist(ring, true, 1);
    page.changeWishlist(chain, true, 2);
    expect(page.ids()).toEqual([chain, ring]);
    page.close();
    vi.resetModules();
    const after = await openPage();
    expect(after.ids()).toEqual([chain, ring]);
    browser.otherTab(key, '{"broken');
    expect(after.ids()).toEqual([]);
    browser.otherTab(
      key,
      JSON.stringify({ '': { entries: [{ id: bangle, at: 1 }], unsent: [], readAt: 0 } }),
    );
    expect(after.ids()).toEqual([bangle]);
    expect(asked).toEqual([]);
  });

  test('sends what a login joins, and is empty after logout, on the device too', async () => {
    account = [{ product_id: bangle, kept_at: '2026-01-01T00:00:00Z' }];
    const entries = [{ id: ring, at: Date.parse('2026-02-01T00:00:00Z') }];
    browser.store(key, JSON.stringify({ '': { entries, unsent: [], readAt: 0 } }));
    browser.store('kasavu:auth', session);
    const page = await openPage();
    expect(page.ids()).toEqual([ring, bangle]);
    page.changeWishlist(bangle, false);
    await page.syncWishlist();
    expect(account.map(({ product_id: id }) => id)).toEqual([ring]);
    browser.otherTab('kasavu:auth', null);
    expect([page.ids(), browser.stored(key)]).toEqual([[], null]);
  });

  test('keeps what cannot be sent, says nothing of it, and sends it from the next page', async () => {
    browser.store('kasavu:auth', session);
    isDown = true;
    const page = await openPage();
    expect(page.$wishlistState.get()).toBe('unreachable');
    page.changeWishlist(ring, true);
    await page.syncWishlist();
    expect(page.ids()).toEqual([ring]);
    expect(account).toEqual([]);
    page.close();
    vi.resetModules();
    isDown = false;
    const next = await openPage();
    expect(next.ids()).toEqual([ring]);
    expect(account.map(({ product_id: id }) => id)).toEqual([ring]);
    asked = [];
    await next.syncWishlist(60_000);
    expect(asked, 'nothing new to ask').toEqual([]);
  });
});
