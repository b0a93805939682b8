import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { $session } from '#stores/session.ts';
import styles from '#styles/account-dialog.css?inline';
import AccountDialog from './AccountDialog.tsx';
import { adoptStyles } from '#services/adopt-styles.ts';
import { leavePage } from '#services/leave-page.ts';

const hasStyles = adoptStyles(styles);
let shown = false;

/**
 * Opens the account dialog over the current page; resolves when it is open. It removes itself when it is
 * closed. Redirects to /auth without a session, and to /profile where the dialog would have no styles. Import it on demand, because it loads React.
 */
export function openAccountDialog(): Promise<void> {
  if ($session.get().state !== 'signed-in') {
    leavePage('/auth');
    return Promise.resolve();
  }
  if (!hasStyles) {
    window.location.assign('/profile');
    return Promise.resolve();
  }
  if (!shown) {
    shown = true;
    const container = document.createElement('div');
    document.body.append(container);
    const root = createRoot(container);
    const onClosed = () => {
      // Deferred, because a root cannot unmount itself while it renders.
      setTimeout(() => {
        root.unmount();
        container.remove();
        shown = false;
      });
    };
    root.render(createElement(AccountDialog, { onClosed }));
  }
  return Promise.resolve();
}
