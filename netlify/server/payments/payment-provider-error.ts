/**
 * The payment provider did not do what was asked.
 * - `unreachable`: no complete response (refused connection, reset, time-out): it may have done it.
 * - `failed`: a 5xx, or a response that cannot be read: it may have done it.
 * - `refused`: a 4xx: it did not do it.
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

  /** Whether the call may have had its effect although no response says so. */
  get mayHaveHappened(): boolean {
    return this.kind !== 'refused';
  }
}

/** What the SDK throws, or any other value, as a PaymentProviderError. The provider's own text is left out. */
export function toProviderError(thrown: unknown): PaymentProviderError {
  if (thrown instanceof PaymentProviderError) return thrown;
  const { statusCode, error } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as {
    statusCode?: unknown;
    error?: { code?: unknown } | null;
  };
  const status = typeof statusCode === 'number' ? statusCode : 0;
  const code = typeof error?.code === 'string' ? error.code.slice(0, 60) : 'none';
  if (status === 0) return new PaymentProviderError('unreachable', 0, code);
  // 408 and 429 say "not now"; a proxy may have said so after the call went through.
  const refused = status >= 400 && status < 500 && status !== 408;
  return new PaymentProviderError(refused ? 'refused' : 'failed', status, code);
}
