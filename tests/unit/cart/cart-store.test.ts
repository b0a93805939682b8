import { beforeEach, describe, expect, test, vi } from 'vitest';
import { limitTexts } from '#domain/cart/cart-limits.ts';
import { cartOf, emptyCart } from '#domain/cart/cart.ts';
import type { Product } from '#domain/catalogue/product.ts';
import { shop } from '#settings/shop.ts';
import { ring } from '#tests/unit/support/arbitraries.ts';
import { openBrowser, type FakeBrowser } from '#tests/unit/support/browser.ts';

const fetchCurrentProducts = vi.fn<(ids: readonly string[]) => Promise<Product[]>>();
vi.mock('#services/catalogue/current-catalogue.ts', () => ({ fetchCurrentProducts }));

const key = 'kasavu:cart';
const live = (changes: Partial<Product> = {}): Product => ({
  ...ring(),
  category: 'rings',
  description: '',
  sizes: [],
  imageAlts: [],
  attributes: {},
  createdAt: '',
  updatedAt: '',
  ...changes,
});
const line = (id: string, quantity: number) => ({ ...ring({ id }), quantity });

let browser: FakeBrowser;
beforeEach(() => {
  browser = openBrowser();
  fetchCurrentProducts.mockReset();
});

/** The stores as a page that just opened has them, with a listener on the cart. */
async function openPage() {
  const cart = await import('#stores/cart.ts');
  const changes = await import('#stores/cart-changes.ts');
  const { refreshCartFromCatalogue } = await import('#islands/shared/cart-refresh.ts');
  const { $toasts } = await import('#stores/toasts.ts');
  const seen: number[] = [];
  const close = cart.$cart.subscribe(({ itemCount }) => {
    seen.push(itemCount);
  });
  return { ...cart, ...changes, refreshCartFromCatalogue, $toasts, seen, close };
}

describe('the cart store', () => {
  test('starts empty, saves each change, and survives a reload', async () => {
    const page = await openPage();
    expect(page.$cart.get()).toEqual(emptyCart);
    expect(page.addCartItem(ring(), 2)).toBe('added');
    expect(JSON.parse(browser.stored(key) ?? '')).toEqual([line('ring-1', 2)]);
    page.changeQuantity('ring-1', 4);
    expect(JSON.parse(browser.stored(key) ?? '')).toEqual([line('ring-1', 4)]);
    page.removeCartItem('ring-1');
    expect(browser.stored(key)).toBe('[]');
    page.addCartItem(ring());
    vi.resetModules();
    const after = await openPage();
    expect(after.$cart).not.toBe(page.$cart);
    expect(after.$cart.get()).toEqual(cartOf([line('ring-1', 1)]));
    page.clearCart();
    expect(browser.stored(key)).toBe('[]');
    expect(page.seen).toEqual([0, 2, 4, 0, 1, 0]);
  });

  test('shows when stock or an order holds no more of a product, or an order no more products', async () => {
    const page = await openPage();
    const { unitsPerOrder, cartLines } = shop.limits;
    expect(page.addCartItem(ring({ id: 'gone', stock: 0 }))).toBe('stock');
    page.removeCartItem('gone');
    expect(page.addCartItem(ring({ stock: 100 }), unitsPerOrder)).toBe('added');
    expect(page.addCartItem(ring({ stock: 100 }))).toBe('units');
    expect(page.addCartItem(ring({ id: 'all', stock: unitsPerOrder }), unitsPerOrder + 1)).toBe(
      'stock',
    );
    for (let count = 2; count < cartLines; count += 1)
      page.addCartItem(ring({ id: `r${String(count)}` }));
    expect(page.addCartItem(ring({ id: 'one too many' }))).toBe('lines');
    for (const [title, text] of Object.values(limitTexts).slice(1))
      expect(`${title} ${text}`).not.toMatch(/stock/iu);
  });

  test('a refusal of too many units caps them, and leaves the stock as it is', async () => {
    const page = await openPage();
    page.addCartItem(ring({ stock: 100 }), 20);
    page.capCartQuantities(new Map([['ring-1', 12]]));
    expect(page.$cart.get().items).toMatchObject([{ stock: 100, quantity: 12 }]);
    page.setCartStock(new Map([['ring-1', 7]]));
    expect(page.$cart.get().items).toMatchObject([{ stock: 7, quantity: 7 }]);
  });

  test('follows another tab at once', async () => {
    const page = await openPage();
    browser.otherTab(key, JSON.stringify([line('a', 1), line('b', 2)]));
    expect(page.$cart.get().itemCount).toBe(3);
    browser.otherTab('another key', 'x');
    expect(page.$cart.get().itemCount).toBe(3);
    browser.otherTab(key, '{"broken');
    expect(page.$cart.get()).toEqual(emptyCart);
    browser.otherTab(key, JSON.stringify([line('a', 1)]));
    browser.otherTab(key, null);
    expect(page.$cart.get()).toEqual(emptyCart);
    browser.otherTab(key, JSON.stringify([line('a', 1)]));
    browser.otherTabClears();
    expect(page.$cart.get()).toEqual(emptyCart);
    expect(page.seen).toEqual([0, 3, 0, 1, 0, 1, 0]);
  });
});

describe('refreshing the cart from the current catalogue', () => {
  test('fetches the saved products and shows what changed in one toast', async () => {
    browser.store(key, JSON.stringify([line('a', 4), line('b', 1), line('c', 2), line('d', 1)]));
    fetchCurrentProducts.mockResolvedValue([
      live({ id: 'a', name: 'Palakka Ring', stock: 2 }),
      live({ id: 'b', name: 'Thread Chain', offerPrice: 90_050 }),
      live({ id: 'd', name: 'Temple Bangle', stock: 0 }),
    ]);
    const page = await openPage();
    await page.refreshCartFromCatalogue();
    expect(fetchCurrentProducts).toHaveBeenCalledWith(['a', 'b', 'c', 'd']);
    expect(page.$cart.get().items.map(({ id, quantity }) => [id, quantity])).toEqual([
      ['a', 2],
      ['b', 1],
      ['d', 0],
    ]);
    expect(page.$toasts.get()).toMatchObject([
      {
        title: 'Your cart was updated',
        description:
          'Only 2 of Palakka Ring left. Thread Chain now costs ₹900.50 (was ₹1,000.00). ' +
          'Palakka Ring is no longer available and was removed. Temple Bangle is out of stock.',
      },
    ]);
  });

  test('says of a product that comes in sizes now that one is to be chosen, and of a size that it is out of stock', async () => {
    browser.store(key, JSON.stringify([line('ring-1', 2), { ...line('ring-2', 1), size: '14' }]));
    const sizes = [{ size: '12', stock: 5 }];
    fetchCurrentProducts.mockResolvedValue([live({ sizes }), live({ id: 'ring-2', sizes })]);
    const page = await openPage();
    await page.refreshCartFromCatalogue();
    expect(page.$toasts.get()).toMatchObject([
      {
        description:
          'Palakka Ring now comes in sizes: please choose yours on its page. Palakka Ring · Size 14 is out of stock.',
      },
    ]);
    expect(page.$cart.get().items.map(({ size, quantity }) => [size, quantity])).toEqual([
      ['', 0],
      ['14', 0],
    ]);
  });

  test('that finds nothing changed says nothing and writes nothing', async () => {
    browser.store(key, JSON.stringify([line('ring-1', 2)]));
    fetchCurrentProducts.mockResolvedValue([live()]);
    const page = await openPage();
    await page.refreshCartFromCatalogue();
    expect(page.$toasts.get()).toEqual([]);
    expect(page.seen).toEqual([2]);
  });

  test('that cannot reach the database keeps the cart', async () => {
    const info = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    browser.store(key, JSON.stringify([line('ring-1', 2)]));
    fetchCurrentProducts.mockRejectedValue(new TypeError('fetch failed'));
    const page = await openPage();
    await page.refreshCartFromCatalogue();
    expect(page.$cart.get().itemCount).toBe(2);
    expect(page.$toasts.get()).toEqual([]);
    expect(info).toHaveBeenCalledOnce();
  });

  test('keeps what was added, changed and removed while the answer was under way', async () => {
    browser.store(key, JSON.stringify([line('a', 1), line('b', 1)]));
    let answer: (products: Product[]) => void = () => undefined;
    fetchCurrentProducts.mockReturnValue(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    const page = await openPage();
    const refreshed = page.refreshCartFromCatalogue();
    page.addCartItem(ring({ id: 'new' }));
    page.changeQuantity('a', 3);
    page.removeCartItem('b');
    answer([live({ id: 'a' }), live({ id: 'b' })]);
    await refreshed;
    expect(page.$cart.get()).toEqual(cartOf([line('a', 3), line('new', 1)]));
    expect(page.$toasts.get()).toEqual([]);
  });
});

test('a payment ends the checkout: cart, discount code, attempt and typed details are gone', async () => {
  const page = await openPage();
  const { endCheckout } = await import('#stores/checkout.ts');
  const { $discount } = await import('#stores/discount.ts');
  const attempt = await import('#services/storage/checkout-attempt.ts');
  const details = await import('#services/storage/stored-details.ts');
  page.addCartItem(ring());
  $discount.set({ code: 'ONAM', percent: 10, amount: null, minSubtotal: 0 });
  attempt.startAttempt('cart-1');
  details.saveCheckoutDraft('user-1', { city: 'Kochi' });
  endCheckout('paid');
  expect(page.$cart.get().itemCount).toBe(0);
  expect($discount.get()).toBeNull();
  expect(attempt.readAttempt()).toBeNull();
  expect(details.readCheckoutDraft('user-1')).toEqual({});
});
