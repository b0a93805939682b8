import { expect, onTestFinished, test, vi } from 'vitest';
import { eachRow } from '#tests/each-row.ts';
import { ring } from '#tests/unit/support/arbitraries.ts';
import { openBrowser } from '#tests/unit/support/browser.ts';

/** A storage that takes texts up to a number of characters, as a full one does. */
function storageOf(capacity: number) {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => {
      if (text.length > capacity)
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      kept.set(key, text);
    },
    removeItem: (key: string) => {
      kept.delete(key);
    },
  };
}

/** Opens the module in a browser with this storage; a function is called at each access. */
async function open(storage: ReturnType<typeof storageOf> | (() => never) | undefined) {
  openBrowser();
  if (typeof storage === 'function') {
    Object.defineProperty(globalThis, 'localStorage', { configurable: true, get: storage });
    onTestFinished(() => {
      Reflect.deleteProperty(globalThis, 'localStorage');
    });
  } else vi.stubGlobal('localStorage', storage);
  return import('#services/storage/browser-storage.ts');
}
const blocked = (): never => {
  throw new DOMException('The operation is insecure.', 'SecurityError');
};

test('texts are stored if they fit, else kept until the page closes', async () => {
  const storage = storageOf(3);
  const { localTexts } = await open(storage);
  localTexts.setItem('cart', 'abc');
  expect([storage.getItem('cart'), localTexts.outlivesPage('cart')]).toEqual(['abc', true]);
  localTexts.setItem('cart', 'abcd');
  expect(localTexts.getItem('cart')).toBe('abcd');
  expect([storage.getItem('cart'), localTexts.outlivesPage('cart')]).toEqual(['abc', false]);
  localTexts.setItem('cart', 'xyz');
  expect([storage.getItem('cart'), localTexts.outlivesPage('cart')]).toEqual(['xyz', true]);
});

test('no access throws, whether storage is full, blocked or missing, and a removed text is gone', () =>
  eachRow([storageOf(2), blocked, undefined], async (storage) => {
    const { localTexts, keepsSessions } = await open(storage);
    expect(keepsSessions()).toBe(false);
    expect(localTexts.getItem('cart')).toBeNull();
    localTexts.setItem('cart', 'too long');
    expect(localTexts.getItem('cart')).toBe('too long');
    localTexts.removeItem('cart');
    expect(localTexts.getItem('cart')).toBeNull();
    expect(localTexts.outlivesPage('cart')).toBe(true);
  }));

test('a text that cannot be removed is gone for this page: a session that ended is not found again', async () => {
  const storage = storageOf(10);
  storage.setItem('session', 'kept');
  storage.removeItem = blocked;
  const { localTexts } = await open(storage);
  expect(localTexts.getItem('session')).toBe('kept');
  localTexts.removeItem('session');
  expect(localTexts.getItem('session')).toBeNull();
});

test('a product that the next page would not know is not added, and what was in the cart stays', async () => {
  const cartWith = (quantity: number) => JSON.stringify([{ ...ring(), quantity }]);
  const storage = storageOf(cartWith(1).length);
  storage.setItem('kasavu:cart', cartWith(1));
  await open(storage);
  const { $cart, addCartItem } = await import('#stores/cart.ts');
  const close = $cart.listen(() => undefined);
  expect(addCartItem(ring({ id: 'another' }))).toBe('unkept');
  expect($cart.get().itemCount).toBe(1);
  expect(storage.getItem('kasavu:cart')).toBe(cartWith(1));
  expect(addCartItem(ring())).toBe('added');
  expect(storage.getItem('kasavu:cart')).toBe(cartWith(2));
  close();
});
