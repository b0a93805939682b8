import { useState, type RefObject } from 'react';
import { resendConfirmation } from '../../services/auth/account-mail.ts';
import { HumanCheckError } from '../../services/human/human-check-error.ts';
import { withHumanCheck } from '../../services/human/human-check.ts';
import { rememberMailRequest } from '../../services/storage/stored-mail-request.ts';
import { showToast } from '../../stores/toasts.ts';
import { returnAddress } from './auth-address.ts';
import { explainFailure } from './auth-texts.ts';

async function resend(email: string, place: HTMLElement | null): Promise<void> {
  try {
    rememberMailRequest(email);
    const outcome = await withHumanCheck(place, 'account', (token) =>
      resendConfirmation(email, returnAddress(), token),
    );
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
    const description = error instanceof HumanCheckError ? error.message : 'Please try again.';
    showToast('An error occurred', { description, tone: 'destructive' });
  }
}

interface ResendLinkProps {
  email: string;
  /** Where the security check of the form appears. */
  place: RefObject<HTMLElement | null>;
}

/** Offers the confirmation mail again to whoever logs in before using its link. */
export function ResendLink({ email, place }: ResendLinkProps) {
  const [busy, setBusy] = useState(false);
  return (
    <button
      type="button"
      className="btn btn-secondary btn-block"
      aria-busy={busy}
      onClick={() => {
        if (busy) return;
        setBusy(true);
        void resend(email, place.current).then(() => {
          setBusy(false);
        });
      }}
    >
      Send the confirmation mail again
    </button>
  );
}
