import { beforeEach, expect, test, vi } from 'vitest';
import { sendOutbox } from '#core/mail/outbox.ts';
import verifyEndpoint from '#netlify/functions/payment-verify.ts';
import { webhookSecret } from '#tests/functions/support/razorpay-server.ts';
import { useStack, type OpenOrder, type Stack } from '#tests/functions/support/stack.ts';
import { sendEvent, sendRaw } from './webhook-events.ts';
import { eachRow } from '#tests/each-row.ts';
import { reportFigures } from '#tests/figures.ts';
import { permutations } from '#tests/permutations.ts';
import { times } from '#tests/soak.ts';

const stack = await useStack();

beforeEach(() => {
  stack.mail.mails.length = 0;
});

const { openOrder } = stack;

test('a closed browser: the webhook alone completes the order and sends both e-mails', async () => {
  const { number, razorpayOrderId } = await openOrder();
  const { razorpay_payment_id: paymentId } = stack.razorpay.pay(razorpayOrderId);
  expect(await sendEvent(stack, 'payment.captured', paymentId)).toMatchObject({
    status: 200,
    json: { received: true },
  });
  expect(await stack.orderRow(number)).toMatchObject({
    status: 'COMPLETED',
    payment_id: paymentId,
    payment_method: 'card',
  });
  expect(stack.mail.mails).toHaveLength(2);
});

const deliveries = times(20, 100);
test.each([
  ['under one id', () => 'event_same'],
  ['under ids of their own', () => crypto.randomUUID()],
])(
  'one event delivered many times at once %s is one transition and one pair of e-mails',
  async (name, idOf) => {
    const { number, razorpayOrderId, ring } = await openOrder();
    const { razorpay_payment_id: paymentId } = stack.razorpay.pay(razorpayOrderId);
    stack.logs.length = 0;
    const ids = Array.from({ length: deliveries }, idOf);
    const answers = await Promise.all(
      ids.map((id) => sendEvent(stack, 'order.paid', paymentId, { id })),
    );
    // A busy machine lets some wait too long for the database: what is not taken comes again, as the provider does it.
    for (const [index, { status }] of answers.entries()) {
      if (status === 503)
        answers[index] = await sendEvent(stack, 'order.paid', paymentId, { id: ids[index] ?? '' });
    }
    // This call sends a mail that an earlier one could not finish.
    await stack.sql('update public.outbox set next_attempt_at = now() where sent_at is null');
    await sendOutbox();
    const transitions = stack.logs.filter((line) => line.includes('"outcome":"paid"')).length;
    const toCustomer = stack.mail.mails.filter(({ to }) =>
      to.includes('anjali@example.com'),
    ).length;
    reportFigures(4, {
      [`deliveries ${name}`]: deliveries,
      [`transitions ${name}`]: transitions,
      [`e-mails to the customer ${name}`]: toCustomer,
    });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await stack.orderRow(number)).toMatchObject({ status: 'COMPLETED' });
    expect(await stack.stockOf(ring)).toBe(4);
    expect([transitions, toCustomer]).toEqual([1, 1]);
    expect(stack.mail.mails).toHaveLength(2);
  },
);

const steps = [
  'payment.authorized',
  'payment.failed',
  'payment.captured',
  'order.paid',
  'verify',
] as const;

async function take(
  step: (typeof steps)[number],
  { customer }: OpenOrder,
  claim: ReturnType<Stack['razorpay']['pay']>,
): Promise<number> {
  const status =
    step === 'payment.authorized'
      ? 'authorized'
      : step === 'payment.failed'
        ? 'failed'
        : 'captured';
  if (step !== 'verify')
    return (await sendEvent(stack, step, claim.razorpay_payment_id, { payment: { status } }))
      .status;
  const body = JSON.stringify(claim);
  const headers = { 'content-type': 'application/json' };
  return (
    await stack.call(verifyEndpoint, '/api/payment/verify', {
      method: 'POST',
      token: customer.token,
      headers,
      body,
    })
  ).status;
}

test('events in any order, each twice, end in the same state with one pair of e-mails', async () => {
  // All of them in the long run, otherwise every twentieth.
  const orders = permutations(steps).filter((_, index) => index % times(20, 1) === 0);
  const states = new Set<string>();
  for (const [index, order] of orders.entries()) {
    stack.mail.mails.length = 0;
    const open = await openOrder();
    const claim = stack.razorpay.pay(open.razorpayOrderId);
    // Half of them double each event, half repeat the whole story.
    const told = index % 2 === 0 ? order.flatMap((step) => [step, step]) : [...order, ...order];
    for (const step of told) expect(await take(step, open, claim)).toBe(200);
    const { status, payment_status, hold_state } = await stack.orderRow(open.number);
    states.add(
      JSON.stringify({
        status,
        payment_status,
        hold_state,
        stock: await stack.stockOf(open.ring),
        // The long run has so many failed payments that the admin is also warned of stolen cards.
        mails: stack.mail.mails.filter(({ raw }) => !raw.includes('testing stolen cards')).length,
      }),
    );
  }
  reportFigures(7, { 'orders of five': orders.length, 'final states': states.size });
  expect([...states].map((state) => JSON.parse(state) as unknown)).toEqual([
    { status: 'COMPLETED', payment_status: 'COMPLETED', hold_state: 'taken', stock: 4, mails: 2 },
  ]);
});

test.each([
  { status: 'authorized' },
  { status: 'failed' },
  { status: 'captured', order_id: null },
  { amount: 'all' },
])('payment.captured with a payment that says %j pays nothing', async (payment) => {
  const { number, razorpayOrderId } = await openOrder();
  const { razorpay_payment_id: paymentId } = stack.razorpay.pay(razorpayOrderId);
  expect(await sendEvent(stack, 'payment.captured', paymentId, { payment })).toMatchObject({
    status: 200,
  });
  expect(await stack.orderRow(number)).toMatchObject({ status: 'PENDING', payment_id: null });
});

test('changed signatures and changed bodies are refused and write nothing', async () => {
  const { number, razorpayOrderId } = await openOrder();
  const { razorpay_payment_id: paymentId } = stack.razorpay.pay(razorpayOrderId);
  const attempts = [
    { signature: '' },
    { signature: 'f'.repeat(64) },
    { secret: 'another' },
    { signature: 'undefined' },
  ];
  for (const attempt of attempts) {
    expect(await sendEvent(stack, 'payment.captured', paymentId, attempt)).toMatchObject({
      status: 400,
      json: { error: 'bad_signature' },
    });
  }
  expect(await stack.orderRow(number)).toMatchObject({ status: 'PENDING' });
  expect(await stack.sql('select 1 from public.payments where payment_id = $1', paymentId)).toEqual(
    [],
  );
});

test('while secrets rotate the old one is accepted, afterwards it is refused', async () => {
  const { razorpayOrderId } = await openOrder();
  const { razorpay_payment_id: paymentId } = stack.razorpay.pay(razorpayOrderId);
  vi.stubEnv('RAZORPAY_WEBHOOK_SECRET', 'canary-new-webhook-secret');
  vi.stubEnv('RAZORPAY_WEBHOOK_SECRET_PREVIOUS', webhookSecret);
  const statusWith = async (secret: string): Promise<number> =>
    (await sendEvent(stack, 'payment.captured', paymentId, { secret })).status;
  const within = [await statusWith(webhookSecret), await statusWith('canary-new-webhook-secret')];
  vi.stubEnv('RAZORPAY_WEBHOOK_SECRET_PREVIOUS', '');
  const afterwards = [
    await statusWith(webhookSecret),
    await statusWith('canary-new-webhook-secret'),
  ];
  const accepted = (statuses: readonly number[]): number =>
    statuses.filter((status) => status === 200).length;
  reportFigures(23, {
    'secrets accepted within the window': accepted(within),
    'old ones accepted afterwards': accepted(afterwards.slice(0, 1)),
    'new ones accepted afterwards': accepted(afterwards.slice(1)),
  });
  expect([within, afterwards]).toEqual([
    [200, 200],
    [400, 200],
  ]);
  vi.stubEnv('RAZORPAY_WEBHOOK_SECRET', '');
  expect(await sendEvent(stack, 'payment.captured', paymentId, { secret: '' })).toMatchObject({
    status: 503,
  });
  vi.stubEnv('RAZORPAY_WEBHOOK_SECRET', webhookSecret);
});

test('a signed event of another site is accepted and ignored', () =>
  eachRow(
    ['{"event":"subscription.charged","payload":{}}', '{"event":"x"}', 'null', 'not json', '[]'],
    async (body) => {
      expect(await sendRaw(stack, body)).toMatchObject({ status: 200, json: { received: true } });
    },
  ));

test('with the database down the response makes the provider retry', async () => {
  const { number, razorpayOrderId } = await openOrder();
  const { razorpay_payment_id: paymentId } = stack.razorpay.pay(razorpayOrderId);
  stack.database.setDown(true);
  const answer = await sendEvent(stack, 'payment.captured', paymentId);
  stack.database.setDown(false);
  expect(answer.status).toBe(503);
  await sendEvent(stack, 'payment.captured', paymentId);
  expect(await stack.orderRow(number)).toMatchObject({ status: 'COMPLETED' });
});
