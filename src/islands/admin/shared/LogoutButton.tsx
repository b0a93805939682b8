import { AdminError } from '#services/admin/admin-error.ts';
import { logOut } from '#services/admin/session.ts';
import { adminSignOut, removeStoredData } from '#stores/admin-session.ts';
import { showToast } from '#stores/toasts.ts';

import { failureMessage } from './fetching/failure.ts';
import { useAction } from './use-action.ts';

interface LogoutButtonProps {
  /** Ends the sessions of every device. */
  everywhere?: boolean;
  className: string;
  children: string;
}

/**
 * Removes what this device stores of the shop, ends the session on the server, then shows the login form. When the server cannot be
 * reached, the admin stays logged in and sees why; what was stored is gone all the same.
 */
export function LogoutButton({ everywhere = false, className, children }: LogoutButtonProps) {
  const { busy, run } = useAction();
  const showFailure = (error: unknown) => {
    // A session that has ended already is the wanted result.
    if (error instanceof AdminError && error.status === 401) {
      adminSignOut();
      return;
    }
    const description = failureMessage(error);
    showToast('Not logged out', { description, tone: 'destructive', durationMs: 6_000 });
  };
  const leave = () =>
    void run(showFailure, async () => {
      removeStoredData();
      await logOut(everywhere);
      adminSignOut();
    });
  return (
    <button type="button" className={className} aria-busy={busy} onClick={leave}>
      {children}
    </button>
  );
}
