import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import type { Context } from '@netlify/functions';
import { callFunction, callNewFunction } from '#core/platform/database.ts';
import { adminEnv } from '#core/platform/env.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { callerAddress, networkOf } from '#core/platform/costs.ts';
import { readCookie, serverCookie, type LoginSource } from './admin-session.ts';

/*
 * SQL limits wrong guesses, for each address and for all together (`admin_login` in `cost_limits`). Two addresses could so keep the admin
 * out for as long as they like; therefore a browser that has logged in once is known again by a cookie and has attempts of its own. The
 * cookie grants no access, and a new password invalidates it.
 */

/** Parameters that a database of release 1.3.2 requires and ignores. */
const formerLimits = { p_limit_per_source: 5, p_limit_overall: 10, p_window_seconds: 900 } as const;

const deviceCookie = '__Host-kasavu-device';
const deviceSeconds = 31_536_000;

function sign(id: string): Buffer {
  return createHmac('sha256', `kasavu device\n${adminEnv().ADMIN_PASSWORD_HASH}`)
    .update(id)
    .digest();
}

function knownDevice(request: Request): string | null {
  const [, id, signature] =
    /^([\w-]{22})\.([\w-]{43})$/u.exec(readCookie(request, deviceCookie) ?? '') ?? [];
  if (id === undefined || signature === undefined) return null;
  return timingSafeEqual(Buffer.from(signature, 'base64url'), sign(id)) ? id : null;
}

/** The cookie that identifies a browser that has logged in before. */
export function deviceCookieFor({ device }: LoginSource): string {
  const id = device ?? randomBytes(16).toString('base64url');
  return serverCookie(deviceCookie, `${id}.${sign(id).toString('base64url')}`, deviceSeconds);
}

const attemptSchema = z.object({ allowed: z.boolean(), retry_after: z.int() });

/** Takes an attempt off the counts. Only wrong passwords and wrong codes use up the limits. */
export async function forgetAttempt({ address, device }: LoginSource): Promise<void> {
  await callFunction('forget_login_attempt', { p_address: address, p_device: device }, z.unknown());
}

/** Counts an attempt before the password is checked. Throws 429 with `retry_after` seconds when there were too many. */
export async function recordAttempt(request: Request, context: Context): Promise<LoginSource> {
  const source = {
    address: networkOf(callerAddress(context)),
    device: knownDevice(request),
  };
  const args = { p_address: source.address, p_device: source.device };
  const { allowed, retry_after: seconds } = await callNewFunction(
    'count_login_attempt',
    args,
    attemptSchema,
    'of release 1.3.2',
    () => callFunction('count_login_attempt', { ...args, ...formerLimits }, attemptSchema),
  );
  if (allowed) return source;
  const minutes = Math.ceil(seconds / 60);
  const sentence = `Too many wrong passwords. Please try again in ${String(minutes)} ${minutes === 1 ? 'minute' : 'minutes'}.`;
  throw new HttpError(429, 'too_many_attempts', sentence, { retry_after: seconds });
}
