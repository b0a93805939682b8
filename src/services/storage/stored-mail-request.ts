import { codeLifetimeMs } from '../../domain/account/mailed-code.ts';
import * as v from '../../domain/validate.ts';
import { storedJson } from './stored-json.ts';

// Without storage, the customer must confirm that they want to be signed in.
const request = storedJson(
  'local',
  'kasavu:mail-request',
  v.object({ email: v.nonEmptyString, until: v.number }),
);

/** Stores that this browser requested a mail with a link, and for which address, as long as the link works. */
export function rememberMailRequest(email: string): void {
  request.write({ email: email.toLowerCase(), until: Date.now() + codeLifetimeMs });
}

/** Whether the last mail requested in this browser went to this address. Clears the record. */
export function takeMailRequest(email: string): boolean {
  const stored = request.read();
  if (stored?.email !== email.toLowerCase()) return false;
  request.forget();
  return stored.until > Date.now();
}
