/** An error response. Throw it anywhere below an endpoint. */
export class HttpError extends Error {
  override name = 'HttpError';
  readonly status: number;
  /** The name of the fault for programs, e.g. 'price_changed'. `message` is for people. */
  readonly code: string;
  /** Further fields of the JSON response. Never secrets, never another person's data. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    fields: Readonly<Record<string, unknown>> = {},
    cause?: unknown,
  ) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

/** 503 for a part of the shop that cannot be reached now. */
export function unavailable(cause?: unknown): HttpError {
  return new HttpError(
    503,
    'unavailable',
    'The shop cannot be reached right now. Please try again in a moment.',
    {},
    cause,
  );
}
