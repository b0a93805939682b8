import * as v from '#domain/validate.ts';
import { storedJson } from './stored-json.ts';

const maxAgeMs = 60 * 60 * 1000;

// Without storage, the customer lands on the home page.
const path = storedJson(
  'local',
  'kasavu:next',
  v.object({ next: v.nonEmptyString, until: v.number }),
);

/**
 * Stores for an hour where a customer wanted to go: the auth service only accepts links that lead to exactly the
 * login page, so the path cannot be part of the mail. '/' is not stored.
 */
export function rememberNext(next: string): void {
  if (next === '/') path.forget();
  else path.write({ next, until: Date.now() + maxAgeMs });
}

/** The remembered path as stored, to be checked before use; null when there is none or it is too old. */
export function takeNext(): string | null {
  const stored = path.read();
  path.forget();
  return stored !== null && stored.until > Date.now() ? stored.next : null;
}
