import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import * as z from 'zod';
import type { Handler } from '../http/handler.ts';
import { json } from '../http/handler.ts';
import { findOrder, parseInput } from './orders.ts';
import { attemptSchema, failOrder, failure, payOrder } from './payments.ts';
import { ProviderError } from './provider-error.ts';
import { readInput } from './read-input.ts';
import type { SandboxParts } from './sandbox.ts';
import { signPayment } from './signature.ts';

const dialogSchema = z.object({
  key: z.string(),
  order_id: z.string('Payment processing failed because order_id is missing'),
  ...attemptSchema.pick({ email: true, contact: true, description: true }).shape,
});

/** The script that defines `window.Razorpay`, and the calls that its dialog makes. */
export function checkoutRoutes(parts: SandboxParts): Handler {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/local/razorpay/checkout.js') return checkoutScript();
    if (request.method !== 'POST' || !pathname.startsWith('/local/razorpay/checkout/')) return undefined;
    const { key, order_id: orderId, ...given } = parseInput(dialogSchema, await readInput(request));
    if (key !== parts.keyId) throw new ProviderError('The api key provided is invalid', { status: 401 });
    const attempt = { ...attemptSchema.parse({}), ...given };
    switch (pathname.slice('/local/razorpay/checkout/'.length)) {
      case 'order': {
        const { amount, currency, status } = findOrder(parts.ledger, orderId);
        return json({ amount, currency, status });
      }
      case 'pay': {
        const { payment, events } = payOrder(parts.ledger, orderId, attempt);
        parts.webhooks.enqueue(events);
        return json({
          razorpay_payment_id: payment.id,
          razorpay_order_id: orderId,
          razorpay_signature: signPayment(orderId, payment.id, parts.keySecret),
        });
      }
      case 'fail': {
        const { payment, events } = failOrder(parts.ledger, orderId, attempt);
        parts.webhooks.enqueue(events);
        return json({
          error: {
            code: failure.error_code,
            description: failure.error_description,
            source: failure.error_source,
            step: failure.error_step,
            reason: failure.error_reason,
            metadata: { order_id: orderId, payment_id: payment.id },
          },
        });
      }
      default:
        return undefined;
    }
  };
}

async function checkoutScript(): Promise<Response> {
  const source = await readFile(join(import.meta.dirname, 'checkout.ts'), 'utf8');
  return new Response(stripTypes(source), {
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
  });
}

/** Takes the types away, without Node's notice that it calls this experimental: every start of this stack relies on it. */
function stripTypes(source: string): string {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
