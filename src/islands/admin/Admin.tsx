import { useStore } from '@nanostores/react';
import { useState, type ReactNode } from 'react';
import { $adminSession, type AdminSession } from '#stores/admin-session.ts';
import { Gate } from './shell/Gate.tsx';
import { LoginDialog, LoginPage } from './shell/LoginScreens.tsx';
import { LazyPart } from './shared/fetching/LazyPart.tsx';
import { withFaultNotice } from '#islands/shared/FaultNotice.tsx';

const unknown: AdminSession = 'unknown';
const loadDashboard = () => import('./shell/Dashboard.tsx').then((module) => module.Dashboard);

/** /admin: the login form with what the page puts below it, and after it the dashboard, whose code comes with the first log-in. */
function Admin({ children }: { children?: ReactNode }) {
  const session = useStore($adminSession, { ssr: () => unknown });
  const [loginShown, setLoginShown] = useState(false);
  if (session === 'logged-out' && !loginShown) setLoginShown(true);
  // The server renders the login; pages/admin.astro hides it from whoever is logged in.
  if (session === 'unknown' || session === 'logged-out')
    return <LoginPage first={session === 'unknown'}>{children}</LoginPage>;
  return (
    <>
      <LazyPart
        load={loadDashboard}
        props={{ focusHeading: loginShown }}
        waiting={<AdminWaiting />}
      />
      <LoginDialog open={session === 'expired'} />
    </>
  );
}

function AdminWaiting() {
  return (
    <Gate title="Admin" busy>
      <p className="flex items-center gap-3 text-ink-700" role="status">
        <span className="spinner text-accent-700" aria-hidden="true" /> One moment, please…
      </p>
    </Gate>
  );
}

export default withFaultNotice(Admin);
