import { useEffect, useState } from 'react';
import { Sheet } from '#islands/shared/Sheet.tsx';
import { AccountView } from './AccountView.tsx';
import { useAccountEvents, useSession } from '#islands/shared/use-session.ts';

/** The account dialog, opened from the header of any page. Calls `onClosed` after it has closed. */
export default function AccountDialog({ onClosed }: { onClosed: () => void }) {
  const [open, setOpen] = useState(true);
  const session = useSession();
  useAccountEvents();
  const user = session.state === 'signed-in' ? session.user : null;
  const shown = open && session.state !== 'signed-out';
  useEffect(() => {
    if (!shown) onClosed();
  }, [shown, onClosed]);
  return (
    <Sheet
      open={shown}
      title="My Account"
      titleHidden
      onClose={() => {
        setOpen(false);
      }}
    >
      {user ? (
        <AccountView
          key={user.id}
          user={user}
          heading={(name) => <h3 className="section-title break-words">{name}</h3>}
        />
      ) : null}
    </Sheet>
  );
}
