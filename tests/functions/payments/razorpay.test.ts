import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { PaymentProviderError } from '#core/payments/payment-provider-error.ts';
import { createRazorpay } from '#core/payments/razorpay.ts';
import {
  keyId,
  keySecret,
  startRazorpay,
  type Fault,
  type RazorpayServer,
} from '#tests/functions/support/razorpay-server.ts';
import { eachRow } from '#tests/each-row.ts';
import { reportFigures } from '#tests/figures.ts';

let server: RazorpayServer;
const order = {
  receipt: 'ABC-1001-abc123',
  amountPaise: 102_360,
  currency: 'INR',
  notes: { order_id: '1001' },
};

beforeAll(async () => {
  server = await startRazorpay();
});
afterAll(() => server.close());
beforeEach(() => {
  vi.stubEnv('RAZORPAY_KEY_ID', keyId);
  vi.stubEnv('RAZORPAY_KEY_SECRET', keySecret);
  vi.stubEnv('RAZORPAY_API_URL', server.url);
  for (const list of [server.orders, server.payments, server.refunds, server.calls, server.faults])
    list.length = 0;
});

/** The provider. A call that never ends is given up after a second; the others have what a busy machine needs. */
const open = (fault?: Fault): ReturnType<typeof createRazorpay> =>
  createRazorpay(undefined, fault === 'slow' ? 1_000 : 10_000);

test('an order is made with its receipt, amount and notes, and asks for automatic capture', async () => {
  const made = await open().createOrder(order);
  const payment = {
    capture: 'automatic',
    capture_options: {
      automatic_expiry_period: 12,
      manual_expiry_period: 7_200,
      refund_speed: 'normal',
    },
  };
  const { amountPaise: amount, ...others } = order;
  expect(server.orders).toMatchObject([{ ...others, amount, id: made.id, status: 'created' }]);
  expect(server.orderRequests).toEqual([{ ...others, amount, payment }]);
});

const creations: number[] = [];
test.each<[Fault, string[]]>([
  ['lose', ['POST /v1/orders', 'GET /v1/orders']],
  ['drop', ['POST /v1/orders', 'GET /v1/orders', 'POST /v1/orders']],
  ['error', ['POST /v1/orders', 'GET /v1/orders', 'POST /v1/orders']],
  ['html', ['POST /v1/orders', 'GET /v1/orders', 'POST /v1/orders']],
  ['slow', ['POST /v1/orders', 'GET /v1/orders', 'POST /v1/orders']],
  ['garbage', ['POST /v1/orders', 'GET /v1/orders', 'POST /v1/orders']],
  ['conflict', ['POST /v1/orders', 'GET /v1/orders', 'POST /v1/orders']],
])('one order exists after a creation that answered with "%s"', async (fault, calls) => {
  server.faults.push({ call: 'POST /v1/orders', fault });
  const made = await open(fault).createOrder(order);
  creations.push(server.orders.length);
  reportFigures(21, {
    'faults of a creation': creations.length,
    'most orders of one creation': Math.max(...creations),
  });
  expect(server.orders.map(({ id }) => id)).toEqual([made.id]);
  expect(server.calls).toEqual(calls);
});

test('an order refused by the provider is not tried again', async () => {
  await expect(open().createOrder({ ...order, amountPaise: 99 })).rejects.toMatchObject({
    kind: 'refused',
    status: 400,
  });
  expect(server.calls).toEqual(['POST /v1/orders']);
});

const calls: [string, string, (fault: Fault) => Promise<unknown>][] = [
  ['fetchPayment', 'GET /v1/payments', (fault) => open(fault).fetchPayment('pay_00000000000001')],
  ['fetchOrder', 'GET /v1/orders', (fault) => open(fault).fetchOrder('order_00000000000001')],
  [
    'fetchOrderPayments',
    'GET /v1/orders',
    (fault) => open(fault).fetchOrderPayments('order_00000000000001'),
  ],
  [
    'listPayments',
    'GET /v1/payments',
    (fault) => open(fault).listPayments({ from: 0, to: 1, skip: 0 }),
  ],
  ['fetchRefunds', 'GET /v1/payments', (fault) => open(fault).fetchRefunds('pay_00000000000001')],
  [
    'capture',
    'POST /v1/payments',
    (fault) =>
      open(fault).capture({
        id: 'pay_00000000000001',
        amount: 100,
        currency: 'INR',
        status: 'authorized',
        order_id: null,
        captured: false,
        method: null,
        amount_refunded: 0,
        created_at: null,
      }),
  ],
  [
    'refund',
    'POST /v1/payments',
    (fault) =>
      open(fault).refund({
        paymentId: 'pay_00000000000001',
        amountPaise: 100,
        idempotencyKey: 'refund-0000000001',
      }),
  ],
];
const faults: [Fault, Partial<PaymentProviderError>][] = [
  ['drop', { kind: 'unreachable', mayHaveHappened: true }],
  ['lose', { kind: 'unreachable', mayHaveHappened: true }],
  ['slow', { kind: 'unreachable', mayHaveHappened: true }],
  ['error', { kind: 'failed', status: 500, code: 'SERVER_ERROR' }],
  ['html', { kind: 'failed', status: 502 }],
  ['garbage', { kind: 'failed' }],
  ['conflict', { kind: 'failed', status: 409, mayHaveHappened: true }],
  ['keys', { kind: 'refused', status: 401, isUnknownId: false }],
  ['wrong keys', { kind: 'refused', status: 401, isUnknownId: false }],
];
const everyFault = calls.flatMap(([name, path, call]) =>
  faults.map(([fault, wanted]) => ({ name, path, call, fault, wanted })),
);

test('every call fails with a typed error, whatever the fault', async () => {
  const errors: unknown[] = [];
  await eachRow(everyFault, async ({ path, call, fault, wanted }) => {
    server.faults.splice(0, server.faults.length, { call: path, fault });
    const error = await call(fault).catch((thrown: unknown) => thrown);
    errors.push(error);
    expect(error).toBeInstanceOf(PaymentProviderError);
    expect(error).toMatchObject(wanted);
  }).finally(() => {
    reportFigures(21, {
      'calls with a fault': errors.length,
      'without a typed error': errors.filter((error) => !(error instanceof PaymentProviderError))
        .length,
    });
  });
});

test('an invalid id never becomes a path', () =>
  eachRow(
    ['../payments/pay_1', 'pay_1', 'order_00000000000001/../../x', '', 'pay_0000000000000%2F'],
    async (id) => {
      await expect(open().fetchPayment(id)).rejects.toMatchObject({
        kind: 'refused',
        code: 'BAD_ID',
      });
      await expect(open().fetchOrderPayments(id)).rejects.toMatchObject({ code: 'BAD_ID' });
      await expect(
        open().refund({ paymentId: id, amountPaise: 1, idempotencyKey: 'k' }),
      ).rejects.toMatchObject({
        code: 'BAD_ID',
      });
      expect(server.calls).toEqual([]);
      await open()
        .fetchPayment('pay_00000000000001')
        .catch(() => undefined);
      expect(server.calls).toHaveLength(1);
      server.calls.length = 0;
    },
  ));

test('a refund requested twice with one key is made once', async () => {
  const { id } = await open().createOrder(order);
  const { razorpay_payment_id: paymentId } = server.pay(id);
  const ask = { paymentId, amountPaise: order.amountPaise, idempotencyKey: 'refund-pay-000001' };
  server.faults.push({ call: 'POST /v1/payments', fault: 'lose' });
  await expect(open().refund(ask)).rejects.toMatchObject({ kind: 'unreachable' });
  const made = await open().refund(ask);
  expect(server.refunds).toMatchObject([
    {
      id: made.id,
      payment_id: paymentId,
      amount: order.amountPaise,
      status: 'processed',
      receipt: 'refund-pay-000001',
    },
  ]);
});
