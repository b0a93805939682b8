import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isDropped } from '../../../local/http/handler.ts';
import { createSandbox, type Sandbox } from '../../../local/razorpay/sandbox.ts';
import verifyEndpoint from '../../../netlify/functions/payment-verify.ts';
import webhookEndpoint from '../../../netlify/functions/payment-webhook.ts';
import type { Context } from '@netlify/functions';
import { keyId, keySecret, webhookSecret } from '../support/razorpay-server.ts';
import { serveFetch, type Served } from '../support/serve-fetch.ts';
import { useStack } from '../support/stack.ts';

/*
 * The same endpoints against the sandbox that `npm start` runs: its API, its checkout and its signed webhooks,
 * which arrive over HTTP at the webhook endpoint.
 */
const stack = await useStack();
const customer = await stack.signUp();
let sandbox: Sandbox;
let origin: Served;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kasavu-sandbox-'));
  origin = await serveFetch(async (request) => {
    if (new URL(request.url).pathname === '/api/payment/webhook')
      return webhookEndpoint(request, {} as Context);
    const answer = (await sandbox.handle(request)) ?? new Response('', { status: 404 });
    return isDropped(answer) ? null : answer;
  });
  sandbox = await createSandbox({
    file: join(folder, 'razorpay.json'),
    origin: origin.url,
    keyId,
    keySecret,
    webhookSecret,
  });
  vi.stubEnv('RAZORPAY_API_URL', `${origin.url}/local/razorpay`);
});
afterAll(async () => {
  await sandbox.close();
  await origin.close();
  expect(await readFile(join(folder, 'razorpay.json'), 'utf8')).toContain('order_');
  await rm(folder, { recursive: true });
});

const at = (path: string, body: unknown): Promise<Response> =>
  fetch(`${origin.url}/local/razorpay/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const completed = (number: unknown): Promise<void> =>
  vi.waitFor(async () => {
    expect(await stack.orderRow(number)).toMatchObject({ status: 'COMPLETED' });
  }, 15_000);

async function openOrder(): Promise<{ orderId: string; number: unknown }> {
  const ring = await stack.addProduct({ price: 1_000, stock: 5 });
  const answer = await stack.createOrder(customer, [{ product_id: ring, quantity: 1 }]);
  expect(answer.status).toBe(200);
  return {
    orderId: String(answer.json['order_id']),
    number: (answer.json['order'] as { number: unknown }).number,
  };
}

test('a ring is ordered, paid in the checkout and verified', async () => {
  const { orderId, number } = await openOrder();
  const paid = await at('checkout/pay', { key: keyId, order_id: orderId });
  const answer = await stack.call(verifyEndpoint, '/api/payment/verify', {
    method: 'POST',
    token: customer.token,
    headers: { 'content-type': 'application/json' },
    body: await paid.text(),
  });
  expect(answer).toMatchObject({
    status: 200,
    json: { success: true, verified: true, order: { number } },
  });
});

test('paid with the browser closed: the webhook that the sandbox sends completes the order', async () => {
  const { orderId, number } = await openOrder();
  await at('checkout/pay', { key: keyId, order_id: orderId });
  await completed(number);
});

test.each(['duplicate', 'reordered'])(
  'webhooks that come %s complete the order once, with one pair of e-mails',
  async (mode) => {
    await at('faults', { webhook: { mode } });
    stack.mail.mails.length = 0;
    const { orderId, number } = await openOrder();
    await at('checkout/fail', { key: keyId, order_id: orderId });
    await at('checkout/pay', { key: keyId, order_id: orderId });
    await completed(number);
    await vi.waitFor(() => {
      expect(stack.mail.mails).toHaveLength(2);
    }, 15_000);
    await at('faults', {});
  },
);

test('when the reply to the creation is lost, the order that was made is found by its receipt', async () => {
  await at('faults', { api: { dropReply: true, times: 1 } });
  const { orderId } = await openOrder();
  const state: unknown = await (await fetch(`${origin.url}/local/razorpay/state.json`)).json();
  expect(JSON.stringify(state)).toContain(orderId);
});
