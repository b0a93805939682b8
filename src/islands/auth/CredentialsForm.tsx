import { useRef, useState } from 'react';
import type { Credentials } from '../../domain/checkout/forms.ts';
import { beginHumanCheck } from '../../services/human/human-check.ts';
import { showToast } from '../../stores/toasts.ts';
import { BusyButton } from '../shared/BusyButton.tsx';
import { Field } from '../shared/Field.tsx';
import { useForm } from '../shared/use-form.ts';
import { CheckMail, type RequestedMail } from './CheckMail.tsx';
import { modeTexts, setsPassword, type AuthMode } from './auth-texts.ts';
import { PasswordField } from '../shared/PasswordField.tsx';
import { ResendLink } from './ResendLink.tsx';

interface CredentialsFormProps {
  mode: AuthMode;
  next: string;
  onMode: (mode: AuthMode) => void;
  onLeave: () => void;
}

/** The code that sends the form, loaded when the customer begins to type. */
async function loadSending() {
  const [{ checkCredentials }, { submitAuth }] = await Promise.all([
    import('./check-credentials.ts'),
    import('./submit-auth.ts'),
  ]);
  return { checkCredentials, submitAuth };
}

/** The fields and button of a mode. Keeps what was typed on every failure; the e-mail outlives a change of mode. */
export function CredentialsForm({ mode, next, onMode, onLeave }: CredentialsFormProps) {
  const { values, ref, busy, bind, change, accept, submit } = useForm<Credentials>(() => ({
    email: '',
    password: '',
  }));
  const [unconfirmed, setUnconfirmed] = useState('');
  const [mail, setMail] = useState<RequestedMail | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const newPassword = mode === 'signup' || setsPassword(mode);

  const send = async () => {
    const { checkCredentials, submitAuth } = await loadSending();
    const credentials = accept(checkCredentials(mode, values));
    if (!credentials) return;
    const outcome = await submitAuth(mode, credentials, next, place.current);
    setUnconfirmed(outcome.kind === 'unconfirmed' ? credentials.email : '');
    if (outcome.kind === 'leave') onLeave();
    if (outcome.kind === 'mode') {
      if (mode === 'signup' || mode === 'forgot') setMail({ mode, email: credentials.email });
      change({ password: '' });
      onMode(outcome.mode);
    }
  };

  return (
    <form
      ref={ref}
      noValidate
      className="mt-8 grid gap-5"
      onSubmit={(event) =>
        void submit(event, send, (error) => {
          console.warn('The form could not be sent', error);
          showToast('An error occurred', {
            description: 'Please check your connection and try again.',
            tone: 'destructive',
          });
        })
      }
      onFocus={() => {
        // A failure is shown when the form is sent.
        loadSending().catch(() => undefined);
        if (!setsPassword(mode)) beginHumanCheck(place.current, 'account');
      }}
    >
      {mail !== null && mode === 'login' ? (
        <CheckMail
          mail={mail}
          place={place}
          onOtherAddress={() => {
            setMail(null);
            onMode(mail.mode);
            ref.current?.querySelector('input')?.focus();
          }}
        />
      ) : null}
      {setsPassword(mode) ? null : (
        <Field
          {...bind('email')}
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      {mode === 'forgot' ? null : (
        <PasswordField
          {...bind('password')}
          label="Password"
          autoComplete={newPassword ? 'new-password' : 'current-password'}
          {...(newPassword ? { hint: 'At least 6 characters' } : {})}
        />
      )}
      {mode === 'login' ? (
        <button
          type="button"
          className="link min-h-11 justify-self-start text-sm"
          onClick={() => {
            onMode('forgot');
          }}
        >
          Forgotten password?
        </button>
      ) : null}
      <div ref={place} className="absolute" />
      <BusyButton busy={busy} busyText="Loading...">
        {modeTexts[mode].button}
      </BusyButton>
      {unconfirmed !== '' && mode === 'login' && mail === null ? (
        <ResendLink
          email={unconfirmed}
          place={place}
          mode="signup"
          className="btn btn-secondary btn-block"
        >
          Send the confirmation mail again
        </ResendLink>
      ) : null}
    </form>
  );
}
