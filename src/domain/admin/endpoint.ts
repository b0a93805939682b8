import type * as z from 'zod/mini';

/**
 * A JSON endpoint of the admin page, defined once: the page calls it (`callAdmin` of src/services/admin/api.ts) and the
 * server answers it (`answer` of netlify/core/auth/admin-routes.ts). Both parse what they receive by its schemas.
 */
export interface Endpoint<
  Body extends z.ZodMiniType,
  Answer extends z.ZodMiniType,
  Conflict extends z.ZodMiniType = z.ZodMiniType,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path with its parameters, e.g. '/api/admin/orders/:id/refund'. */
  readonly path: string;
  /** Null for a request without a body. */
  readonly body: Body | null;
  readonly answer: Answer;
  /** What a refusal with 409 carries besides its code and message; null for nothing. */
  readonly conflict: Conflict | null;
}

/** An endpoint that only reads. */
export const reads = <Answer extends z.ZodMiniType>(
  path: string,
  answer: Answer,
): Endpoint<never, Answer, never> => ({ method: 'GET', path, body: null, answer, conflict: null });

/** An endpoint that changes something, e.g. `changes('PUT', '/api/admin/notice', body, answer)`. */
export const changes = <
  Body extends z.ZodMiniType,
  Answer extends z.ZodMiniType,
  Conflict extends z.ZodMiniType = never,
>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body: Body,
  answer: Answer,
  conflict: Conflict | null = null,
): Endpoint<Body, Answer, Conflict> & { readonly body: Body } => ({
  method,
  path,
  body,
  answer,
  conflict,
});

/** The values of a template's parameters, e.g. `{id: '1001'}`; null when the path is another one. */
export function matchPath(template: string, path: string): Record<string, string> | null {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':') && value !== '') params[part.slice(1)] = value;
    else if (part !== value) return null;
  }
  return params;
}

/** The path with these values in place of its parameters. */
export const fillPath = (
  template: string,
  params: Readonly<Record<string, string | number>> = {},
): string =>
  template.replace(/:(\w+)/gu, (_match, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  );
