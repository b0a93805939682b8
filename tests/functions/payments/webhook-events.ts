import { createHmac } from 'node:crypto';
import webhookEndpoint from '#netlify/functions/payment-webhook.ts';
import { webhookSecret } from '#tests/functions/support/razorpay-server.ts';
import type { Answer, Stack } from '#tests/functions/support/stack.ts';

interface EventOptions {
  id?: string;
  secret?: string;
  signature?: string;
  /** Overwrites fields of the payment in the event, after the provider's own. */
  payment?: Record<string, unknown>;
}

/** Sends an event about a payment of the provider's to the webhook, signed as the provider signs it. */
export async function sendEvent(
  stack: Stack,
  event: string,
  paymentId: string,
  options: EventOptions = {},
): Promise<Answer> {
  const known = stack.razorpay.payments.find(({ id }) => id === paymentId);
  const entity = {
    entity: 'payment',
    ...known,
    captured: true,
    email: 'anjali@example.com',
    ...options.payment,
  };
  return sendRaw(
    stack,
    JSON.stringify({
      entity: 'event',
      event,
      contains: ['payment'],
      payload: { payment: { entity } },
    }),
    options,
  );
}

/** Sends any body to the webhook, signed unless a signature is given. */
export async function sendRaw(
  stack: Stack,
  body: string,
  { id = crypto.randomUUID(), secret = webhookSecret, signature }: EventOptions = {},
): Promise<Answer> {
  return stack.call(webhookEndpoint, '/api/payment/webhook', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-razorpay-event-id': id,
      'x-razorpay-signature': signature ?? createHmac('sha256', secret).update(body).digest('hex'),
    },
    body,
  });
}
