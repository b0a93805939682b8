import type { Context } from '@netlify/functions';
import { HttpError } from '../platform/http/http-error.ts';
import { ConfigurationError } from '../platform/env.ts';
import { endpoint, type RequestContext } from '../platform/http/http.ts';
import { mediaType } from '../platform/http/request-body.ts';
import { requireAdmin, type AdminSession } from './admin-session.ts';

/** The context of an admin endpoint's handler. */
export interface AdminContext extends RequestContext {
  url: URL;
  session: AdminSession;
}

export type AdminHandler = (ctx: AdminContext) => Promise<Response>;
type AdminMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface AdminEndpoint {
  /** As in the log, e.g. 'admin/products'. */
  route: string;
  handlers: Partial<Record<AdminMethod, AdminHandler>>;
  /** Media type of changing requests; JSON by default. A form has its page's origin as the others have. */
  takes?: 'json' | 'images' | 'form';
}

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
 * Makes a Netlify function of the admin handlers. In this order: the method (405), the session (401), and for
 * everything that may change something the page's own origin (403) and type (415). No response is cached.
 */
export function adminEndpoint({
  route,
  handlers,
  takes = 'json',
}: AdminEndpoint): (request: Request, context: Context) => Promise<Response> {
  return endpoint({
    route,
    method: Object.keys(handlers) as AdminMethod[],
    async handler(ctx) {
      const { request } = ctx;
      try {
        const session = await requireAdmin(request);
        if (request.method !== 'GET') {
          requireOwnOrigin(request);
          requireType(request, takes);
        }
        const handler = handlers[request.method as AdminMethod];
        if (!handler) throw new HttpError(405, 'method_not_allowed', 'This cannot be done here.');
        const response = await handler({ ...ctx, url: new URL(request.url), session });
        response.headers.set('cache-control', 'no-store');
        return response;
      } catch (error) {
        throw explainedError(error);
      }
    },
  });
}
