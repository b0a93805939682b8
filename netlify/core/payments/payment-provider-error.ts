/**
 * A failed call of the payment provider.
 * - `unreachable`: no whole answer (refused connection, reset, time-out): it may have done it.
 * - `failed`: a 5xx, or an answer that cannot be read: it may have done it.
 * - `refused`: a 4xx: it did not do it. 408 and 409 are `failed`: a proxy, or an earlier try of the same call that is
 *   still at work, may yet have its effect.
 */
export class PaymentProviderError extends Error {
  override name = 'PaymentProviderError';
  readonly kind: 'unreachable' | 'failed' | 'refused';
  readonly status: number;
  readonly code: string;

  constructor(kind: PaymentProviderError['kind'], status: number, code: string) {
    super(`Payment provider ${kind} (${String(status)} ${code})`);
    this.kind = kind;
    this.status = status;
    this.code = code;
  }

  /** Whether the call may have taken effect without a response. */
  get mayHaveHappened(): boolean {
    return this.kind !== 'refused';
  }

  /** Whether the provider does not know the requested id. */
  get isUnknownId(): boolean {
    return this.kind === 'refused' && (this.status === 400 || this.status === 404);
  }
}

/**
 * Refused credentials. Razorpay's documentation gives them status 401 on one page and 400 on others. 400 is also an id that Razorpay
 * does not know, which ends an order: a wrong key must never end one.
 */
const refusedKeys = /authentication failed|\bapi\b.*\binvalid\b/iu;

/** Converts an error of the SDK, or any other value, to a PaymentProviderError. Leaves out the provider's own text. */
export function toProviderError(thrown: unknown): PaymentProviderError {
  if (thrown instanceof PaymentProviderError) return thrown;
  const { statusCode, error } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as {
    statusCode?: unknown;
    error?: { code?: unknown; description?: unknown } | null;
  };
  const answered = typeof statusCode === 'number' ? statusCode : 0;
  const { description } = error ?? {};
  const isKeys =
    answered === 400 && typeof description === 'string' && refusedKeys.test(description);
  const status = isKeys ? 401 : answered;
  const code = typeof error?.code === 'string' ? error.code.slice(0, 60) : 'none';
  if (status === 0) return new PaymentProviderError('unreachable', 0, code);
  const refused = status >= 400 && status < 500 && status !== 408 && status !== 409;
  return new PaymentProviderError(refused ? 'refused' : 'failed', status, code);
}
