import * as v from '../../domain/validate.ts';
import { storedJson } from './stored-json.ts';

/** As long as the auth service's links work. */
const maxAgeMs = 24 * 60 * 60 * 1000;

// Where nothing can be kept, the shopper is asked whether they want to be signed in.
const request = storedJson(
  'local',
  'kasavu:mail-request',
  v.object({ email: v.nonEmptyString, until: v.number }),
);

/** Remembers for a day that a mail with a link was asked for in this browser, and for which address. */
export function rememberMailRequest(email: string): void {
  request.write({ email: email.toLowerCase(), until: Date.now() + maxAgeMs });
}

/** Whether the last mail that was asked for in this browser went to this address. Forgets it. */
export function takeMailRequest(email: string): boolean {
  const stored = request.read();
  if (stored?.email !== email.toLowerCase()) return false;
  request.forget();
  return stored.until > Date.now();
}
