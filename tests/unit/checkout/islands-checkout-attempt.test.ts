import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  forgetCheckout,
  heldQuantities,
  recordOrder,
  recordRelease,
  readAttempt,
  renewAttempt,
  startAttempt,
} from '#services/storage/checkout-attempt.ts';
import {
  forgetCheckoutDraft,
  readCheckoutDraft,
  saveCheckoutDraft,
} from '#services/storage/stored-details.ts';
import { readStoredToken } from '#services/storage/stored-session.ts';
import { endCheckout } from '#stores/checkout.ts';
import { $discount } from '#stores/discount.ts';
import { stubStorage } from '#tests/unit/support/browser.ts';
import { eachRow } from '#tests/each-row.ts';

let stored: Map<string, string>;

beforeEach(() => {
  stored = stubStorage('sessionStorage');
});

describe('the try under way', () => {
  test('the same cart and details keep their key, until it expires; others get a new one', () => {
    const first = startAttempt('cart-1');
    expect(startAttempt('cart-1').key).toBe(first.key);
    const renewed = renewAttempt(first);
    expect(renewed.key).not.toBe(first.key);
    expect(startAttempt('cart-1').key).toBe(renewed.key);
    expect(startAttempt('cart-2').key).not.toBe(renewed.key);
  });

  test('an order holds its products for its customer until the hold ends', () => {
    vi.useFakeTimers();
    recordOrder(
      startAttempt('cart-1'),
      'order_1',
      [
        { id: 'p1', quantity: 2 },
        { id: 'p2', size: '14', quantity: 1 },
      ],
      null,
    );
    expect(readAttempt()?.orderId).toBe('order_1');
    expect([...heldQuantities()]).toEqual([
      ['p1', 2],
      ['p2:14', 1],
    ]);
    vi.advanceTimersByTime(900_001);
    expect([...heldQuantities()]).toEqual([]);
    vi.useRealTimers();
  });

  test('a changed cart keeps the earlier hold until the server let it go', () => {
    recordOrder(startAttempt('cart-1'), 'order_1', [{ id: 'p1', quantity: 2 }], null);
    startAttempt('cart-2');
    expect(heldQuantities().get('p1')).toBe(2);
    recordRelease();
    expect(heldQuantities().size).toBe(0);
  });

  test('a paid try is forgotten, and broken storage is no try', () => {
    startAttempt('cart-1');
    forgetCheckout();
    expect(readAttempt()).toBeNull();
    stored.set('kasavu:checkout', '{"key":1}');
    expect(readAttempt()).toBeNull();
    expect(heldQuantities().size).toBe(0);
  });
});

describe('the stored access token', () => {
  const store = (text: string | null) => {
    vi.stubGlobal('localStorage', { getItem: () => text });
  };
  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

  test('is used while it is good for more than a minute', () => {
    store(JSON.stringify({ access_token: 'token-1', expires_at: inSeconds(600) }));
    expect(readStoredToken()).toBe('token-1');
    store(JSON.stringify({ access_token: 'token-1', expires_at: inSeconds(30) }));
    expect(readStoredToken()).toBeNull();
  });

  test('is not found in a text that is missing or broken', () =>
    eachRow([null, 'broken', 'null', '[]', '{"access_token":"t"}'], (text) => {
      store(text);
      expect(readStoredToken()).toBeNull();
    }));
});

test('values typed at checkout come back to their own customer alone, until they are forgotten', () => {
  saveCheckoutDraft('user-1', { city: 'Kochi', notes: '' });
  expect(readCheckoutDraft('user-1')).toEqual({ city: 'Kochi', notes: '' });
  expect(readCheckoutDraft('user-2')).toEqual({});
  forgetCheckoutDraft();
  expect(readCheckoutDraft('user-1')).toEqual({});
  return eachRow(['broken', '[]', '{"userId":"user-1","values":{"city":5}}'], (text) => {
    stored.set('kasavu:details', text);
    expect(readCheckoutDraft('user-1')).toEqual({});
  });
});

test('a checkout that places no order keeps the attempt and its hold; a refused discount code is forgotten', () => {
  $discount.set({ code: 'ONAM', percent: 10, amount: null, minSubtotal: 0 });
  const lines = [{ id: 'a', quantity: 1 }];
  recordOrder(startAttempt('cart-1'), 'order_1', lines, Date.now() + 60_000);
  for (const end of ['dismissed', 'out_of_stock', 'price_changed', 'wait', 'closed'] as const) {
    endCheckout(end);
    expect($discount.get()).not.toBeNull();
  }
  endCheckout('discount');
  expect($discount.get()).toBeNull();
  expect(heldQuantities()).toEqual(new Map([['a', 1]]));
  endCheckout('paid');
  expect(readAttempt()).toBeNull();
});
