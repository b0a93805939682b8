import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { readStoredSession } from '../../services/auth/stored-session.ts';
import { $session, followAccount, type Session } from '../../stores/session.ts';

const loading: Session = { state: 'loading' };

/** Who is signed in; 'loading' on the server and during hydration, so that both draw the same. */
export function useSession(): Session {
  return useStore($session, { ssr: () => loading });
}

/** Keeps the session true to the auth service while the component is on screen (refresh, sign-out, revocation). */
export function useAccountEvents(): void {
  useEffect(() => {
    // A visitor who is not signed in needs none of the service's code.
    if (readStoredSession() === null) return;
    return followAccount();
  }, []);
}
