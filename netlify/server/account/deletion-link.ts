import { createHmac, timingSafeEqual } from 'node:crypto';
import { databaseEnv, siteEnv } from '../platform/env.ts';

/** How long a link works after it was asked for. */
export const deletionLinkHours = 24;

// The functions' own secret under a name of its own: a signature of something else is useless here.
const signatureOf = (text: string): Buffer =>
  createHmac('sha256', `account deletion\n${databaseEnv().SUPABASE_SECRET_KEY}`)
    .update(text)
    .digest();

/** The mailed address whose page deletes this account. `askedAt` in ms since the epoch. */
export function deletionLink(userId: string, askedAt: number): string {
  const until = String(askedAt + deletionLinkHours * 3_600_000);
  const token = `${userId}.${until}.${signatureOf(`${userId}.${until}`).toString('base64url')}`;
  return new URL(`/account/delete?token=${token}`, siteEnv().URL).href;
}

/** The account of a link's token; null when it is cut, changed or too old. */
export function accountOfDeletionToken(token: string | null, now = Date.now()): string | null {
  const [, userId = '', until = '', signature = ''] =
    /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(\d{1,15})\.([\w-]{43})$/u.exec(token ?? '') ??
    [];
  if (userId === '' || Number(until) < now) return null;
  const expected = signatureOf(`${userId}.${until}`);
  return timingSafeEqual(Buffer.from(signature, 'base64url'), expected) ? userId : null;
}
