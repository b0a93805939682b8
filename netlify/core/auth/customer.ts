import * as z from 'zod/mini';
import { database } from '#core/platform/database.ts';
import { HttpError, unavailable } from '#core/platform/http/http-error.ts';
import { mediaType, readBytes } from '#core/platform/http/request-body.ts';

export interface Customer {
  id: string;
  email: string;
  /** When the address was confirmed; null while it is not. */
  confirmedAt: string | null;
}

const userSchema = z.object({
  id: z.guid(),
  email: z._default(z.string(), ''),
  email_confirmed_at: z.nullish(z.string()),
});

/** Responses of the auth server that mean "not this token"; 429 and 5xx mean "not now". */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 422]);

/** Far above a token of Supabase, which has about 1,000 characters. */
const maxTokenLength = 8_192;

const claimsSchema = z.object({ sub: z.guid(), exp: z.number() });

/** Whether a text may be a valid token. The auth server is only called for these. */
function mayBeToken(token: string, now = Date.now()): boolean {
  if (token.length > maxTokenLength) return false;
  try {
    const claims: unknown = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    );
    const { exp } = claimsSchema.parse(claims);
    // Allows a minute of clock skew; the auth server decides.
    return exp * 1000 > now - 60_000;
  } catch {
    return false;
  }
}

/**
 * The signed-in customer of a request. The auth server checks the token, so that one of a signed-out or deleted user does not
 * pass. Throws 401 "Please sign in to {purpose}." without a valid token, 503 when the auth server cannot be reached.
 */
export async function requireCustomer(request: Request, purpose: string): Promise<Customer> {
  const signIn = (): HttpError =>
    new HttpError(401, 'unauthorized', `Please sign in to ${purpose}.`);
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/u.exec(
    request.headers.get('authorization') ?? '',
  )?.[1];
  if (token === undefined || !mayBeToken(token)) throw signIn();
  const { data, error } = await database().auth.getUser(token);
  if (error !== null) {
    throw refusals.has(error.status ?? 0) ? signIn() : unavailable(error);
  }
  const user = userSchema.safeParse(data.user);
  if (!user.success) throw signIn();
  const { id, email, email_confirmed_at: confirmedAt = null } = user.data;
  return { id, email, confirmedAt };
}

/** The signed-in customer of a request that works without one too; null for a visitor and for a token that has expired. */
export async function findCustomer(request: Request): Promise<Customer | null> {
  if (!request.headers.has('authorization')) return null;
  try {
    return await requireCustomer(request, 'continue');
  } catch (error) {
    if (error instanceof HttpError && error.status === 401) return null;
    throw error;
  }
}

/** A request as `requireCustomer` reads it, from a form that carries the token in its field `token`. Throws 415 for anything else. */
export async function readFormToken(request: Request): Promise<Request> {
  if (mediaType(request) !== 'application/x-www-form-urlencoded') {
    throw new HttpError(415, 'unsupported_media_type', 'Send a form.');
  }
  const form = new URLSearchParams(new TextDecoder().decode(await readBytes(request)));
  return new Request(request.url, {
    headers: { authorization: `Bearer ${(form.get('token') ?? '').replaceAll(/\s/gu, '')}` },
  });
}
