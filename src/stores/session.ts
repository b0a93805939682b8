import { atom, onMount } from 'nanostores';
import { userFromStoredSession, type User } from '../domain/account/session.ts';
import { readStoredSession, sessionStorageKey } from '../services/storage/stored-session.ts';

export type Session =
  { state: 'loading' } | { state: 'signed-out' } | { state: 'signed-in'; user: User };

/**
 * The session. 'loading' until it has a listener in a browser; then read from storage, so that browse
 * pages know it without supabase-js; `services/account` corrects it as auth events arrive. Other tabs follow at once, and a page
 * restored from the bfcache when it is shown, because it missed all events.
 */
export const $session = atom<Session>({ state: 'loading' });

export function setSessionUser(user: User | null): void {
  const next: Session = user ? { state: 'signed-in', user } : { state: 'signed-out' };
  if (JSON.stringify(next) !== JSON.stringify($session.get())) $session.set(next);
}

function readStorage(): void {
  setSessionUser(userFromStoredSession(readStoredSession()));
}

onMount($session, () => {
  if (typeof window === 'undefined') return;
  readStorage();
  const follow = (event: StorageEvent) => {
    if (event.key === sessionStorageKey || event.key === null) readStorage();
  };
  const comeBack = (event: PageTransitionEvent) => {
    if (event.persisted) readStorage();
  };
  const page = window;
  page.addEventListener('storage', follow);
  page.addEventListener('pageshow', comeBack);
  return () => {
    page.removeEventListener('storage', follow);
    page.removeEventListener('pageshow', comeBack);
  };
});
