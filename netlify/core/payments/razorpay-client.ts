import type * as z from 'zod/mini';
import { PaymentProviderError, toProviderError } from './payment-provider-error.ts';

interface Client {
  defaults: { baseURL?: string; maxRedirects?: number; maxContentLength?: number };
  interceptors: {
    request: { use: (change: (config: { signal?: AbortSignal }) => unknown) => void };
    response: {
      use: (pass: (answer: unknown) => unknown, fail: (error: unknown) => unknown) => void;
    };
  };
  post: (
    path: string,
    body: unknown,
    config: { headers: Record<string, string> },
  ) => Promise<{ data: unknown }>;
}

/**
 * The SDK has no option for its address, for time-outs or for this header, and breaks on errors without an answer
 * (it reads `response.status` of undefined). Its HTTP client is reachable, so all of that is set there.
 */
export function configureClient(sdk: { api: unknown }, baseUrl: string, timeoutMs: number): Client {
  const { rq } = sdk.api as { rq: Client };
  rq.defaults.baseURL = baseUrl.replace(/\/+$/u, '');
  rq.defaults.maxRedirects = 0;
  rq.defaults.maxContentLength = 1_000_000;
  rq.interceptors.request.use((config) =>
    Object.assign(config, { signal: AbortSignal.timeout(timeoutMs) }),
  );
  rq.interceptors.response.use(
    (answer) => answer,
    (error: unknown) => {
      const { response, code } = error as {
        response?: { status: number; data?: unknown };
        code?: string;
      };
      const answer = {
        status: response?.status ?? 0,
        data: { error: errorOf(response?.data) ?? { code } },
      };
      // The SDK reads `response` of it, `toProviderError` the rest.
      throw Object.assign(new Error('No answer of success'), {
        response: answer,
        statusCode: answer.status,
        error: answer.data.error,
      });
    },
  );
  return rq;
}

const errorOf = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'error' in data ? data.error : null;

/** Returns the id when it has its form. Throws a PaymentProviderError: ids go into paths, unescaped by the SDK. */
export function checkId(schema: z.ZodMiniType<string>, id: string): string {
  const parsed = schema.safeParse(id);
  if (parsed.success) return parsed.data;
  throw new PaymentProviderError('refused', 400, 'BAD_ID');
}

/** Calls the provider and parses its answer. Throws a PaymentProviderError, whatever happens. */
export async function ask<T>(call: () => Promise<unknown>, schema: z.ZodMiniType<T>): Promise<T> {
  let answer: unknown;
  try {
    answer = await call();
  } catch (error) {
    throw toProviderError(error);
  }
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new PaymentProviderError('failed', 200, 'UNREADABLE');
}
