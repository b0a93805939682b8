import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { ConfigurationError, isTestKey, paymentEnv } from '#core/platform/env.ts';
import { PaymentProviderError } from '#core/payments/payment-provider-error.ts';
import { type PaymentProvider, createRazorpay } from '#core/payments/razorpay.ts';
import type { ProviderPayment } from '#core/payments/razorpay-entities.ts';
import { type Check, Skipped, type Target, valueOf } from './check.ts';
import { askFunction } from './live-site.ts';
import { callDatabase } from './read-database.ts';

function provider({ context }: Target): PaymentProvider {
  try {
    return createRazorpay(context);
  } catch (error) {
    if (error instanceof ConfigurationError)
      throw new Skipped('the keys cannot be used in this context.');
    throw error;
  }
}

const recentSeconds = 3 * 24 * 3600;
/** The shop captures within minutes, but a bank may take longer to authorise. */
const captureSeconds = 3600;
const now = (): number => Math.floor(Date.now() / 1000);

/** The newest payments of three days, until `to` (Unix seconds). Throws Skipped when Razorpay does not answer, which another check reports. */
async function recentPayments(target: Target, to = now()): Promise<readonly ProviderPayment[]> {
  const opened = provider(target);
  try {
    return (await opened.listPayments({ from: now() - recentSeconds, to, skip: 0 })).items;
  } catch (error) {
    if (error instanceof PaymentProviderError)
      throw new Skipped('Razorpay does not answer these keys.');
    throw error;
  }
}

/** The events that payments of a status cause, and what happened to these payments. */
const expectedEvents = [
  { event: 'payment.captured', statuses: ['captured', 'refunded'], word: 'captured' },
  { event: 'order.paid', statuses: ['captured', 'refunded'], word: 'captured' },
  { event: 'payment.failed', statuses: ['failed'], word: 'refused' },
] as const;

/** Whether the shop received an event of this name in the last three days. */
async function hasArrived(target: Target, event: string): Promise<boolean> {
  const query = new URLSearchParams({
    event: `eq.${event}`,
    received_at: `gte.${new Date((now() - recentSeconds) * 1000).toISOString()}`,
    select: 'event',
    limit: '1',
  });
  const answer = await callDatabase(
    target,
    'secret',
    `/rest/v1/webhook_events?${query.toString()}`,
  );
  if (!answer.ok) throw new Skipped('the database does not list the events that arrived.');
  return z.array(z.unknown()).parse(await answer.json()).length > 0;
}

/** How a cheap request to Razorpay fails; null when it does not. */
async function failureOfProvider(target: Target): Promise<PaymentProviderError | null> {
  try {
    await provider(target).listPayments({ from: now() - 60, to: now(), skip: 0 });
    return null;
  } catch (error) {
    if (error instanceof PaymentProviderError) return error;
    throw error;
  }
}

export const paymentChecks: readonly Check[] = [
  {
    name: 'The keys are of the kind that the context asks for',
    run({ context, ...target }) {
      const key = target.env['RAZORPAY_KEY_ID']?.trim() ?? '';
      if (key === '') return null;
      if (!/^rzp_(?:live|test|sandbox)_\w+$/u.test(key))
        return 'RAZORPAY_KEY_ID is not a key id of Razorpay.';
      try {
        paymentEnv(context);
        return null;
      } catch (error) {
        if (error instanceof ConfigurationError) return `${error.message}.`;
        throw error;
      }
    },
    fix: 'Production: rzp_live_…, and rzp_test_… until the shop opens. Previews: rzp_test_…. Netlify keeps a value for each context.',
  },
  {
    name: 'The shop is open to buy',
    run(target) {
      if (target.context !== 'production' || !isTestKey(valueOf(target, 'RAZORPAY_KEY_ID')))
        return null;
      const buyers = valueOf(target, 'TEST_BUYERS');
      return `The shop has no live keys: it is open to look at and closed to buy. ${buyers === '' ? 'Nobody' : `Only ${buyers}`} can place test orders.`;
    },
    fix: 'While you set the shop up this is right. When the test purchase is done, cancel the test orders at /admin, put the live keys in, and deploy (docs/going-live.md, step 10).',
  },
  {
    name: 'Razorpay answers',
    async run(target) {
      const failure = await failureOfProvider(target);
      return failure === null || failure.kind === 'refused'
        ? null
        : `Razorpay does not answer as it should (${failure.kind}, ${String(failure.status)}).`;
    },
    fix: 'The keys may be right: change nothing. Look at status.razorpay.com and at the network of this machine, and run the doctor again later.',
  },
  {
    name: 'Razorpay accepts the keys',
    async run(target) {
      const failure = await failureOfProvider(target);
      if (failure === null) return null;
      if (failure.kind !== 'refused') throw new Skipped('Razorpay does not answer.');
      return failure.status === 401
        ? 'Razorpay refuses the key id with this secret.'
        : `Razorpay refuses the request (${String(failure.status)}).`;
    },
    fix: 'Make new keys in the Razorpay dashboard (Account & Settings, API Keys) and set both together: the secret is shown once.',
  },
  {
    name: 'No payment waits to be captured',
    async run(target) {
      const waiting = (await recentPayments(target, now() - captureSeconds)).filter(
        ({ status }) => status === 'authorized',
      );
      return waiting.length === 0
        ? null
        : `${String(waiting.length)} payments of the last three days are authorised only, such as ${waiting[0]?.id ?? ''}.`;
    },
    fix: 'Every order asks for automatic capture. Razorpay: Account & Settings, Payment capture: turn on "automatic capture" as well, and look whether the sweep runs (docs/alerts.md).',
  },
  {
    name: 'The shop bears Razorpay’s fees',
    async run(target) {
      const paid = (await recentPayments(target)).find(
        ({ status, order_id: order }) => status === 'captured' && order !== null,
      );
      if (paid?.order_id == null)
        throw new Skipped(
          'no payment of the last three days shows it. Razorpay: Account & Settings, Fee bearer.',
        );
      const { amount } = await provider(target).fetchOrder(paid.order_id);
      return paid.amount > amount
        ? `Payment ${paid.id} is of more than its order: the fee was added to it, so the shop refunds every payment as another amount.`
        : null;
    },
    fix: 'Razorpay: Account & Settings, Fee bearer: choose the merchant. The platform fee of the shop is in its prices already.',
  },
  {
    name: 'The deployed webhook takes what this secret signs',
    async run(target) {
      const secret = valueOf(target, 'RAZORPAY_WEBHOOK_SECRET');
      if (secret === '') throw new Skipped('RAZORPAY_WEBHOOK_SECRET is not set.');
      // An event that the shop does not act on; it is read after its signature, and acknowledged.
      const body = JSON.stringify({ entity: 'event', event: 'shop.doctor', payload: {} });
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const headers = { 'content-type': 'application/json', 'x-razorpay-signature': signature };
      const status = await askFunction(target, '/api/payment/webhook', {
        method: 'POST',
        body,
        headers,
      });
      if (status === 200) return null;
      if (status === 400) return 'The site has another RAZORPAY_WEBHOOK_SECRET than this one.';
      return status === 503
        ? 'The site has no RAZORPAY_WEBHOOK_SECRET.'
        : `The webhook’s address answers ${String(status)}.`;
    },
    fix: 'Set the same secret in Netlify (production) and in the webhook in the Razorpay dashboard, then deploy: functions read variables of their deploy.',
  },
  {
    name: 'Razorpay sends every event that payments cause',
    async run(target) {
      const payments = (await recentPayments(target, now() - captureSeconds)).filter(
        ({ order_id: order }) => order !== null,
      );
      const caused = expectedEvents
        .map(({ event, statuses, word }) => {
          const count = payments.filter(({ status }) => statuses.some((one) => one === status));
          return { event, count: count.length, word };
        })
        .filter(({ count }) => count > 0);
      if (caused.length === 0)
        throw new Skipped('no payment of the last three days would have sent one.');
      const missing: string[] = [];
      for (const { event, count, word } of caused)
        if (!(await hasArrived(target, event)))
          missing.push(
            `No ${event} event has come in three days, although ${String(count)} ${count === 1 ? 'payment was' : 'payments were'} ${word}.`,
          );
      return missing.length === 0 ? null : missing.join(' ');
    },
    fix: 'Razorpay, Account & Settings, Webhooks, in the mode of your keys: one active webhook to /api/payment/webhook with all events of docs/going-live.md, step 9. Orders are paid without it as well, some minutes late.',
  },
];

/** Settings that only Razorpay's dashboard shows: its webhook API is for partners’ sub-merchants. */
export const razorpayDashboard = [
  'Razorpay, Account & Settings, Webhooks: one webhook to <site>/api/payment/webhook, active, with the secret of RAZORPAY_WEBHOOK_SECRET and the events payment.captured, payment.failed, order.paid, refund.created, refund.processed, refund.failed and payment.dispute.*. Its last delivery was answered with 200.',
  'Razorpay, Account & Settings, Fee bearer: the merchant. No API shows it before a payment is made.',
  'Razorpay, Account & Settings, Payment capture: automatic. Each order asks for it besides.',
  'Razorpay, Account & Settings, website: the domain of the site is on the list. Payments from in-app browsers come back to it.',
] as const;
