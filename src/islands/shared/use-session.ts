import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { readStoredSession } from '#services/storage/stored-session.ts';
import { $session, setSessionUser, type Session } from '#stores/session.ts';

const loading: Session = { state: 'loading' };

/** The session; 'loading' on the server and during hydration, so that both render the same. */
export function useSession(): Session {
  return useStore($session, { ssr: () => loading });
}

/** Lets the auth service correct the session as its events arrive. Loads its code; returns a function that stops it. */
function followAccount(): () => void {
  let stopped = false;
  let stop = (): void => {
    stopped = true;
  };
  import('#services/auth/account.ts')
    .then(async ({ watchUser }) => {
      const unwatch = await watchUser(setSessionUser);
      if (stopped) unwatch();
      else stop = unwatch;
    })
    .catch((error: unknown) => {
      console.warn('The sign-in service could not be loaded', error);
    });
  return () => {
    stop();
  };
}

/** Keeps the session true to the auth service while the component is on screen (refresh, sign-out, revocation). */
export function useAccountEvents(): void {
  useEffect(() => {
    // A visitor who is not signed in needs none of the service's code.
    if (readStoredSession() === null) return;
    return followAccount();
  }, []);
}
