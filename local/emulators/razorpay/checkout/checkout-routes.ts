import * as z from 'zod';
import type { Handler } from '#local/emulators/http/handler.ts';
import { json } from '#local/emulators/http/handler.ts';
import { checkoutFile, checkoutPage } from './checkout-page.ts';
import { findOrder, parseInput } from '#local/emulators/razorpay/orders.ts';
import { attemptSchema, failOrder, failure, payOrder } from '#local/emulators/razorpay/payments.ts';
import { ProviderError } from '#local/emulators/razorpay/provider-error.ts';
import { readInput } from '#local/emulators/razorpay/read-input.ts';
import type { SandboxParts } from '#local/emulators/razorpay/sandbox-parts.ts';
import { signPayment } from '#local/emulators/razorpay/signature.ts';

const dialogSchema = z.object({
  key: z.string(),
  order_id: z.string('Payment processing failed because order_id is missing'),
  ...attemptSchema.pick({ email: true, contact: true, description: true }).shape,
});

const home = '/local/razorpay/';

/** The script that defines `window.Razorpay`, the page of its dialog, and the calls that both make. */
export function checkoutRoutes(parts: SandboxParts): Handler {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith(home)) return undefined;
    const path = pathname.slice(home.length);
    const file = await checkoutFile(path);
    if (file) return file;
    if (path === 'checkout/page') return checkoutPage(request, parts);
    if (request.method !== 'POST' || !path.startsWith('checkout/')) return undefined;
    // The real script reports each step to the provider; here nobody reads it.
    if (path === 'checkout/report') return new Response(null, { status: 204 });
    const { key, order_id: orderId, ...given } = parseInput(dialogSchema, await readInput(request));
    if (key !== parts.keyId)
      throw new ProviderError('The api key provided is invalid', { status: 401 });
    const attempt = { ...attemptSchema.parse({}), ...given };
    switch (path.slice('checkout/'.length)) {
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
