import * as v from '../../domain/validate.ts';

const storageKey = 'kasavu:mail-request';
/** As long as the auth service's links work. */
const maxAgeMs = 24 * 60 * 60 * 1000;

const parseStored = v.object({ email: v.nonEmptyString, until: v.number });

/** Remembers for a day that a mail with a link was asked for in this browser, and for which address. */
export function rememberMailRequest(email: string): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify({ email: email.toLowerCase(), until: Date.now() + maxAgeMs }));
  } catch {
    // The shopper is then asked whether they want to be signed in.
  }
}

/** Whether the last mail that was asked for in this browser went to this address. Forgets it. */
export function takeMailRequest(email: string): boolean {
  try {
    const stored = parseStored(JSON.parse(localStorage.getItem(storageKey) ?? ''));
    if (stored.email !== email.toLowerCase()) return false;
    localStorage.removeItem(storageKey);
    return stored.until > Date.now();
  } catch {
    return false;
  }
}
