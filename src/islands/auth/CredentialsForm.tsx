import { useEffect, useRef, useState } from 'react';
import type { Credentials } from '#domain/checkout/forms.ts';
import { beginHumanCheck } from '#services/human/human-check.ts';
import type { AwaitedCode } from '#services/storage/stored-awaited-code.ts';
import { showToast } from '#stores/toasts.ts';
import { BusyButton } from '#islands/shared/BusyButton.tsx';
import { Field } from '#islands/shared/Field.tsx';
import { useForm } from '#islands/shared/use-form.ts';
import { useIsClient } from '#islands/shared/use-is-client.ts';
import { modeTexts, setsPassword, type AuthMode } from './auth-texts.ts';
import { PasswordField } from '#islands/shared/PasswordField.tsx';
import { reasonOf } from '#services/connection.ts';

interface CredentialsFormProps {
  mode: AuthMode;
  next: string;
  /** Keeps the password of a sign-up until the code of its mail is there. */
  onPassword: (password: string) => void;
  awaited: AwaitedCode | null;
  onAwaited: (awaited: AwaitedCode) => void;
  onMode: (mode: AuthMode) => void;
  onLeave: () => void;
}

/** The code that sends the form, loaded when the customer begins to type. */
async function loadSending() {
  const [{ checkCredentials }, { submitAuth }, { sendNewCode }] = await Promise.all([
    import('./check-credentials.ts'),
    import('./submit-auth.ts'),
    import('./submit-code.ts'),
  ]);
  return { checkCredentials, submitAuth, sendNewCode };
}

function showFault(error: unknown): void {
  console.warn('The form could not be sent', error);
  showToast('An error occurred', {
    description: reasonOf(error),
    tone: 'destructive',
  });
}

/** The fields and button of a mode. Keeps what was typed on every failure; the e-mail outlives a change of mode. */
export function CredentialsForm({
  mode,
  next,
  onPassword,
  awaited,
  onAwaited,
  onMode,
  onLeave,
}: CredentialsFormProps) {
  const { values, ref, early, busy, bind, change, accept, refuse, submit } = useForm<Credentials>(
    () => ({
      email: '',
      password: '',
    }),
  );
  const [unconfirmed, setUnconfirmed] = useState('');
  const [isMaybeKnown, setMaybeKnown] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const newPassword = mode === 'signup' || setsPassword(mode);

  const awaitCode = (code: AwaitedCode, password: string) => {
    onPassword(password);
    change({ password: '' });
    onAwaited(code);
  };
  const send = async () => {
    const { checkCredentials, submitAuth } = await loadSending();
    const credentials = accept(checkCredentials(mode, values));
    if (!credentials) return;
    const outcome = await submitAuth(mode, credentials, next, place.current);
    setUnconfirmed(outcome.kind === 'unconfirmed' ? credentials.email : '');
    setMaybeKnown(outcome.kind === 'known');
    if (outcome.kind === 'wrong-password')
      refuse({
        password: 'The e-mail or the password is wrong. You can also log in with a code.',
      });
    if (outcome.kind === 'leave') onLeave();
    if (outcome.kind === 'code') {
      awaitCode(outcome.awaited, mode === 'signup' ? credentials.password : '');
      onMode('login');
    }
  };
  const sendCode = async () => {
    const { sendNewCode } = await loadSending();
    const sent = await sendNewCode({ mode: 'signup', email: unconfirmed }, place.current);
    if (!sent) return;
    awaitCode(sent, values.password);
  };

  const begin = () => {
    // A failure is shown when the form is sent.
    loadSending().catch(() => undefined);
    if (!setsPassword(mode)) beginHumanCheck(place.current, 'account');
  };
  const begins = useRef(begin);
  useEffect(() => {
    // The focus may have come before the script.
    if (ref.current?.contains(document.activeElement) === true) begins.current();
  }, [ref]);
  const isClient = useIsClient();
  useEffect(() => {
    // The page is there to be filled in. Before, the form may be hidden.
    if (isClient && document.activeElement === document.body)
      ref.current?.querySelector('input')?.focus({ preventScroll: true });
  }, [isClient, ref]);

  return (
    <form
      ref={ref}
      {...early}
      noValidate
      className="mt-8 grid gap-5"
      onSubmit={(event) => void submit(event, send, showFault)}
      onFocus={begin}
    >
      {setsPassword(mode) ? null : (
        <Field
          {...bind('email')}
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="username"
          spellCheck={false}
        />
      )}
      {mode === 'forgot' || mode === 'code' ? null : (
        <PasswordField
          {...bind('password')}
          label="Password"
          autoComplete={newPassword ? 'new-password' : 'current-password'}
          // Its error says the same.
          {...(newPassword && bind('password').error === undefined
            ? { hint: 'At least 6 characters' }
            : {})}
        />
      )}
      {mode === 'login' ? (
        <p className="flex flex-wrap justify-between gap-x-6 text-sm">
          <button
            type="button"
            className="link min-h-11"
            onClick={() => {
              onMode('forgot');
            }}
          >
            Forgotten password?
          </button>
          <button
            type="button"
            className="link min-h-11"
            onClick={() => {
              onMode('code');
            }}
          >
            Log in with a code
          </button>
        </p>
      ) : null}
      <div ref={place} className="absolute" />
      <BusyButton busy={busy} busyText="Loading...">
        {modeTexts[mode].button}
      </BusyButton>
      {isMaybeKnown && mode === 'signup' ? (
        <div role="status">
          <p>You may have an account already: log in, or get a code.</p>
          <p className="mt-3 flex flex-wrap gap-3">
            {(['login', 'code'] as const).map((way) => (
              <button
                key={way}
                type="button"
                className="btn btn-secondary flex-1 px-3"
                onClick={() => {
                  onMode(way);
                }}
              >
                {way === 'login' ? 'Log in' : 'Get a code'}
              </button>
            ))}
          </p>
        </div>
      ) : null}
      {unconfirmed !== '' && mode === 'login' && awaited === null ? (
        <button
          type="button"
          className="btn btn-secondary btn-block"
          aria-busy={busy}
          onClick={(event) => void submit(event, sendCode, showFault)}
        >
          Send me a code
        </button>
      ) : null}
    </form>
  );
}
