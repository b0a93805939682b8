import type { Config } from '@netlify/functions';
import { afterResponse } from '#core/platform/background.ts';
import { webhookEnv } from '#core/platform/env.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { endpoint, json } from '#core/platform/http/http.ts';
import { sendOutboxAfterResponse } from '#core/mail/outbox.ts';
import { recordDispute, recordRefund } from '#core/payments/refunds.ts';
import { settlePaymentOrigins } from '#core/payments/payment-origin.ts';
import { configuredKeyId, getPaymentProvider } from '#core/payments/payment-provider.ts';
import { readBytes } from '#core/platform/http/request-body.ts';
import { markPaid } from '#core/payments/confirm-payment.ts';
import { isWebhookSignature } from '#core/payments/signature.ts';
import { noteFailedPayment, readWebhookEvent } from '#core/payments/webhook-event.ts';

/**
 * POST /api/payment/webhook: HMAC over the raw body first, then one SQL call. The provider wants a response within
 * 5 seconds and sends again otherwise, so mail goes out after the response.
 */
export default endpoint({
  route: 'payment/webhook',
  method: 'POST',
  anyOrigin: true,
  async handler({ request, context, addLogFields }) {
    const body = await readBytes(request);
    const env = webhookEnv();
    const secrets = [env.RAZORPAY_WEBHOOK_SECRET, env.RAZORPAY_WEBHOOK_SECRET_PREVIOUS];
    if (!isWebhookSignature(body, request.headers.get('x-razorpay-signature') ?? '', secrets)) {
      throw new HttpError(400, 'bad_signature', 'Signature does not match');
    }
    const id =
      /^[\w-]{1,100}$/u.exec(request.headers.get('x-razorpay-event-id') ?? '')?.[0] ?? null;
    const event = readWebhookEvent(body);
    addLogFields({
      event: event.event.replaceAll(/[^\w.-]/gu, '?').slice(0, 60),
      kind: event.kind,
    });
    if (event.kind === 'captured') {
      const outcome = await markPaid(event.payment, configuredKeyId(context), {
        id,
        name: event.event,
      });
      addLogFields({ outcome });
      if (outcome === 'unknown_order') {
        const { id: paymentId } = event.payment;
        await afterResponse(context, 'payment origin', () =>
          settlePaymentOrigins(getPaymentProvider({ context }), { paymentId }),
        );
      }
      // Each payment sends several events, and the first one has already sent the outbox.
      if (outcome !== 'already_paid' && outcome !== 'duplicate_event')
        await sendOutboxAfterResponse({ context });
    }
    if (event.kind === 'failed')
      addLogFields({ outcome: await noteFailedPayment(id, event.payment) });
    if (event.kind === 'refund') addLogFields({ known: await recordRefund(event.refund) });
    if (event.kind === 'dispute')
      addLogFields({
        known: await recordDispute(event.dispute, event.event.replace('payment.dispute.', '')),
      });
    if (event.kind === 'refund' || event.kind === 'dispute')
      await sendOutboxAfterResponse({ context });
    return json({ received: true });
  },
});

export const config: Config = { path: '/api/payment/webhook' };
