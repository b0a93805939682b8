import { useEffect } from 'react';
import { isLeavingPage } from '#services/leave-page.ts';
import { AccountView } from './AccountView.tsx';
import { PanelLoading } from './ProfilePanel.tsx';
import { useAccountEvents, useSession } from '#islands/shared/use-session.ts';
import { withFaultNotice } from '#islands/shared/FaultNotice.tsx';

/** /profile: the account of whoever is signed in; everybody else goes to /auth (spec section 2). */
function ProfilePage() {
  const session = useSession();
  useAccountEvents();
  const away = session.state === 'signed-out';
  useEffect(() => {
    if (away && !isLeavingPage())
      window.location.replace(
        `/auth?next=${encodeURIComponent(`/profile${window.location.hash}`)}`,
      );
  }, [away]);
  if (session.state !== 'signed-in') {
    return (
      <>
        <h1 className="page-title">My Account</h1>
        <PanelLoading text="One moment, please" />
      </>
    );
  }
  return (
    <AccountView
      key={session.user.id}
      user={session.user}
      heading={(name) => <h1 className="page-title break-words">{name}</h1>}
    />
  );
}

export default withFaultNotice(ProfilePage);
