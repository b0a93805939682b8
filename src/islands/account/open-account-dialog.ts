import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { $session } from '../../stores/session.ts';
import AccountDialog from './AccountDialog.tsx';

let shown = false;

/**
 * Opens the account dialog over the present page; resolves when it stands. It takes itself off the page when it is
 * closed. Whoever is not signed in is sent to /auth instead. React comes with this module: import it when asked for.
 */
export function openAccountDialog(): Promise<void> {
  if ($session.get().state !== 'signed-in') {
    window.location.assign('/auth');
    return Promise.resolve();
  }
  if (!shown) {
    shown = true;
    const container = document.createElement('div');
    document.body.append(container);
    const root = createRoot(container);
    const onClosed = () => {
      // Later: a root cannot take itself away while it draws.
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
