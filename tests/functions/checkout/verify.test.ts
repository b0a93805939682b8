import { beforeEach, expect, test } from 'vitest';
import statusEndpoint from '#netlify/functions/payment-status.ts';
import verifyEndpoint from '#netlify/functions/payment-verify.ts';
import { reportFigures } from '#tests/figures.ts';
import { times } from '#tests/soak.ts';
import { changedSignatures } from '#tests/functions/payments/changed-signatures.ts';
import { signPayment } from '#tests/functions/support/razorpay-server.ts';
import {
  useStack,
  type Answer,
  type Customer,
  type OpenOrder,
  type Stack,
} from '#tests/functions/support/stack.ts';

const stack = await useStack();
let customer: Customer;

beforeEach(async () => {
  customer = await stack.signUp();
  stack.mail.mails.length = 0;
  stack.razorpay.faults.length = 0;
});

const verify = (who: Customer, body: unknown): Promise<Answer> =>
  stack.post(verifyEndpoint, '/api/payment/verify', body, { token: who.token });

const openOrder = (price = 1_000): Promise<OpenOrder> => stack.openOrder({ customer, price });

const notVerified = {
  status: 400,
  json: { success: false, verified: false, message: 'Payment verification failed' },
};
const failed = {
  status: 400,
  json: {
    success: false,
    verified: false,
    error: 'not_verified',
    outcome: 'failed',
    message:
      'This payment could not be used for the order. If money left your account, it is returned in full.',
  },
};
const mismatch = {
  status: 409,
  json: {
    verified: false,
    error: 'mismatch',
    outcome: 'mismatch',
    message:
      'Your payment does not have the amount of this order. It is refunded in full; please write to us.',
  },
};

test('a paid order is verified, completed, and both sides get one e-mail', async () => {
  const { razorpayOrderId, number, ring } = await openOrder();
  const answer = await verify(customer, stack.razorpay.pay(razorpayOrderId));
  expect(answer).toMatchObject({
    status: 200,
    json: { success: true, verified: true, order: { number } },
  });
  expect(await stack.orderRow(number)).toMatchObject({
    status: 'COMPLETED',
    payment_status: 'COMPLETED',
    hold_state: 'taken',
  });
  expect(await stack.stockOf(ring)).toBe(4);
  expect(stack.mail.mails.map(({ to }) => to[0]).sort()).toEqual([
    'anjali@example.com',
    'owner@kasavu.example',
  ]);
});

test('verifying twice answers the same and sends nothing more', async () => {
  const { razorpayOrderId } = await openOrder();
  const claim = stack.razorpay.pay(razorpayOrderId);
  const answers = await Promise.all([
    verify(customer, claim),
    verify(customer, claim),
    verify(customer, claim),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(stack.mail.mails).toHaveLength(2);
});

test('changed signatures are refused by the endpoint and leave the order as it was', async () => {
  const { razorpayOrderId, number } = await openOrder();
  const claim = stack.razorpay.pay(razorpayOrderId);
  // All of them in the long run.
  const changed = changedSignatures(claim.razorpay_signature).filter(
    (_, index) => index % times(30, 1) === 0,
  );
  const before = JSON.stringify(await stack.orderRow(number));
  const answers: Answer[] = [];
  for (const razorpay_signature of [
    ...changed,
    '',
    signPayment(razorpayOrderId, claim.razorpay_payment_id, 'x'),
  ]) {
    answers.push(await verify(customer, { ...claim, razorpay_signature }));
  }
  const [after, payments] = [
    JSON.stringify(await stack.orderRow(number)),
    await stack.sql(
      'select 1 from public.payments where payment_id = $1',
      claim.razorpay_payment_id,
    ),
  ];
  reportFigures(5, {
    'sent to the endpoint': answers.length,
    'not refused there': answers.filter(({ status }) => status !== 400).length,
    'rows written': payments.length + (after === before ? 0 : 1),
  });
  for (const answer of answers) expect(answer).toMatchObject(notVerified);
  expect(payments).toEqual([]);
  expect(after).toBe(before);
});

test("a cheap order's payment and signature do not pay for a dear one", async () => {
  const cheap = await openOrder(100);
  const claim = stack.razorpay.pay(cheap.razorpayOrderId);
  const dear = await openOrder(90_000);
  expect(
    await verify(customer, { ...claim, razorpay_order_id: dear.razorpayOrderId }),
  ).toMatchObject(notVerified);
  // Even with a true signature over the dear order: the fetched payment says which order it paid.
  const forged = signPayment(dear.razorpayOrderId, claim.razorpay_payment_id);
  const answer = await verify(customer, {
    ...claim,
    razorpay_order_id: dear.razorpayOrderId,
    razorpay_signature: forged,
  });
  expect(answer).toMatchObject(failed);
  expect(await stack.orderRow(dear.number)).toMatchObject({ status: 'PENDING', payment_id: null });
});

test.each<[Parameters<Stack['razorpay']['pay']>[1], object]>([
  [{ amount: 100 }, mismatch],
  [{ currency: 'USD' }, mismatch],
  [{ status: 'failed' }, failed],
  [{ status: 'refunded' }, failed],
])(
  'a payment that the provider shows as %j does not complete the order',
  async (change, refusal) => {
    const { razorpayOrderId, number } = await openOrder();
    expect(await verify(customer, stack.razorpay.pay(razorpayOrderId, change))).toMatchObject(
      refusal,
    );
    expect(await stack.orderRow(number)).toMatchObject({ status: 'PENDING' });
  },
);

test('an authorised payment of an order that holds its stock is captured by the shop', async () => {
  const { razorpayOrderId, number } = await openOrder();
  expect(
    await verify(customer, stack.razorpay.pay(razorpayOrderId, { status: 'authorized' })),
  ).toMatchObject({ status: 200 });
  expect(await stack.orderRow(number)).toMatchObject({ status: 'COMPLETED' });
  expect(stack.razorpay.payments[0]).toMatchObject({ status: 'captured' });
});

test('an authorised payment whose capture fails is pending, and completes nothing until it is captured', async () => {
  const { razorpayOrderId, number } = await openOrder();
  const claim = stack.razorpay.pay(razorpayOrderId, { status: 'authorized' });
  stack.razorpay.faults.push({
    call: `POST /v1/payments/${claim.razorpay_payment_id}/capture`,
    fault: 'error',
  });
  expect(await verify(customer, claim)).toMatchObject({
    status: 202,
    json: { outcome: 'pending', verified: false },
  });
  expect(await stack.orderRow(number)).toMatchObject({ status: 'PENDING', payment_id: null });
  expect(await verify(customer, claim)).toMatchObject({ status: 200 });
});

test.each(['drop', 'error', 'html', 'garbage'] as const)(
  'a provider that answers verify with "%s" is pending and loses nothing',
  async (fault) => {
    const { razorpayOrderId } = await openOrder();
    const claim = stack.razorpay.pay(razorpayOrderId);
    stack.razorpay.faults.push({ call: 'GET /v1/payments', fault });
    expect(await verify(customer, claim)).toMatchObject({
      status: 202,
      json: { outcome: 'pending', verified: false },
    });
    expect(await verify(customer, claim)).toMatchObject({ status: 200 });
  },
);

test('the status of an own order follows its payment', async () => {
  const { razorpayOrderId, number } = await openOrder();
  const status = (): Promise<Answer> =>
    stack.call(statusEndpoint, `/api/payment/status?order_id=${razorpayOrderId}`, {
      token: customer.token,
    });
  expect(await status()).toMatchObject({ status: 200, json: { status: 'PENDING', number } });
  await verify(customer, stack.razorpay.pay(razorpayOrderId));
  expect(await status()).toMatchObject({ status: 200, json: { status: 'COMPLETED', number } });
});

test('the answer does not wait for the mail where the platform can work after it', async () => {
  const { razorpayOrderId } = await openOrder();
  const claim = stack.razorpay.pay(razorpayOrderId);
  const after: Promise<unknown>[] = [];
  const answer = await stack.post(verifyEndpoint, '/api/payment/verify', claim, {
    token: customer.token,
    context: { waitUntil: (work: Promise<unknown>) => after.push(work) },
  });
  expect(answer.status).toBe(200);
  expect(after).toHaveLength(1);
  await Promise.all(after);
  expect(stack.mail.mails).not.toEqual([]);
});
