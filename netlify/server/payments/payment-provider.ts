import { ConfigurationError, isProduction, isTestKey } from '../platform/env.ts';
import { HttpError } from '../platform/http/http-error.ts';
import type { RequestContext } from '../platform/http/http.ts';
import { PaymentProviderError } from './payment-provider-error.ts';
import { createRazorpay, type PaymentProvider } from './razorpay.ts';

/** The payment provider for a request. Throws ConfigurationError without keys, or with the sandbox's in production. */
export function getPaymentProvider({ context }: Pick<RequestContext, 'context'>): PaymentProvider {
  // Outside Netlify, `deploy` is undefined despite its type.
  const { deploy } = context as { deploy?: { context?: string } };
  return createRazorpay(deploy?.context);
}

/** Whether the live site accepts test payments (ALLOW_TEST_PAYMENTS). Every admin page shows it. */
export function takesTestPayments(context: RequestContext['context']): boolean {
  const { deploy } = context as { deploy?: { context?: string } };
  const keyId = configuredKeyId(context);
  return keyId !== null && isTestKey(keyId) && isProduction(deploy?.context);
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
