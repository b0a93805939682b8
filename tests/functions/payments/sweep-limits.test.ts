import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Context } from '@netlify/functions';
import { beforeEach, expect, test, vi } from 'vitest';
import { runSweep, type StageLimits, type SweepRun } from '#core/scheduled/run-sweep.ts';
import { useStack, type Customer } from '#tests/functions/support/stack.ts';
import { dueOrders } from './due-orders.ts';
import { sendEvent } from './webhook-events.ts';

const stack = await useStack();
let customer: Customer;

beforeEach(async () => {
  customer = await stack.signUp();
  stack.mail.reset();
  stack.razorpay.reset();
});

const { openOrder } = dueOrders(() => ({ stack, customer }));

interface HangingMailServer {
  url: string;
  /** Ends its connections and takes no more. */
  close: () => Promise<void>;
}

/** A mail server that takes connections, greets, and never answers again. */
async function startHangingMailServer(): Promise<HangingMailServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write('220 mail.example ESMTP\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** Shorter than the platform's; only the parts that hang come to the end of their stage. */
const limits: StageLimits = {
  alerts: [0, 5_000],
  first: [2_500, 5_000],
  second: [7_000, 8_000],
  last: [12_000, 14_000],
  heartbeat: [0, 18_000],
};

const run = (): Promise<SweepRun> =>
  runSweep(
    {
      request: new Request('https://kasavu.example/.netlify/functions/payment-sweep', {
        method: 'POST',
        body: '{}',
      }),
      context: {} as Context,
    },
    limits,
  );

/** An order that was paid twice: a refund is due, and mails wait. */
async function paidTwice(): Promise<void> {
  const { razorpayOrderId } = await openOrder();
  for (let count = 0; count < 2; count += 1) {
    const { razorpay_payment_id: payment } = stack.razorpay.pay(razorpayOrderId);
    await sendEvent(stack, 'payment.captured', payment);
  }
}

const lastSweep = async (): Promise<unknown> =>
  (await stack.sql(`select last_at from public.heartbeats where name = 'sweep'`))[0]?.['last_at'];

test('a mail server that greets and then hangs keeps nothing else from being done in the same run', async () => {
  stack.mail.setRefusing(true);
  await paidTwice();
  await stack.sql(`update public.outbox set attempts = 0, next_attempt_at = now()`);
  const hanging = await startHangingMailServer();
  vi.stubEnv('SMTP_URL', hanging.url);
  const [before, began] = [await lastSweep(), performance.now()];
  expect(await run()).toMatchObject({
    refunds: { requested: 1 },
    mail: null,
    orders: { checked: 0 },
    creditNotes: 0,
  });
  expect(performance.now() - began).toBeLessThan(limits.heartbeat[1]);
  expect(await lastSweep()).not.toEqual(before);
  await hanging.close();
  vi.stubEnv('SMTP_URL', stack.mail.url);
  // One mail was tried in each stage; the others have not been tried, and wait for no lease.
  const tried = `select attempts from public.outbox where sent_at is null and last_error like 'unreachable %'`;
  await vi.waitFor(async () => {
    expect(await stack.sql(tried)).toEqual([{ attempts: 1 }, { attempts: 1 }]);
  });
  stack.mail.setRefusing(false);
  // The first that is sent brings forward those that found no mail server.
  expect(await run()).toMatchObject({ mail: { failed: 0 } });
  expect(await stack.sql(tried)).toEqual([]);
});

test('a payment service that hangs keeps neither mail nor the end of the run waiting', async () => {
  await paidTwice();
  const leftBehind = 'select state, last_error from public.refunds order by id desc limit 1';
  await stack.sql('delete from public.reconciliations');
  for (const call of ['GET /v1/payments', 'POST /v1/payments'])
    stack.razorpay.faults.push({ call, fault: 'slow' });
  stack.mail.setRefusing(false);
  const before = await lastSweep();
  expect(await run()).toMatchObject({ refunds: null, reconciled: null, creditNotes: 0 });
  expect(await lastSweep()).not.toEqual(before);
  expect(await run()).toMatchObject({ reconciled: { payments: 2, isFinished: true } });
  // The call that was left behind ends by itself, and its refund is due again.
  await vi.waitFor(
    async () => {
      expect(await stack.sql(leftBehind)).toEqual([
        { state: 'due', last_error: 'unreachable ERR_CANCELED' },
      ]);
    },
    { timeout: 15_000, interval: 200 },
  );
});
