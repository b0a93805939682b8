import { beforeEach, expect, test, vi } from 'vitest';
import { eachRow } from '#tests/each-row.ts';
import { browserOf } from '#core/platform/browser-of.ts';

const beacons: string[] = [];
beforeEach(() => {
  vi.resetModules();
  beacons.length = 0;
  vi.stubGlobal('location', { pathname: '/cart' });
  vi.stubGlobal('navigator', {
    onLine: true,
    sendBeacon: (_: string, body: Blob) => {
      void body.text().then((text) => beacons.push(text));
      return true;
    },
  });
  vi.spyOn(console, 'error').mockReturnValue(undefined);
});

const explain = async (error: unknown): Promise<string> => {
  const { explainFault } = await import('#services/connection.ts');
  return explainFault(error);
};
const failureOf = async (): Promise<unknown> => {
  const { request } = await import('#services/connection.ts');
  return request('https://shop.test/', {}).catch((error: unknown) => error);
};

test('what fetch itself rejects is a fault of the connection, and so is anything on a device that is offline', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const words = 'Please check your connection and try again.';
  expect(await explain(await failureOf())).toBe(words);
  vi.stubGlobal('navigator', { onLine: false });
  expect(await explain(new TypeError('x'))).toBe(words);
  expect(beacons).toEqual([]);
});

test('a request without a response in time is a fault of the connection, and says so', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new DOMException('', 'TimeoutError')));
  expect(await failureOf()).toMatchObject({ isLate: true });
});

test('a fault of the program is told as one, and reported once with its place and no query', async () => {
  const error = new TypeError('a.toSorted is not a function');
  error.stack = 'x@https://shop.test/_astro/cart.Ab12Cd34.js?dpl=1:12:5';
  expect(await explain(error)).toContain('Something is broken on our side.');
  await explain(error);
  await vi.waitFor(() => {
    expect(beacons).toHaveLength(1);
  });
  expect(JSON.parse(beacons[0] ?? '')).toEqual({
    fault: 'TypeError: a.toSorted is not a function',
    place: 'cart.Ab12Cd34.js:12:5',
    page: '/cart',
  });
});

test('an error that may repeat what somebody typed is reported by its name alone', async () => {
  await explain(new SyntaxError('Unexpected token: Anjali Menon'));
  await vi.waitFor(() => {
    expect(beacons).toHaveLength(1);
  });
  expect(beacons[0]).toContain('"SyntaxError"');
  expect(beacons[0]).not.toContain('Anjali');
});

test('a customer reads what the shop wrote, and nothing that a browser or a library wrote', async () => {
  const { reasonOf } = await import('#services/connection.ts');
  const { PaymentError } = await import('#domain/checkout/payment.ts');
  const own = /^Something is broken on our side\./u;
  await eachRow<readonly [unknown, RegExp]>(
    [
      [new Error('Please sign in again.'), /^Please sign in again\.$/u],
      [new PaymentError('Amount must be at least ₹1'), /^Amount must be at least ₹1$/u],
      [new SyntaxError('Unexpected token < in JSON'), own],
      [new (class LibraryError extends Error {})('code 42'), own],
      [new Error(''), own],
      ['text', own],
      [null, own],
    ],
    ([error, words]) => {
      expect(reasonOf(error)).toMatch(words);
    },
  );
});

test('a script file that did not arrive is a fault of the connection', async () => {
  const page = new EventTarget();
  vi.stubGlobal('window', page);
  const { reasonOf } = await import('#services/connection.ts');
  const payload = new TypeError('Failed to fetch dynamically imported module: http://shop/a.js');
  page.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload }));
  expect(reasonOf(payload)).toBe('Please check your connection and reload the page.');
  expect(beacons).toEqual([]);
});

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
test.each([
  [`Mozilla/5.0 (iPhone) ${webkit} Version/15.6.1 Mobile/15E148 Safari/604.1`, 'Safari 15.6'],
  ['Mozilla/5.0 (Linux) Chrome/100.0.1 Mobile Safari/537.36', 'Chrome 100'],
  ['curl/8', 'other'],
])('%s is %s', (userAgent, browser) => {
  expect(browserOf(userAgent)).toBe(browser);
});
