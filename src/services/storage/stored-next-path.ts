import * as v from '../../domain/validate.ts';

const storageKey = 'kasavu:next';
const maxAgeMs = 60 * 60 * 1000;

const parseStored = v.object({ next: v.nonEmptyString, until: v.number });

/**
 * Remembers for an hour where a shopper wanted to go: the auth service only accepts links that lead to exactly the
 * login page, so the way on cannot travel in the mail. '/' is nothing to remember.
 */
export function rememberNext(next: string): void {
  try {
    if (next === '/') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, JSON.stringify({ next, until: Date.now() + maxAgeMs }));
  } catch {
    // The shopper then comes out on the home page.
  }
}

/** The remembered path as stored, to be checked before use; null when there is none or it is too old. */
export function takeNext(): string | null {
  try {
    const text = localStorage.getItem(storageKey) ?? '';
    localStorage.removeItem(storageKey);
    const { next, until } = parseStored(JSON.parse(text));
    return until > Date.now() ? next : null;
  } catch {
    return null;
  }
}
