import { atom } from 'nanostores';
import { setConfirmation } from '#services/admin/api.ts';
import { onAdminSignOut } from './admin-session.ts';

interface Confirmation {
  codeNeeded: boolean;
  /** Ends the question. The refused requests are repeated when the admin confirmed. */
  close: (confirmed: boolean) => void;
}

/** The question for the password while requests wait for it; null otherwise. */
export const $confirmation = atom<Confirmation | null>(null);

let pending: Promise<boolean> | null = null;

// Requests that are refused at the same time share one question.
setConfirmation((codeNeeded) => {
  pending ??= new Promise((resolve) => {
    $confirmation.set({
      codeNeeded,
      close: (confirmed) => {
        pending = null;
        $confirmation.set(null);
        resolve(confirmed);
      },
    });
  });
  return pending;
});

onAdminSignOut(() => $confirmation.get()?.close(false));
