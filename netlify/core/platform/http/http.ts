import type { Context } from '@netlify/functions';
import { causeOf } from '#core/platform/cause-of.ts';
import { ConfigurationError } from '#core/platform/env.ts';
import { HttpError, unavailable } from './http-error.ts';
import { logLine } from '#core/platform/log.ts';

/** The arguments of a handler. */
export interface RequestContext {
  request: Request;
  context: Context;
  requestId: string;
  /** Adds fields to the request's one log line: ids and outcomes, no personal data, no secrets. */
  addLogFields: (fields: Readonly<Record<string, string | number | boolean | null>>) => void;
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';

export interface Endpoint {
  /** Its name in the log, e.g. 'payment/verify'. */
  route: string;
  method: Method | readonly Method[];
  /** Set for requests from other servers or their pages, which are authenticated by their bodies. */
  anyOrigin?: boolean;
  handler: (ctx: RequestContext) => Promise<Response>;
}

const unexpected = new HttpError(
  500,
  'unexpected',
  'Something went wrong on our side. If you have paid, your payment is safe and your order will be confirmed by e-mail.',
);

/** The headers of netlify.toml that are for every response. They do not apply to those of functions. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'content-security-policy': "frame-ancestors 'none'",
  'x-frame-options': 'DENY',
} as const;

/** A JSON response that is not cached. */
export function json(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } });
}

/** Any thrown value as the refusal that is answered. Unknown values become a 500 without their text. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (!(error instanceof ConfigurationError)) return unexpected;
  return error.sentence === null
    ? unavailable(error)
    : new HttpError(503, 'not_configured', error.sentence, {}, error);
}

/** What the log says of a request that failed: the refusal's code, and the cause of one that is a fault of the shop. */
export function failureFields(error: unknown): { error: string; cause?: string } {
  const { code, status } = toHttpError(error);
  return { error: code, ...(status >= 500 ? { cause: causeOf(error) } : {}) };
}

/**
 * Throws 403 for a request that may change something and comes from a page of another site. Programs and mail providers
 * name no origin; browsers do.
 */
function refuseForeignPage({ method, headers, url }: Request): void {
  if (method === 'GET' || method === 'HEAD') return;
  const origin = headers.get('origin');
  if (
    origin === null
      ? headers.get('sec-fetch-site') !== 'cross-site'
      : origin === new URL(url).origin
  )
    return;
  throw new HttpError(403, 'forbidden_origin', 'Please use the shop’s own page.');
}

/**
 * Makes a Netlify function of a handler: checks the method and, of what may change something, the origin; gives the
 * request an id (header `x-request-id`), answers errors as JSON `{message, error, request_id}`, and writes one log line
 * a request.
 */
export function endpoint({
  route,
  method,
  anyOrigin = false,
  handler,
}: Endpoint): (request: Request, context: Context) => Promise<Response> {
  const allowed: readonly string[] = typeof method === 'string' ? [method] : method;
  return async (request, context) => {
    const started = performance.now();
    const requestId = crypto.randomUUID();
    const fields: Record<string, string | number | boolean | null> = {};
    const addLogFields: RequestContext['addLogFields'] = (more) => Object.assign(fields, more);
    let response: Response;
    try {
      if (!allowed.includes(request.method)) {
        throw new HttpError(405, 'method_not_allowed', `Use ${allowed.join(' or ')}.`);
      }
      if (!anyOrigin) refuseForeignPage(request);
      response = await handler({ request, context, requestId, addLogFields });
    } catch (error) {
      const refusal = toHttpError(error);
      addLogFields(failureFields(error));
      response = json(
        { ...refusal.fields, message: refusal.message, error: refusal.code, request_id: requestId },
        refusal.status,
      );
      if (refusal.status === 405) response.headers.set('allow', allowed.join(', '));
      if (refusal.status === 503) response.headers.set('retry-after', '10');
    }
    response.headers.set('x-request-id', requestId);
    for (const [name, value] of Object.entries(securityHeaders))
      if (!response.headers.has(name)) response.headers.set(name, value);
    logLine({
      id: requestId,
      route,
      status: response.status,
      ms: Math.round(performance.now() - started),
      ...fields,
    });
    return response;
  };
}
