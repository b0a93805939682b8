import { expect, test, vi } from 'vitest';
import { safeStorage } from '../../../src/services/storage/safe-storage.ts';
import { ring } from '../support/arbitraries.ts';
import { openBrowser } from '../support/browser.ts';

/** A storage that takes texts up to a number of characters, as a full one does. */
function storageOf(capacity: number): Storage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => {
      if (text.length > capacity)
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      kept.set(key, text);
    },
    removeItem: (key) => {
      kept.delete(key);
    },
    clear: () => {
      kept.clear();
    },
  };
}

test('values are stored if they fit, else kept until the page closes', () => {
  const storage = storageOf(3);
  const safe = safeStorage(storage);
  safe['cart'] = 'abc';
  expect(storage.getItem('cart')).toBe('abc');
  safe['cart'] = 'abcd';
  expect(safe['cart']).toBe('abcd');
  expect(storage.getItem('cart')).toBe('abc');
  safe['cart'] = 'xyz';
  expect(storage.getItem('cart')).toBe('xyz');
});

test('a key is there when it is stored or kept, and gone when deleted', () => {
  const safe = safeStorage(storageOf(3));
  expect('cart' in safe).toBe(false);
  safe['cart'] = 'too long';
  expect('cart' in safe).toBe(true);
  delete safe['cart'];
  expect('cart' in safe).toBe(false);
  expect(safe['cart']).toBeUndefined();
});

test('a product can be added to the cart when storage is full', async () => {
  openBrowser();
  vi.stubGlobal('localStorage', storageOf(2));
  const { $cart, addCartItem } = await import('../../../src/stores/cart.ts');
  const close = $cart.listen(() => undefined);
  expect(addCartItem(ring())).toBe('added');
  expect($cart.get().itemCount).toBe(1);
  expect(addCartItem(ring())).toBe('added');
  expect($cart.get().itemCount).toBe(2);
  close();
});
