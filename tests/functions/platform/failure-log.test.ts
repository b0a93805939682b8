import type { Context } from '@netlify/functions';
import { expect, test, vi } from 'vitest';
import pageFault from '../../../netlify/functions/page-fault.ts';
import { orderPath } from '../../../netlify/core/mail/order-links.ts';
import { sendRefundsNow } from '../../../netlify/core/payments/send-after-response.ts';
import { PaymentProviderError } from '../../../netlify/core/payments/payment-provider-error.ts';
import { afterResponse } from '../../../netlify/core/platform/background.ts';
import { refreshCached } from '../../../netlify/core/platform/http/cdn-cache.ts';
import { HttpError } from '../../../netlify/core/platform/http/http-error.ts';
import { runSweep } from '../../../netlify/core/scheduled/run-sweep.ts';
import { eachRow } from '../../each-row.ts';
import { functionAt } from '../support/functions.ts';
import { useStack } from '../support/stack.ts';

const stack = await useStack();
const context = {} as Context;

interface LogLine {
  task?: string;
  error?: string;
  cause?: string;
}

async function linesOf(work: () => Promise<unknown>): Promise<LogLine[]> {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await work();
  const lines = printed.mock.calls.map(([line]) => JSON.parse(String(line)) as LogLine);
  printed.mockRestore();
  return lines;
}

/** What the work logs as the errors of its tasks. */
async function failures(work: () => Promise<unknown>): Promise<Record<string, string>> {
  return Object.fromEntries(
    (await linesOf(work)).flatMap(({ task, error }) => (task && error ? [[task, error]] : [])),
  );
}
const failing = (error: unknown) =>
  failures(() =>
    afterResponse(context, 'work', async () => {
      await Promise.resolve();
      throw error;
    }),
  );

test('work after a response that fails leaves the class, code, message and line of its cause', async () => {
  expect(
    await failures(() =>
      afterResponse(context, 'work', () => refreshCached(null as unknown as Request, 'tag', '/')),
    ),
  ).toMatchObject({
    purge: expect.stringMatching(
      /^\w*Error.* at netlify\/core\/platform\/http\/cdn-cache\.ts:\d+$/u,
    ) as unknown,
  });
  const refused = new PaymentProviderError('refused', 400, 'BAD_REQUEST_ERROR');
  for (const thrown of [refused, new HttpError(502, 'payment_provider', 'Not now', {}, refused)])
    expect((await failing(thrown))['work']).toMatch(
      /^PaymentProviderError BAD_REQUEST_ERROR: Payment provider refused \(400 BAD_REQUEST_ERROR\)/u,
    );
  const offline = new TypeError('fetch failed', {
    cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
  });
  expect((await failing(offline))['work']).toMatch(/^TypeError ECONNREFUSED: fetch failed/u);
  const noLogin = Object.assign(new Error('535 anjali'), { code: 'EAUTH', responseCode: 535 });
  expect((await failing(noLogin))['work']).toMatch(/^Error EAUTH 535(?: at|$)/u);
});

test('what may quote a customer stays out of the log', async () => {
  expect((await failing(new SyntaxError('"Anjali" is not valid JSON')))['work']).toMatch(
    /^SyntaxError(?: at|$)/u,
  );
  expect(
    (
      await failing(
        new TypeError('No URL: https://a.example/x?token=1 for a@b.example, 9847012345'),
      )
    )['work'],
  ).toMatch(/^TypeError: No URL: … for … …(?: at|$)/u);
  expect(await failing('Anjali')).toEqual({ work: 'string' });
});

test('refunds that cannot be requested, and a part of the sweep that fails, leave their cause', async () => {
  const { RAZORPAY_KEY_ID: keyId, SUPABASE_URL: address } = process.env;
  vi.stubEnv('RAZORPAY_KEY_ID', '');
  expect(await failures(() => sendRefundsNow({ context }))).toMatchObject({
    refunds: expect.stringMatching(/^ConfigurationError: .*RAZORPAY_KEY_ID/u) as unknown,
  });
  vi.stubEnv('RAZORPAY_KEY_ID', keyId);
  // Nothing listens on this port.
  vi.stubEnv('SUPABASE_URL', 'http://127.0.0.1:9');
  const logged = await failures(() =>
    runSweep({ request: new Request('http://localhost/'), context }),
  );
  vi.stubEnv('SUPABASE_URL', address);
  expect(logged['heartbeat']).toMatch(
    /^DatabaseError no answer: note_sweep failed with no answer at netlify\/core\/platform\/database\.ts:\d+$/u,
  );
});

const id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

test('a failure that is answered with a page leaves its cause, too', () =>
  eachRow(
    [
      ['GET', `/product/${id}`],
      ['POST', `/stock-alert/confirm?token=${id}`],
      ['GET', orderPath('track', { id: '1001', linkVersion: 0 })],
    ] as const,
    async ([method, path]) => {
      const endpoint = await functionAt(method, path);
      const { SUPABASE_URL: address } = process.env;
      vi.stubEnv('SUPABASE_URL', 'http://127.0.0.1:9');
      const lines = await linesOf(async () => {
        expect((await stack.call(endpoint, path, { method })).status).toBe(503);
      });
      vi.stubEnv('SUPABASE_URL', address);
      expect(lines.map(({ error, cause }) => `${error ?? ''}, ${cause ?? ''}`)).toContainEqual(
        expect.stringMatching(/^unavailable, DatabaseError no answer: /u),
      );
    },
  ));

test('a page that reports a fault leaves its kind and the browser, and nothing of whose page it was', async () => {
  const page = orderPath('track', { id: '1001', linkVersion: 0 });
  const lines = await linesOf(() =>
    stack.call(pageFault, '/api/page-fault', {
      method: 'POST',
      body: JSON.stringify({ fault: 'TypeError: a is not a function', place: 'cart.js:1:2', page }),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Mozilla/5.0 (Linux) Chrome/100.0.1 Mobile Safari/537.36',
      },
    }),
  );
  expect(lines).toMatchObject([{ page: '/track', browser: 'Chrome 100', place: 'cart.js:1:2' }]);
  expect(JSON.stringify(lines)).not.toContain(page.split('/').at(-1));
});
