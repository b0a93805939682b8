import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PublicFormName } from '#domain/checkout/public-form.ts';
import { databaseEnv } from '#core/platform/env.ts';

/** A form that was begun longer ago than this gets a new time. The page's script fetches one by itself. */
const maxOpenMs = 2 * 3_600_000;

// The functions' own secret under a name of its own: nothing more to set up, and a signature of one form is useless for another.
const signatureOf = (form: PublicFormName, time: string): Buffer =>
  createHmac('sha256', `form time\n${databaseEnv().SUPABASE_SECRET_KEY}`)
    .update(`${form}\n${time}`)
    .digest();

/** The time (ms) at which a visitor began to fill in this form, signed so that nobody can send a time of their own. */
export function signFormTime(form: PublicFormName, now = Date.now()): string {
  return `${String(now)}.${signatureOf(form, String(now)).toString('base64url')}`;
}

/** How long this form has been open by its signed time, in ms. Null for a time that is missing, forged, of another form or too old. */
export function formOpenMs(
  form: PublicFormName,
  formTime: string | undefined,
  now = Date.now(),
): number | null {
  const [, time = '', signature = ''] = /^(\d{1,15})\.([\w-]{43})$/u.exec(formTime ?? '') ?? [];
  if (time === '' || !timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(form, time)))
    return null;
  const openMs = now - Number(time);
  return openMs >= 0 && openMs <= maxOpenMs ? openMs : null;
}
