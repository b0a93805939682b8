import { createHash, randomBytes } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import * as z from 'zod/mini';
import { callFunction } from '#core/platform/database.ts';
import { adminEnv, ConfigurationError } from '#core/platform/env.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { requireAccepted, type CodeProof } from './login-check.ts';

/** The admin session, for as long as it lasts. */
export interface AdminSession {
  id: number;
  /** ISO 8601. */
  expiresAt: string;
  /** The admin logged in or confirmed in the last ten minutes. */
  confirmed: boolean;
  /** A second factor is turned on. */
  secondFactor: boolean;
}

const cookieName = '__Host-kasavu-admin';
const lifetimeSeconds = 604_800;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Identifies the password without revealing it: a new password ends the sessions of the old one. @public */
export const passwordFingerprint = (): string =>
  sha256(`kasavu admin session\n${adminEnv().ADMIN_PASSWORD_HASH}`);

const sessionSchema = z.nullable(
  z.object({
    id: z.int(),
    expires_at: z.string(),
    confirmed: z.boolean(),
    second_factor: z.boolean(),
  }),
);

/** The same refusal for every path, id and reason. */
const notLoggedIn = (): HttpError => new HttpError(401, 'unauthorized', 'Please log in.');

/** The value of a cookie, or null. */
export function readCookie(request: Request, name: string): string | null {
  return parseCookie(request.headers.get('cookie') ?? '')[name] ?? null;
}

/** A cookie that only the server reads, and only on this site's own pages; 0 seconds take it out of the browser. */
export function serverCookie(name: string, value: string, maxAge: number): string {
  return stringifySetCookie({
    name,
    value,
    maxAge,
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: 'strict',
  });
}

/** The admin session of a request. Throws 401 when there is none, or it has expired or was ended. */
export async function requireAdmin(request: Request): Promise<AdminSession> {
  const token = readCookie(request, cookieName);
  if (token === null || !/^[\w-]{43}$/u.test(token)) throw notLoggedIn();
  try {
    const args = { p_token_hash: sha256(token), p_password_fingerprint: passwordFingerprint() };
    const session = await callFunction('read_admin_session', args, sessionSchema);
    if (session) {
      return {
        id: session.id,
        expiresAt: new Date(session.expires_at).toISOString(),
        confirmed: session.confirmed,
        secondFactor: session.second_factor,
      };
    }
  } catch (error) {
    // Without a password there is no session either.
    if (!(error instanceof ConfigurationError)) throw error;
  }
  throw notLoggedIn();
}

/** The network and device that a login attempt is counted by. */
export interface LoginSource {
  address: string;
  device: string | null;
}

/** Creates a session: the cookie to set, and when it ends. Throws 401 `wrong_code` when the code was used before. */
export async function createSession(
  { address, device }: LoginSource,
  proof: CodeProof,
): Promise<{ cookie: string; expiresAt: string }> {
  const token = randomBytes(32).toString('base64url');
  const args = {
    p_token_hash: sha256(token),
    p_password_fingerprint: passwordFingerprint(),
    p_seconds: lifetimeSeconds,
    p_address: address,
    p_device: device,
    ...proof,
  };
  const expiresAt = requireAccepted(
    await callFunction('open_admin_session', args, z.nullable(z.string())),
    401,
  );
  return {
    cookie: serverCookie(cookieName, token, lifetimeSeconds),
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

/** Ends a session on the server, or every one. Returns the cookie that takes it out of the browser. */
export async function endSession({ id }: AdminSession, everywhere: boolean): Promise<string> {
  await callFunction('end_admin_sessions', { p_id: id, p_everywhere: everywhere }, z.int());
  return serverCookie(cookieName, '', 0);
}
