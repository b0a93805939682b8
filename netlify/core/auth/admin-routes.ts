import type { Context } from '@netlify/functions';
import type * as z from 'zod/mini';
import { matchPath, type Endpoint } from '#domain/admin/endpoint.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { ConfigurationError } from '#core/platform/env.ts';
import { endpoint, json, type RequestContext } from '#core/platform/http/http.ts';
import { mediaType, readJson } from '#core/platform/http/request-body.ts';
import { requireAdmin, type AdminSession } from './admin-session.ts';

/** The context of an admin endpoint's handler. */
export interface AdminContext extends RequestContext {
  url: URL;
  /** The values of the path's parameters. */
  params: Readonly<Record<string, string>>;
  session: AdminSession;
}

/** What one method of one path of the admin's function does. */
export interface AdminRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** A template, e.g. '/api/admin/orders/:id'. */
  path: string;
  /** Media type of changing requests. A form has its page's origin as the others have. */
  takes: keyof typeof carried;
  respond: (ctx: AdminContext) => Promise<Response>;
}

/**
 * A route of an endpoint that both sides know: its body is parsed, and its answer is checked by the types.
 *
 * @param maxBytes - Of the body; 64 KB by default.
 */
export const answer = <Body extends z.ZodMiniType, Answer extends z.ZodMiniType>(
  { method, path, body }: Endpoint<Body, Answer>,
  handle: (ctx: AdminContext & { body: z.output<Body> }) => Promise<z.input<Answer>>,
  maxBytes?: number,
): AdminRoute => ({
  method,
  path,
  takes: 'json',
  async respond(ctx) {
    const parsed = body === null ? null : await readJson(ctx.request, body, maxBytes);
    return json(await handle({ ...ctx, body: parsed as z.output<Body> }));
  },
});

/** A route with another response than JSON: a page, a file, an image. */
export const respond = (
  { method, path }: Pick<AdminRoute, 'method' | 'path'>,
  handle: AdminRoute['respond'],
  takes: AdminRoute['takes'] = 'json',
): AdminRoute => ({ method, path, takes, respond: handle });

/** Throws 403 unless the Origin header names this site. Stricter than `endpoint`, which also accepts requests without an Origin. */
export function requireOwnOrigin(request: Request): void {
  if (request.headers.get('origin') === new URL(request.url).origin) return;
  throw new HttpError(403, 'forbidden_origin', 'Please use the shop’s own page.');
}

const carried = {
  json: { type: /^application\/json$/u, otherwise: 'Send JSON.' },
  images: {
    type: /^image\//u,
    otherwise: 'Please choose a picture: JPEG, PNG, WebP or AVIF.',
  },
  form: { type: /^application\/x-www-form-urlencoded$/u, otherwise: 'Send a form.' },
} as const;

/** A form of another site cannot send JSON or images without a preflight request, which is refused. */
function requireType(request: Request, takes: keyof typeof carried): void {
  const { type, otherwise } = carried[takes];
  if (type.test(mediaType(request))) return;
  throw new HttpError(415, 'unsupported_media_type', otherwise);
}

/** Gives unexpected errors a message for the admin. */
function explainedError(error: unknown): unknown {
  if (error instanceof HttpError || error instanceof ConfigurationError) return error;
  const sentence =
    'Something went wrong on our side. Please reload the page to see the current state.';
  return new HttpError(500, 'unexpected', sentence, {}, error);
}

/**
 * Makes a Netlify function of the admin's routes. In this order: the path (404), the method (405), the session (401), and
 * for everything that may change something the page's own origin (403) and type (415). No response is cached.
 */
export function adminFunction(
  routes: readonly AdminRoute[],
): (request: Request, context: Context) => Promise<Response> {
  return (request, context) => {
    const url = new URL(request.url);
    const path = url.pathname.replace(/\/$/u, '');
    const found = routes.flatMap((route) => {
      const params = matchPath(route.path, path);
      return params === null ? [] : [{ ...route, params }];
    });
    const [first] = found;
    const serve = endpoint({
      // Its name in the log, e.g. 'admin/orders/:id/refund'.
      route: first === undefined ? 'admin' : first.path.replace('/api/', ''),
      method: found.map(({ method }) => method),
      async handler(ctx) {
        try {
          const session = await requireAdmin(request);
          const route = found.find(({ method }) => method === request.method);
          if (!route) throw new HttpError(405, 'method_not_allowed', 'This cannot be done here.');
          if (request.method !== 'GET') {
            requireOwnOrigin(request);
            requireType(request, route.takes);
          }
          const response = await route.respond({ ...ctx, url, params: route.params, session });
          response.headers.set('cache-control', 'no-store');
          return response;
        } catch (error) {
          throw explainedError(error);
        }
      },
    });
    return first === undefined ? notFound(request, context) : serve(request, context);
  };
}

const notFound = endpoint({
  route: 'admin',
  method: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
  handler: () =>
    Promise.reject(new HttpError(404, 'not_found', 'There is no such address. Reload the page.')),
});
