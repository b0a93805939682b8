import { useState } from 'react';
import { resendConfirmation } from '../../services/auth/account-mail.ts';
import { rememberMailRequest } from '../../services/storage/stored-mail-request.ts';
import { showToast } from '../../stores/toasts.ts';
import { returnAddress } from './auth-address.ts';
import { explainFailure } from './auth-texts.ts';

async function resend(email: string): Promise<void> {
  try {
    rememberMailRequest(email);
    const outcome = await resendConfirmation(email, returnAddress());
    if (outcome.ok) {
      showToast('Confirmation sent', {
        description: `Please check the mail of ${email}.`,
        tone: 'success',
      });
      return;
    }
    const description = explainFailure(outcome.reason) ?? 'Please try again later.';
    showToast('The mail could not be sent', { description, tone: 'destructive' });
  } catch (error) {
    console.warn('The confirmation mail could not be asked for', error);
    showToast('An error occurred', { description: 'Please try again.', tone: 'destructive' });
  }
}

/** Offers the confirmation mail again to whoever logs in before using its link. */
export function ResendLink({ email }: { email: string }) {
  const [busy, setBusy] = useState(false);
  return (
    <button
      type="button"
      className="btn btn-secondary btn-block"
      aria-busy={busy}
      onClick={() => {
        if (busy) return;
        setBusy(true);
        void resend(email).then(() => {
          setBusy(false);
        });
      }}
    >
      Send the confirmation mail again
    </button>
  );
}
