import type { RefObject } from 'react';
import { ResendLink } from './ResendLink.tsx';

/** A mail that was requested here: for which mode, and to which address. */
export interface RequestedMail {
  mode: 'signup' | 'forgot';
  email: string;
}

interface CheckMailProps {
  mail: RequestedMail;
  /** Where the security check of the form appears. */
  place: RefObject<HTMLElement | null>;
  /** Leads back to the form that asked for the mail. */
  onOtherAddress: () => void;
}

/** Shown above the login until the mailed link is used: the address, resend, and change the address. */
export function CheckMail({ mail: { mode, email }, place, onOtherAddress }: CheckMailProps) {
  const isNew = mode === 'signup';
  return (
    <section className="bg-palakka-50 p-4" aria-label="Check your mail">
      <h2 className="text-xl">Check your mail</h2>
      <p className="mt-1 text-sm wrap-anywhere">
        {isNew
          ? `We sent a link to ${email}. Open it to confirm your account. It may be in your spam folder.`
          : `If there is an account for ${email}, a link to set a new password is on its way. It may be in your spam folder.`}
      </p>
      <p className="mt-1 flex flex-wrap gap-x-6 text-sm">
        <ResendLink email={email} place={place} mode={mode} className="link py-2.5">
          {isNew ? 'Send the confirmation mail again' : 'Send it again'}
        </ResendLink>
        <button type="button" className="link py-2.5" onClick={onOtherAddress}>
          Use another address
        </button>
      </p>
    </section>
  );
}
