import { atom } from 'nanostores';
import { userFromStoredSession, type User } from '#domain/account/session.ts';
import { readStoredSession, sessionStorageKey } from '#services/storage/stored-session.ts';
import { followStorage } from './stored-atom.ts';

export type Session =
  { state: 'loading' } | { state: 'signed-out' } | { state: 'signed-in'; user: User };

/**
 * The session. 'loading' until it has a listener in a browser; then read from storage, so that browse
 * pages know it without supabase-js; `services/account` corrects it as auth events arrive.
 */
export const $session = atom<Session>({ state: 'loading' });

export function setSessionUser(user: User | null): void {
  const next: Session = user ? { state: 'signed-in', user } : { state: 'signed-out' };
  if (JSON.stringify(next) !== JSON.stringify($session.get())) $session.set(next);
}

followStorage($session, sessionStorageKey, () => {
  setSessionUser(userFromStoredSession(readStoredSession()));
});
