/** A refusal with the provider's own messages, in its shape. */
export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  readonly reason: string | undefined;

  constructor(
    description: string,
    options: { status?: number; code?: string; field?: string; reason?: string } = {},
  ) {
    super(description);
    this.status = options.status ?? 400;
    this.code = options.code ?? (this.status >= 500 ? 'SERVER_ERROR' : 'BAD_REQUEST_ERROR');
    this.field = options.field;
    this.reason = options.reason;
  }

  toResponse(): Response {
    // Razorpay names a source, a step and a reason for faults of the input alone.
    const isInput = this.status === 400;
    const error = {
      code: this.code,
      description: this.message,
      source: isInput ? 'business' : 'NA',
      step: isInput ? 'payment_initiation' : 'NA',
      reason: isInput ? (this.reason ?? 'input_validation_failed') : 'NA',
      metadata: {},
      ...(this.field === undefined ? {} : { field: this.field }),
    };
    return Response.json({ error }, { status: this.status });
  }
}
