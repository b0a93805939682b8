import { useState, type ReactNode } from 'react';
import { initials } from '#domain/account/initials.ts';
import type { User } from '#domain/account/session.ts';
import { signOutAndLeave } from '#stores/sign-out.ts';
import { useBusy } from '#islands/shared/use-busy.ts';
import { OrdersPanel } from './orders/OrdersPanel.tsx';
import { ProfilePanel } from './ProfilePanel.tsx';
import { Tabs } from './Tabs.tsx';
import { useOrders } from './orders/use-orders.ts';
import { useProfile } from './use-profile.ts';

const tabs = ['Profile', 'Orders'] as const;

interface AccountViewProps {
  user: User;
  /** The name as the page's or the dialog's heading. */
  heading: (name: string) => ReactNode;
}

/** The signed-in customer, with the Profile and Orders tabs: the same on the page and in the dialog. */
export function AccountView({ user, heading }: AccountViewProps) {
  const [tab, setTab] = useState<(typeof tabs)[number]>(() =>
    window.location.hash === '#orders' ? 'Orders' : 'Profile',
  );
  const { busy, run } = useBusy();
  const signOut = () =>
    run(
      (error) => {
        console.error('Logout failed', error);
      },
      async () => ((await signOutAndLeave()) ? 'leaving' : undefined),
    );
  const profile = useProfile(user);
  const { orders, reload } = useOrders(user, tab === 'Orders');
  const isLoading = tab === 'Profile' ? profile.loading : orders === null;
  const name = [profile.profile?.fullName, user.name].find((text) => text?.trim()) ?? '';
  const email = profile.profile?.email ?? user.email;
  const at = email.indexOf('@');
  return (
    <>
      <header className="flex flex-wrap items-center gap-5">
        <span className="avatar" aria-hidden="true">
          {initials(name)}
        </span>
        <div className="min-w-48 flex-1">
          {heading(name || 'My Account')}
          <p className="text-sm/relaxed wrap-anywhere text-ink-500">
            {email.slice(0, at)}
            <wbr />
            {email.slice(at)}
          </p>
        </div>
      </header>
      <div className="mt-6 sm:mt-8">
        <Tabs label="Account" tabs={tabs} active={tab} onTab={setTab}>
          {tab === 'Profile' ? (
            <ProfilePanel state={profile} />
          ) : (
            <OrdersPanel orders={orders} onChanged={reload} />
          )}
        </Tabs>
      </div>
      <p className={`mt-10 border-t border-line pt-3 ${isLoading ? 'after-late' : ''}`}>
        <button
          type="button"
          className="link min-h-11"
          aria-busy={busy}
          onClick={() => void signOut()}
        >
          Sign Out
        </button>
      </p>
    </>
  );
}
