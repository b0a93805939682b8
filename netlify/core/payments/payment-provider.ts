import type { CheckoutState } from '#domain/checkout/checkout-state.ts';
import {
  ConfigurationError,
  isProduction,
  isTestKey,
  razorpayKeyId,
  testBuyersEnv,
} from '#core/platform/env.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import type { RequestContext } from '#core/platform/http/http.ts';
import { PaymentProviderError } from './payment-provider-error.ts';
import { createRazorpay, type PaymentProvider } from './razorpay.ts';

/** The payment provider for an order that exists. Throws ConfigurationError without keys, or with the sandbox's in production. */
export function getPaymentProvider({ context }: Pick<RequestContext, 'context'>): PaymentProvider {
  // Outside Netlify, `deploy` is undefined despite its type.
  const { deploy } = context as { deploy?: { context?: string } };
  return createRazorpay(deploy?.context);
}

/** Whether the site sells: production with live keys alone. A deploy of another kind takes no real money, and lets everybody try. */
export function checkoutState(context: RequestContext['context']): CheckoutState {
  const { deploy } = context as { deploy?: { context?: string } };
  const keyId = razorpayKeyId();
  if (keyId === null) return 'closed';
  return isTestKey(keyId) && isProduction(deploy?.context) ? 'test' : 'open';
}

/**
 * The provider for a new order of whoever has this address, which is null when nobody has confirmed it. Every new order comes
 * this way. Throws HttpError 403 `not_open` with `sentence` before the shop sells, unless TEST_BUYERS names the address;
 * ConfigurationError when the keys are not whole.
 */
export function providerForOrder(
  { context }: Pick<RequestContext, 'context'>,
  address: string | null,
  sentence: string,
): PaymentProvider {
  const state = checkoutState(context);
  if (
    state === 'closed' ||
    (state === 'test' && !testBuyersEnv().TEST_BUYERS.includes((address ?? '').toLowerCase()))
  )
    throw new HttpError(403, 'not_open', sentence);
  return getPaymentProvider({ context });
}

/** The API key in use, null when payments are not configured: a webhook is recorded all the same. */
export function configuredKeyId(context: RequestContext['context']): string | null {
  try {
    return getPaymentProvider({ context }).keyId;
  } catch (error) {
    if (error instanceof ConfigurationError) return null;
    throw error;
  }
}

/** A provider's failure as 502 with the spec's kind of message; other errors as they are. */
export function toPaymentHttpError(error: unknown): unknown {
  if (!(error instanceof PaymentProviderError)) return error;
  return new HttpError(
    502,
    'payment_provider',
    error.kind === 'refused'
      ? 'The payment service rejected this order. You have not been charged. Please write to us, or try again later.'
      : 'The payment service did not answer. You have not been charged.',
    {},
    error,
  );
}
