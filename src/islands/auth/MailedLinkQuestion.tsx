import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { MailedLink } from '#services/auth/mailed-link.ts';
import type { AwaitedCode } from '#services/storage/stored-awaited-code.ts';
import { BusyButton } from '#islands/shared/BusyButton.tsx';
import { useBusy } from '#islands/shared/use-busy.ts';
import type { LinkOutcome } from './redeem-link.ts';
import { reasonOf } from '#services/connection.ts';

/** How the question ends: signed in by the link, waiting for a new code, asking for one by hand, or none of these. */
export type LinkAnswer =
  { kind: 'signed-in' | 'no-address' | 'left' } | { kind: 'code'; awaited: AwaitedCode };

interface MailedLinkQuestionProps {
  link: MailedLink;
  /** The address of whoever is signed in now; null when nobody is. */
  present: string | null;
  onAnswer: (answer: LinkAnswer) => void;
}

const loadRedeeming = () => import('./redeem-link.ts');

/**
 * Stands between a mailed link and its account. Mail programs and virus scanners open links with scripts running, so a link changes
 * nothing before somebody presses the button here.
 */
export function MailedLinkQuestion({ link, present, onAnswer }: MailedLinkQuestionProps) {
  const [outcome, setOutcome] = useState<LinkOutcome | null>(null);
  const { busy, run } = useBusy();
  const place = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const stage = outcome === null || outcome.kind === 'again' ? 'ask' : outcome.kind;

  useEffect(() => {
    // Another question stands here after a press: screen readers and keyboards begin there.
    if (stage !== 'ask') heading.current?.focus();
  }, [stage]);

  const isSpent = stage === 'spent';
  const proceed = async () => {
    if (isSpent) {
      if (link.email === '') {
        onAnswer({ kind: 'no-address' });
        return;
      }
      const { sendNewCode } = await import('./submit-code.ts');
      const mode = link.type === 'signup' ? 'signup' : 'forgot';
      const awaited = await sendNewCode({ mode, email: link.email }, place.current);
      if (awaited) onAnswer({ kind: 'code', awaited });
      return;
    }
    const { redeemLink, signInWith } = await loadRedeeming();
    const next =
      outcome?.kind === 'other-account' ? await signInWith(outcome.opened) : await redeemLink(link);
    if (next.kind === 'signed-in') onAnswer({ kind: 'signed-in' });
    else setOutcome(next);
  };
  const showFailure = (error: unknown) => {
    console.warn('The link could not be handled', error);
    setOutcome({ kind: 'again', message: reasonOf(error) });
  };
  const email = outcome?.kind === 'other-account' ? outcome.opened.user.email : link.email;

  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void run(showFailure, proceed);
      }}
    >
      <h1 ref={heading} tabIndex={-1} className="page-title">
        {isSpent ? 'This link does not work any more' : 'Sign in?'}
      </h1>
      <p className="text-ink-700">
        {isSpent ? (
          <>
            It has expired or was already used.{' '}
            {email === '' ? (
              'You can request a new code.'
            ) : (
              <>
                We can send a new code to <Address>{email}</Address>.
              </>
            )}
          </>
        ) : (
          <>
            {email === '' ? (
              'You are about to be signed in by the link of a mail.'
            ) : (
              <>
                You are about to be signed in as <Address>{email}</Address>.
              </>
            )}{' '}
            {present === null || present === email ? null : (
              <>
                Now you are signed in as <Address>{present}</Address>.{' '}
              </>
            )}
            Continue only if this account is yours.
          </>
        )}
      </p>
      {outcome?.kind === 'again' ? (
        <p className="field-error" role="alert">
          {outcome.message}
        </p>
      ) : null}
      <div ref={place} />
      <BusyButton busy={busy} busyText="Loading...">
        {isSpent ? 'Send a new code' : 'Continue'}
      </BusyButton>
      <button
        type="button"
        className="btn btn-secondary btn-block"
        onClick={() => {
          onAnswer({ kind: 'left' });
        }}
      >
        No, leave it
      </button>
    </form>
  );
}

const Address = ({ children }: { children: ReactNode }) => (
  <strong className="wrap-anywhere">{children}</strong>
);
