import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { codeLength, readCode, resendAfterMs } from '#domain/account/mailed-code.ts';
import type { AwaitedCode } from '#services/storage/stored-awaited-code.ts';
import { Field } from '#islands/shared/Field.tsx';
import { useBusy } from '#islands/shared/use-busy.ts';
import type { CodeOutcome } from './submit-code.ts';
import { reasonOf } from '#services/connection.ts';

interface EnterCodeProps {
  awaited: AwaitedCode;
  /** Password typed into the sign-up of this page; '' when the page was loaded again since. */
  password: string;
  onResent: (awaited: AwaitedCode) => void;
  /** Leads back to the form that requested the mail. */
  onChangeAddress: () => void;
  /** A code is being redeemed, so the page must not leave yet. */
  onBusy: (busy: boolean) => void;
  onOutcome: (outcome: Exclude<CodeOutcome, { kind: 'refused' }>) => void;
}

const loadSending = () => import('./submit-code.ts');

const hints: Readonly<Record<AwaitedCode['mode'], string>> = {
  signup:
    'It may be in your spam folder. You may have an account already: log in below, or send a new code.',
  forgot: 'It may be in your spam folder. No mail comes if this address has no account.',
  code: 'It may be in your spam folder. No mail comes if this address has no account.',
};

/** The code of a mail, sent by itself at the last digit, with resend and change of the address. */
export function EnterCode({
  awaited,
  password,
  onResent,
  onChangeAddress,
  onBusy,
  onOutcome,
}: EnterCodeProps) {
  const [code, setCode] = useState('');
  const [refusal, setRefusal] = useState('');
  const { busy, run } = useBusy();
  const form = useRef<HTMLFormElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const field = () => form.current?.querySelector('input');

  useEffect(() => {
    loadSending().catch(() => undefined);
    form.current?.querySelector('input')?.focus();
  }, []);

  const send = async (digits: string) => {
    if (busy) return;
    if (digits.length < codeLength) {
      setRefusal(`Please enter all ${String(codeLength)} digits.`);
      return;
    }
    let refused = '';
    const showFailure = (error: unknown) => {
      refused = reasonOf(error);
    };
    onBusy(true);
    await run(showFailure, async () => {
      const { submitCode } = await loadSending();
      const outcome = await submitCode(awaited, digits, password);
      if (outcome.kind === 'refused') {
        refused = outcome.message;
        return undefined;
      }
      onOutcome(outcome);
      return 'leaving';
    });
    if (refused !== '') {
      // The message is in the page before the focus moves, so that screen readers announce it.
      flushSync(() => {
        setRefusal(refused);
      });
      field()?.focus();
      field()?.select();
    }
    onBusy(false);
  };

  return (
    <section className="mt-6 bg-brand-50 p-4" aria-label="Check your mail">
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send(code);
        }}
      >
        <Field
          name="code"
          label={`Enter the ${String(codeLength)}-digit code that we sent to ${awaited.email}`}
          value={code}
          error={refusal}
          hint={busy ? 'One moment, please…' : hints[awaited.mode]}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          className="wrap-anywhere [&_input]:text-xl [&_input]:tracking-wider"
          onValue={(text) => {
            const digits = readCode(text);
            setCode(digits);
            setRefusal('');
            if (digits.length === codeLength && digits !== code) void send(digits);
          }}
        />
        <p className="mt-1 flex flex-wrap gap-x-6 text-sm">
          <ResendButton
            key={awaited.sentAt}
            sentAt={awaited.sentAt}
            resend={async () => {
              const { sendNewCode } = await loadSending();
              const renewed = await sendNewCode(awaited, place.current);
              if (!renewed) return;
              setCode('');
              setRefusal('');
              onResent(renewed);
              field()?.focus();
            }}
          />
          <button type="button" className="link py-2.5" onClick={onChangeAddress}>
            Change the address
          </button>
        </p>
        <div ref={place} />
      </form>
    </section>
  );
}

/** Requests the mail again once the auth service sends another, and shows the time until then. */
function ResendButton({ sentAt, resend }: { sentAt: number; resend: () => Promise<void> }) {
  const [now, setNow] = useState(() => Date.now());
  const { busy, run } = useBusy();
  const showFailure = (error: unknown) => {
    console.warn('The mail could not be requested', error);
  };
  const seconds = Math.ceil((sentAt + resendAfterMs - now) / 1000);
  const early = seconds > 0;
  useEffect(() => {
    if (!early) return;
    const timer = setInterval(() => {
      setNow(Date.now());
    }, 1000);
    return () => {
      clearInterval(timer);
    };
  }, [early]);
  return (
    <button
      type="button"
      className="link py-2.5 aria-disabled:text-ink-500 aria-disabled:no-underline"
      aria-disabled={early}
      aria-busy={busy}
      onClick={() => {
        if (!early) void run(showFailure, resend);
      }}
    >
      {early ? `Send a new code in ${String(seconds)} s` : 'Send a new code'}
    </button>
  );
}
