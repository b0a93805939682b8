import * as v from '#domain/validate.ts';
import { localTexts } from './browser-storage.ts';

/** Where supabase-js stores the session (its `storageKey`). */
export const sessionStorageKey = 'kasavu:auth';

const parseTokens = v.object({ access_token: v.nonEmptyString, expires_at: v.number });

/** The stored session's JSON text; null when nobody is signed in or storage is blocked. */
export function readStoredSession(): string | null {
  return localTexts.getItem(sessionStorageKey);
}

/** The stored access token while it is good for another minute, so that no library need be loaded; else null. */
export function readStoredToken(): string | null {
  const text = readStoredSession();
  if (text === null) return null;
  try {
    const { access_token: token, expires_at: expiry } = parseTokens(JSON.parse(text));
    return expiry * 1000 > Date.now() + 60_000 ? token : null;
  } catch {
    return null;
  }
}

/** Forgets a session whose account is gone, without asking the auth server, which knows it no longer. */
export function forgetStoredSession(): void {
  localTexts.removeItem(sessionStorageKey);
}
