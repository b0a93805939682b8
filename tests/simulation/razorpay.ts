import type { SandboxPayment, SandboxRefund } from '#local/emulators/razorpay/entities.ts';
import { newId } from '#local/emulators/razorpay/entities.ts';
import { refundEvent, type NewEvent } from '#local/emulators/razorpay/events.ts';
import type { Records } from '#local/emulators/razorpay/ledger.ts';
import { capture, payOrder, type Attempt } from '#local/emulators/razorpay/payments.ts';
import { createRefund, refundUncaptured, settleRefund } from '#local/emulators/razorpay/refunds.ts';
import { sign, signPayment } from '#local/emulators/razorpay/signature.ts';
import { createMemorySandbox } from '#tests/memory-sandbox.ts';

export const keyId = 'rzp_sandbox_simulation';
export const keySecret = 'simulated-key-secret-0123456789';
export const webhookSecret = 'simulated-webhook-secret-0123456789';

/** An event that is to be delivered to the shop's webhook. */
export interface Delivery {
  event: string;
  id: string;
  body: string;
  signature: string;
}

/** Razorpay without a network: the rules and the API of the embedded sandbox over a ledger in memory. */
export interface SimulatedRazorpay {
  records: Records;
  /** Events that nobody has delivered yet. */
  deliveries: Delivery[];
  answer: (request: Request) => Promise<Response>;
  /** Decides whether a new refund is done at once or stays pending. */
  setPending: (isPending: () => boolean) => void;
  /** Checkout's result for the page. */
  pay: (
    orderId: string,
    attempt: Partial<Attempt>,
  ) => Record<'razorpay_order_id' | 'razorpay_payment_id' | 'razorpay_signature', string>;
  capture: (payment: SandboxPayment) => void;
  /** A payment that nobody captured goes back to the customer: https://razorpay.com/docs/payments/refunds/auto-refunds */
  expire: (payment: SandboxPayment) => void;
  refundByHand: (payment: SandboxPayment, amount: number) => void;
  finishRefund: (refund: SandboxRefund, succeeds: boolean) => void;
  pass: (seconds: number) => void;
  reset: () => void;
}

export function createRazorpay(): SimulatedRazorpay {
  const deliveries: Delivery[] = [];
  let isPending = (): boolean => false;

  const enqueue = (events: readonly NewEvent[]): void => {
    for (const { event, contains, payload } of events) {
      if (event === 'payment.authorized') continue;
      const body = JSON.stringify({ entity: 'event', event, contains, payload, created_at: 0 });
      deliveries.push({
        event,
        id: newId('evt').slice(4),
        body,
        signature: sign(body, webhookSecret),
      });
    }
  };
  const sandbox = createMemorySandbox({ keyId, keySecret, webhookSecret }, (events) => {
    (events.some(({ event }) => event.startsWith('refund.')) ? enqueueRefund : enqueue)(events);
  });
  const { ledger, records } = sandbox;
  const paymentOf = (refund: SandboxRefund): SandboxPayment => {
    const payment = records.payments.find(({ id }) => id === refund.payment_id);
    if (!payment) throw new Error(`No payment of ${refund.id}`);
    return payment;
  };
  /** The events of a new refund, which may stay pending: then a second event follows when it ends. */
  const enqueueRefund = (events: readonly NewEvent[]): void => {
    const [refund] = records.refunds;
    if (events.length === 0 || !refund || !isPending()) {
      enqueue(events);
      return;
    }
    refund.status = 'pending';
    enqueue([refundEvent('refund.created', refund, paymentOf(refund))]);
  };
  return {
    records,
    deliveries,
    answer: sandbox.answer,
    setPending(decide) {
      isPending = decide;
    },
    pay(orderId, attempt) {
      const { payment, events } = payOrder(ledger, orderId, {
        method: 'upi',
        status: 'captured',
        again: true,
        email: 'customer@example.com',
        contact: '+919999999999',
        description: null,
        ...attempt,
      });
      enqueue(events);
      return {
        razorpay_order_id: orderId,
        razorpay_payment_id: payment.id,
        razorpay_signature: signPayment(orderId, payment.id, keySecret),
      };
    },
    capture: (payment) => enqueue(capture(ledger, payment)),
    expire: (payment) => enqueue(refundUncaptured(ledger, payment)),
    refundByHand: (payment, amount) =>
      enqueueRefund(createRefund(ledger, payment.id, { amount }, null).events),
    finishRefund: (refund, succeeds) =>
      enqueue(settleRefund(ledger, refund.id, succeeds ? 'processed' : 'failed').events),
    pass(seconds) {
      for (const entity of [...records.orders, ...records.payments, ...records.refunds])
        entity.created_at -= seconds;
    },
    reset() {
      sandbox.reset();
      deliveries.length = 0;
      isPending = () => false;
    },
  };
}
