import { useState, type ReactNode, type RefObject } from 'react';
import { requestPasswordReset, resendConfirmation } from '../../services/auth/account-mail.ts';
import { HumanCheckError } from '../../services/human/human-check-error.ts';
import { withHumanCheck } from '../../services/human/human-check.ts';
import { rememberMailRequest } from '../../services/storage/stored-mail-request.ts';
import { showToast } from '../../stores/toasts.ts';
import { returnAddress } from './auth-address.ts';
import { explainFailure } from './auth-texts.ts';

interface ResendLinkProps {
  email: string;
  /** Where the security check of the form appears. */
  place: RefObject<HTMLElement | null>;
  /** Which mail: that of a sign-up, or that for a new password. */
  mode: 'signup' | 'forgot';
  className: string;
  children: ReactNode;
}

async function resend({ email, place, mode }: ResendLinkProps): Promise<void> {
  try {
    rememberMailRequest(email);
    const send = mode === 'signup' ? resendConfirmation : requestPasswordReset;
    const outcome = await withHumanCheck(place.current, 'account', (token) =>
      send(email, returnAddress(), token),
    );
    if (outcome.ok) {
      showToast(mode === 'signup' ? 'Confirmation sent' : 'Mail sent', {
        description: `Please check the mail of ${email}.`,
        tone: 'success',
      });
      return;
    }
    const description = explainFailure(outcome.reason) ?? 'Please try again later.';
    showToast('The mail could not be sent', { description, tone: 'destructive' });
  } catch (error) {
    console.warn('The mail could not be requested', error);
    const description = error instanceof HumanCheckError ? error.message : 'Please try again.';
    showToast('An error occurred', { description, tone: 'destructive' });
  }
}

/** Resends a mail. */
export function ResendLink(props: ResendLinkProps) {
  const [busy, setBusy] = useState(false);
  return (
    <button
      type="button"
      className={props.className}
      aria-busy={busy}
      onClick={() => {
        if (busy) return;
        setBusy(true);
        void resend(props).then(() => {
          setBusy(false);
        });
      }}
    >
      {props.children}
    </button>
  );
}
