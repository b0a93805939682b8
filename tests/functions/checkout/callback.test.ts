import { expect, test, vi } from 'vitest';
import callbackEndpoint from '#netlify/functions/payment-callback.ts';
import { signPayment } from '#tests/functions/support/razorpay-server.ts';
import { useStack, type Answer } from '#tests/functions/support/stack.ts';

const stack = await useStack();

async function paidOrder(change = {}) {
  const { number, razorpayOrderId } = await stack.openOrder();
  return { number, claim: stack.razorpay.pay(razorpayOrderId, change) };
}

const postForm = (fields: Record<string, string>): Promise<Answer> =>
  stack.call(callbackEndpoint, '/api/payment/callback', {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
const postJson = (body: unknown): Promise<Answer> =>
  stack.post(callbackEndpoint, '/api/payment/callback', body);
const goesTo = ({ status, headers }: Answer): [number, string | null] => [
  status,
  headers.get('location'),
];

test("the page's JSON is acknowledged, and confirms nothing: the page sends the proof to verify", async () => {
  const { number, claim } = await paidOrder();
  const answer = await postJson({ ...claim, status: 'success', timestamp: '2026-11-20T10:00:00Z' });
  expect(answer).toMatchObject({ status: 200, json: { received: true } });
  expect(await stack.orderRow(number)).toMatchObject({ status: 'PENDING' });
  expect(await postJson({ razorpay_order_id: 'order_1' })).toMatchObject({ status: 400 });
});

test("the provider's form post confirms the order and leads to the confirmation", async () => {
  const { number, claim } = await paidOrder();
  const answer = await postForm(claim);
  const query = `payment_id=${claim.razorpay_payment_id}&order_id=${claim.razorpay_order_id}`;
  expect(goesTo(answer)).toEqual([303, `/order-success?${query}`]);
  expect(await stack.orderRow(number)).toMatchObject({ status: 'COMPLETED' });
});

test('a checkout that was opened before the API keys changed is confirmed by the old secret, while that is configured', async () => {
  const { number, claim } = await paidOrder();
  const { razorpay_order_id: orderId, razorpay_payment_id: paymentId } = claim;
  const old = { ...claim, razorpay_signature: signPayment(orderId, paymentId, 'the-old-secret') };
  vi.stubEnv('RAZORPAY_KEY_SECRET_PREVIOUS', 'the-old-secret');
  expect(goesTo(await postForm(old))[1]).toMatch(/^\/order-success\?/u);
  vi.stubEnv('RAZORPAY_KEY_SECRET_PREVIOUS', '');
  expect(await stack.orderRow(number)).toMatchObject({ status: 'COMPLETED' });
});

const pending = /^\/order-success\?.*&status=pending$/u;

test('a form with a wrong signature is pending and confirms nothing, and asks Razorpay nothing', async () => {
  const { number, claim } = await paidOrder();
  const calls = stack.razorpay.calls.length;
  expect(calls).toBeGreaterThan(0);
  const forged = { ...claim, razorpay_signature: 'f'.repeat(64) };
  expect(goesTo(await postForm(forged))[1]).toMatch(pending);
  expect(stack.razorpay.calls).toHaveLength(calls);
  expect(await stack.orderRow(number)).toMatchObject({ status: 'PENDING' });
  expect(goesTo(await postForm(claim))[1]).not.toMatch(pending);
  expect(await stack.orderRow(number)).toMatchObject({ status: 'COMPLETED' });
});

test('a proved form that is sent again and again asks Razorpay once when the order is paid, and at most six times a minute when it is not', async () => {
  const paid = await paidOrder();
  const open = await paidOrder({ status: 'created' });
  const asked = async ({ claim }: typeof paid): Promise<number> => {
    const before = stack.razorpay.calls.length;
    for (let post = 0; post < 8; post += 1) await postForm(claim);
    return stack.razorpay.calls.length - before;
  };
  expect(await asked(paid)).toBe(1);
  expect(await asked(open)).toBe(6);
  expect(goesTo(await postForm(open.claim))[1]).toMatch(pending);
});

test('a payment that is not captured yet, or a provider that does not answer, leads to the pending confirmation', async () => {
  const authorised = await paidOrder({ status: 'created' });
  expect(goesTo(await postForm(authorised.claim))[1]).toMatch(
    /^\/order-success\?.*&status=pending$/u,
  );
  const { number, claim } = await paidOrder();
  stack.razorpay.faults.push({ call: 'GET /v1/payments', fault: 'drop' });
  expect(goesTo(await postForm(claim))[1]).toMatch(/^\/order-success\?.*&status=pending$/u);
  expect(await stack.orderRow(number)).toMatchObject({ status: 'PENDING' });
});

test('a payment of another amount leads to the confirmation page with its outcome: it is never confirmed', async () => {
  const { claim } = await paidOrder({ amount: 100 });
  expect(goesTo(await postForm(claim))[1]).toMatch(
    /^\/order-success\?.*&status=pending&payment=mismatch$/u,
  );
});

test('with the database down the form post is pending, never a failure page', async () => {
  const { claim } = await paidOrder();
  stack.database.setDown(true);
  const answer = await postForm(claim);
  stack.database.setDown(false);
  expect(goesTo(answer)[1]).toMatch(/^\/order-success\?.*&status=pending$/u);
});

test.each([
  ['a failed payment', { 'error[code]': 'BAD_REQUEST_ERROR', 'error[description]': 'Declined' }],
  [
    'a forged signature',
    {
      razorpay_order_id: 'order_00000000000000',
      razorpay_payment_id: 'pay_00000000000000',
      razorpay_signature: 'f',
    },
  ],
  [
    'an id that tries to lead elsewhere',
    { razorpay_order_id: '//evil.example', razorpay_payment_id: 'pay_1', razorpay_signature: 'f' },
  ],
  ['nothing', {}],
])('%s leads back to the cart', async (_, fields) => {
  expect(goesTo(await postForm(fields))).toEqual([303, '/cart?payment=failed']);
});
