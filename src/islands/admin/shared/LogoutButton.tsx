import { AdminError } from '../../../services/admin/admin-error.ts';
import { logOut } from '../../../services/admin/session.ts';
import { adminSignOut } from '../../../stores/admin-session.ts';
import { showToast } from '../../../stores/toasts.ts';

import { failureMessage } from './fetching/failure.ts';
import { useAction } from './use-action.ts';

interface LogoutButtonProps {
  /** Ends the sessions of every device. */
  everywhere?: boolean;
  className: string;
  children: string;
}

/** Ends the session on the server, then shows the login form. When the server cannot be reached, the admin stays logged in and sees why. */
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
      await logOut(everywhere);
      adminSignOut();
    });
  return (
    <button type="button" className={className} aria-busy={busy} onClick={leave}>
      {children}
    </button>
  );
}
