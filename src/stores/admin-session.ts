import { atom, onMount } from 'nanostores';
import { setSessionRenewal } from '#services/admin/api.ts';
import { adminFlagKey, hasAdminFlag, setAdminFlag } from '#services/admin/session.ts';

/**
 * Whether the admin is logged in. 'unknown' on the server and until storage is read. 'expired': the page stays as it is,
 * with the login form over it, and the requests that were refused wait for the next log-in.
 */
export type AdminSession = 'unknown' | 'logged-out' | 'logged-in' | 'expired';
export const $adminSession = atom<AdminSession>('unknown');

let logins = 0;
const forget = new Set<() => void>();

/** Registers a function that clears what was fetched: whoever logs in next on this device must not see it. */
export function onAdminSignOut(clear: () => void): void {
  forget.add(clear);
}

const removals = new Set<() => void>();

/** Registers a function that removes what this device stores of the shop. */
export function onLogoutPressed(remove: () => void): void {
  removals.add(remove);
}

/** The admin pressed *Logout*. What is stored here goes at once: that needs no connection, and the server's answer may never come. */
export function removeStoredData(): void {
  for (const remove of removals) remove();
}

/** The admin logged in, here or in another tab. */
export function adminSignIn(): void {
  logins += 1;
  setAdminFlag(true);
  $adminSession.set('logged-in');
}

/** The admin logged out, here or in another tab. Requests that wait for a log-in fail. */
export function adminSignOut(): void {
  setAdminFlag(false);
  $adminSession.set('logged-out');
  for (const clear of forget) clear();
}

setSessionRenewal({
  logins: () => logins,
  renew: (loginsWhenAsked) => {
    // Refused before the latest log-in: repeat it now.
    if (loginsWhenAsked !== logins) return Promise.resolve(true);
    if ($adminSession.get() !== 'logged-out') $adminSession.set('expired');
    return new Promise((resolve) => {
      const stop = $adminSession.subscribe((state) => {
        if (state === 'expired') return;
        resolve(state === 'logged-in');
        // Deferred, because `stop` is not assigned during the first call.
        queueMicrotask(() => stop());
      });
    });
  },
});

onMount($adminSession, () => {
  if (typeof window === 'undefined') return;
  if ($adminSession.get() === 'unknown')
    $adminSession.set(hasAdminFlag() ? 'logged-in' : 'logged-out');
  const follow = (event: StorageEvent) => {
    if (event.key !== adminFlagKey && event.key !== null) return;
    const flagged = hasAdminFlag();
    if (flagged && $adminSession.get() !== 'logged-in') adminSignIn();
    if (!flagged) adminSignOut();
  };
  const page = window;
  page.addEventListener('storage', follow);
  return () => {
    page.removeEventListener('storage', follow);
  };
});
