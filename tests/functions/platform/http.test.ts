import type { Context } from '@netlify/functions';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConfigurationError, databaseEnv, holdEnv, paymentEnv } from '../../../netlify/server/platform/env.ts';
import { HttpError, unavailable } from '../../../netlify/server/platform/http-error.ts';
import { endpoint, json } from '../../../netlify/server/platform/http.ts';
import { readBytes } from '../../../netlify/server/platform/request-body.ts';
import { eachRow } from '../../each-row.ts';

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
  endpoint({ route: 'test', method: 'GET', handler })(new Request('https://kasavu.example/'), context);

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

test('what cannot be reached now says when to come back', async () => {
  const answer = await ask(() => Promise.reject(unavailable(new Error('ECONNREFUSED'))));
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
});

test('every answer has an id of its own, is not cached and is not sniffed', async () => {
  const [first, second] = [
    await ask(() => Promise.resolve(json({}))),
    await ask(() => Promise.resolve(json({}))),
  ];
  expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
  expect(first.headers.get('cache-control')).toBe('no-store');
  expect(first.headers.get('x-content-type-options')).toBe('nosniff');
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
    // Streams need `duplex`, which the type of RequestInit does not know.
    return new Request('https://kasavu.example/', { method: 'POST', body, ...{ duplex: 'half' } });
  };
  expect((await readBytes(streamed(4))).byteLength).toBe(64 * 1_024);
  await expect(readBytes(streamed(5))).rejects.toMatchObject({ status: 413 });
});

test('a missing variable is named, and its value never', () => {
  vi.stubEnv('SUPABASE_URL', 'not-an-address-canary');
  vi.stubEnv('SUPABASE_SECRET_KEY', '');
  expect(() => databaseEnv()).toThrow(
    new ConfigurationError('Missing or unusable: SUPABASE_URL, SUPABASE_SECRET_KEY'),
  );
});

test('variables are read anew when they change', () => {
  vi.stubEnv('HOLD_SECONDS', '60');
  expect(holdEnv().HOLD_SECONDS).toBe(60);
  vi.stubEnv('HOLD_SECONDS', '');
  expect(holdEnv().HOLD_SECONDS).toBe(900);
  vi.stubEnv('HOLD_SECONDS', 'soon');
  expect(() => holdEnv()).toThrow(ConfigurationError);
});

test('production refuses the sandbox and what is not Razorpay’s address, however production is announced', () =>
  eachRow([
    ['rzp_sandbox_abc', 'https://api.razorpay.com'],
    ['rzp_live_abc', 'http://localhost:8888/local/razorpay'],
    ['rzp_live_abc', 'https://127.0.0.1/'],
    ['rzp_live_abc', 'https://[::1]:8888/'],
    ['rzp_live_abc', 'http://api.razorpay.com'],
  ], ([key, address]) => {
    vi.unstubAllEnvs();
    vi.stubEnv('RAZORPAY_KEY_ID', key);
    vi.stubEnv('RAZORPAY_KEY_SECRET', 'canary');
    vi.stubEnv('RAZORPAY_API_URL', address);
    expect(() => paymentEnv('production')).toThrow(ConfigurationError);
    expect(paymentEnv('dev').RAZORPAY_KEY_ID).toBe(key);
    vi.stubEnv('CONTEXT', 'production');
    expect(() => paymentEnv()).toThrow(ConfigurationError);
  }),
);
