import { useState } from 'react';
import { BusyButton } from '../shared/BusyButton.tsx';
import type { SignInQuestion as Question } from './use-auth-mode.ts';

/** Asks before signing in by a link that was not requested in this browser. */
export function SignInQuestion({ email, present, answer }: Question) {
  const [busy, setBusy] = useState(false);
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        setBusy(true);
        answer(true);
      }}
    >
      <h1 className="page-title">Sign in?</h1>
      <p className="text-ink-700">
        You are about to be signed in as <strong className="break-all">{email}</strong>.
        {present === null ? null : (
          <>
            {' '}
            Now you are signed in as <strong className="break-all">{present}</strong>.
          </>
        )}{' '}
        Continue only if this account is yours.
      </p>
      <BusyButton busy={busy} busyText="Loading...">
        Continue
      </BusyButton>
      <button
        type="button"
        className="btn btn-secondary btn-block"
        onClick={() => {
          answer(false);
        }}
      >
        No, leave it
      </button>
    </form>
  );
}
