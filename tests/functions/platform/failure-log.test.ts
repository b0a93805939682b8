import type { Context } from '@netlify/functions';
import { expect, test, vi } from 'vitest';
import pageFault from '#netlify/functions/page-fault.ts';
import { orderPath } from '#core/mail/order-links.ts';
import { PaymentProviderError } from '#core/payments/payment-provider-error.ts';
import { afterResponse } from '#core/platform/background.ts';
import { refreshCached } from '#core/platform/http/cdn-cache.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { useStack } from '#tests/functions/support/stack.ts';

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
