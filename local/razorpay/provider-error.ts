/** A refusal with the provider's own messages, in its shape. */
export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;

  constructor(
    description: string,
    options: { status?: number; code?: string; field?: string } = {},
  ) {
    super(description);
    this.status = options.status ?? 400;
    this.code = options.code ?? (this.status >= 500 ? 'SERVER_ERROR' : 'BAD_REQUEST_ERROR');
    this.field = options.field;
  }

  toResponse(): Response {
    const error = {
      code: this.code,
      description: this.message,
      source: this.status >= 500 ? 'internal' : 'business',
      step: 'payment_initiation',
      reason: this.status >= 500 ? 'server_error' : 'input_validation_failed',
      metadata: {},
      ...(this.field === undefined ? {} : { field: this.field }),
    };
    return Response.json({ error }, { status: this.status });
  }
}
