import * as z from 'zod/mini';
import { ShownError } from '#domain/shown-error.ts';
import { ConnectionError, explainFault, readJson, request } from '#services/connection.ts';
import { timeLimit } from '#services/time-limit.ts';

/** Why a request with an order's mailed link failed, as a sentence to show. */
export class LinkError extends ShownError {
  override name = 'LinkError';
  /** The HTTP status; 0 when nothing answered. */
  readonly status: number;

  constructor(message: string, status: number, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

const timeoutMs = 120_000;

/** Posts to an endpoint of the shop and parses its answer. Throws LinkError with the endpoint's message. */
export async function postToLink<T>(
  path: string,
  headers: Readonly<Record<string, string>>,
  body: BodyInit | null,
  schema: z.ZodMiniType<T>,
): Promise<T> {
  const signal = timeLimit(timeoutMs);
  const response = await request(path, { method: 'POST', headers, body, signal }).catch(
    (error: unknown) => {
      const isOffline = error instanceof ConnectionError || !navigator.onLine;
      const status = isOffline ? 0 : 500;
      throw new LinkError(explainFault(error, 'There is no connection.'), status, error);
    },
  );
  const answer = await readJson(response).catch(() => null);
  if (!response.ok) {
    const { message } = z
      .catch(z.object({ message: z.string() }), { message: 'Please try again.' })
      .parse(answer);
    throw new LinkError(message, response.status);
  }
  return schema.parse(answer);
}
