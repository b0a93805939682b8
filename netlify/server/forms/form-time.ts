import { createHmac, timingSafeEqual } from 'node:crypto';
import { databaseEnv } from '../platform/env.ts';

/** A form that was begun longer ago than this is begun anew. */
const longestMs = 24 * 3_600_000;

// The functions' own secret, under a name of its own: one less to set up, and what it signs here is good for nothing else.
const signatureOf = (time: string): Buffer =>
  createHmac('sha256', `form time\n${databaseEnv().SUPABASE_SECRET_KEY}`).update(time).digest();

/** The time (ms) at which a form was begun, signed, so that nobody sends one of their own. */
export function signFormTime(now = Date.now()): string {
  return `${String(now)}.${signatureOf(String(now)).toString('base64url')}`;
}

/** For how many ms a form has been open by its signed time; null for none, one that is not ours, and one of over a day. */
export function formOpenMs(formTime: string | undefined, now = Date.now()): number | null {
  const [, time = '', signature = ''] = /^(\d{1,15})\.([\w-]{43})$/u.exec(formTime ?? '') ?? [];
  if (time === '' || !timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(time)))
    return null;
  const openMs = now - Number(time);
  return openMs >= 0 && openMs <= longestMs ? openMs : null;
}
