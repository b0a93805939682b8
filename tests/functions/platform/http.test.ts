import type { Context } from '@netlify/functions';
import * as z from 'zod/mini';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConfigurationError, databaseEnv, paymentEnv } from '#core/platform/env.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { endpoint, json } from '#core/platform/http/http.ts';
import { networkOf } from '#core/platform/costs.ts';
import { parseOrRefuse, readBytes } from '#core/platform/http/request-body.ts';
import { eachRow } from '#tests/each-row.ts';

/** Streams need `duplex`, which the type of RequestInit does not know. */
const streamedPost = (body: ReadableStream): RequestInit & { duplex: 'half' } => ({
  method: 'POST',
  body,
  duplex: 'half',
});

let lines: string[];

beforeEach(() => {
  lines = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => lines.push(String(line)));
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const context = {} as Context;
const ask = (handler: () => Promise<Response>): Promise<Response> =>
  endpoint({ route: 'test', method: 'GET', handler })(
    new Request('https://kasavu.example/'),
    context,
  );

test('an unexpected error is a 500 without its text, and the log says where it happened but not what it said', async () => {
  const answer = await ask(() => Promise.reject(new Error('duplicate key: anjali@example.com')));
  expect(answer.status).toBe(500);
  const body = await answer.text();
  expect(JSON.parse(body)).toMatchObject({
    error: 'unexpected',
    request_id: answer.headers.get('x-request-id'),
  });
  expect(body + lines.join('')).not.toContain('anjali');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    route: 'test',
    status: 500,
    error: 'unexpected',
    id: answer.headers.get('x-request-id'),
  });
});

test('a refusal brings its fields, and none of them can replace its message, code or id', async () => {
  const answer = await ask(() =>
    Promise.reject(new HttpError(409, 'taken', 'Taken', { left: 2, error: 'x', request_id: 'y' })),
  );
  expect(await answer.json()).toEqual({
    left: 2,
    message: 'Taken',
    error: 'taken',
    request_id: answer.headers.get('x-request-id'),
  });
});

test('every answer has an id of its own, is not cached, not sniffed, not framed, and reached by TLS only', async () => {
  const [first, second] = [
    await ask(() => Promise.resolve(json({}))),
    await ask(() => Promise.resolve(json({}))),
  ];
  expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
  expect(first.headers.get('cache-control')).toBe('no-store');
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'content-security-policy': "frame-ancestors 'none'",
    'strict-transport-security': expect.stringMatching(/^max-age=\d{8};/u) as unknown,
  });
});

test('a body above 64 KB is refused while it is read, announced or not', async () => {
  const chunk = new Uint8Array(16 * 1_024);
  const streamed = (chunks: number): Request => {
    let left = chunks;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left > 0) controller.enqueue(chunk);
        else controller.close();
        left -= 1;
      },
    });
    return new Request('https://kasavu.example/', streamedPost(body));
  };
  expect((await readBytes(streamed(4))).byteLength).toBe(64 * 1_024);
  await expect(readBytes(streamed(5))).rejects.toMatchObject({ status: 413 });
});

test('a body that does not arrive is given up after ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(8));
      },
    });
    const slow = readBytes(new Request('https://kasavu.example/', streamedPost(body)));
    const refused = expect(slow).rejects.toMatchObject({ status: 408, code: 'too_slow' });
    await vi.advanceTimersByTimeAsync(10_000);
    await refused;
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('text that no column takes is refused with the field that holds it', () =>
  eachRow<[unknown, string]>(
    [
      [{ name: 'a\u0000' }, 'name'],
      [{ id: 'x', product: { name: 'Ring', description: 'half \ud83d' } }, 'description'],
      [{ product: { images: ['a', '\udc8d'] } }, 'images'],
      [{ 'a\u0000': 'x' }, 'body'],
      ['\u0000', 'body'],
    ],
    async ([raw, field]) => {
      const message = 'The text contains a character that cannot be stored. Please type it again.';
      const taken = Promise.resolve().then(() => parseOrRefuse(z.unknown(), raw));
      await expect(taken).rejects.toMatchObject({
        status: 400,
        message,
        fields: { fields: { [field]: message } },
      });
    },
  ));

test('a missing variable is named, and its value never', () => {
  vi.stubEnv('SUPABASE_URL', 'not-an-address-canary');
  vi.stubEnv('SUPABASE_SECRET_KEY', '');
  expect(() => databaseEnv()).toThrow(
    new ConfigurationError('Missing or unusable: SUPABASE_URL, SUPABASE_SECRET_KEY'),
  );
});

test('production refuses the sandbox’s keys, and beside live ones what is not Razorpay’s address, however production is announced', () =>
  eachRow(
    [
      ['rzp_sandbox_abc', 'https://api.razorpay.com'],
      ['rzp_live_abc', 'http://localhost:8888/local/razorpay'],
      ['rzp_live_abc', 'https://127.0.0.1/'],
      ['rzp_live_abc', 'https://[::1]:8888/'],
      ['rzp_live_abc', 'http://api.razorpay.com'],
    ],
    ([key, address]) => {
      vi.unstubAllEnvs();
      vi.stubEnv('RAZORPAY_KEY_ID', key);
      vi.stubEnv('RAZORPAY_KEY_SECRET', 'canary');
      vi.stubEnv('RAZORPAY_API_URL', address);
      expect(() => paymentEnv('production')).toThrow(ConfigurationError);
      expect(paymentEnv('dev').RAZORPAY_KEY_ID).toBe(key);
      vi.stubEnv('CONTEXT', 'production');
      expect(() => paymentEnv()).toThrow(ConfigurationError);
    },
  ));

test('test keys are taken everywhere, also by a local address, and a preview never takes live ones', () => {
  vi.stubEnv('RAZORPAY_KEY_SECRET', 'canary');
  vi.stubEnv('RAZORPAY_KEY_ID', 'rzp_test_abc');
  expect(paymentEnv('deploy-preview').RAZORPAY_KEY_ID).toBe('rzp_test_abc');
  expect(paymentEnv('production').RAZORPAY_KEY_ID).toBe('rzp_test_abc');
  vi.stubEnv('RAZORPAY_KEY_ID', 'rzp_live_abc');
  expect(paymentEnv('production').RAZORPAY_KEY_ID).toBe('rzp_live_abc');
  for (const context of ['deploy-preview', 'branch-deploy']) {
    expect(() => paymentEnv(context)).toThrow('live key');
  }
});

test('addresses of one /64 are one network, those of one /48 share it, and each IPv4 address is shared by many', () => {
  vi.stubEnv('SUPABASE_URL', 'https://project.supabase.co');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'sb_secret_of_the_test');
  const home = networkOf('2001:db8:0:7::1');
  expect(home).toMatch(/^64:[\w-]{22} 48:[\w-]{22}$/u);
  expect(
    ['2001:db8:0:7:ffff:0:0:9', '2001:0DB8::7:a:b:c:d', '2001:db8:0:7::'].map(networkOf),
  ).toEqual([home, home, home]);
  const siteOf = (address: string): string | undefined => networkOf(address).split(' ')[1];
  expect([siteOf('2001:db8:0:8::1'), siteOf('2001:db8::1')]).toEqual([
    siteOf('2001:db8:0:7::1'),
    siteOf('2001:db8:0:7::1'),
  ]);
  expect(siteOf('2001:db8:1:7::1')).not.toBe(siteOf('2001:db8:0:7::1'));
  expect(networkOf('203.0.113.7')).toMatch(/^ip:[\w-]{22}$/u);
  expect(networkOf('::ffff:203.0.113.7')).toBe(networkOf('203.0.113.7'));
  expect(networkOf('203.0.113.7')).not.toBe(networkOf('203.0.113.8'));
  // Keyed: nobody who reads the table finds the address by trying them all.
  const before = networkOf('203.0.113.7');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'sb_secret_of_another_shop');
  expect(networkOf('203.0.113.7')).not.toBe(before);
  // Nobody is without a network: callers whose address is not known share one.
  const unknown = [undefined, '127.0.0.1', '::1', '::ffff:127.0.0.1'].map(networkOf);
  expect(new Set(unknown).size).toBe(1);
  expect(unknown[0]).toMatch(/^ip:[\w-]{22}$/u);
});
