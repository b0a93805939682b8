import { useRef, useState } from 'react';
import type { Credentials, FieldErrors } from '../../domain/checkout/forms.ts';
import { beginHumanCheck } from '../../services/human/human-check.ts';
import { showToast } from '../../stores/toasts.ts';
import { BusyButton } from '../shared/BusyButton.tsx';
import { Field } from '../shared/Field.tsx';
import { focusFirstError } from '../shared/focus-field.ts';
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

/** E-mail and password as typed, with a message each. The e-mail outlives a change of mode. */
function useCredentials() {
  const [values, setValues] = useState<Credentials>({ email: '', password: '' });
  const [errors, setErrors] = useState<FieldErrors<Credentials>>({});
  const change = (field: keyof Credentials) => (value: string) => {
    setValues((typed) => ({ ...typed, [field]: value }));
    setErrors(({ [field]: _cleared, ...others }) => others);
  };
  const clearPassword = () => {
    change('password')('');
  };
  return { values, errors, setErrors, change, clearPassword };
}

/** The fields and button of a mode. Keeps what was typed on every failure. */
export function CredentialsForm({ mode, next, onMode, onLeave }: CredentialsFormProps) {
  const { values, errors, setErrors, change, clearPassword } = useCredentials();
  const [busy, setBusy] = useState(false);
  const [unconfirmed, setUnconfirmed] = useState('');
  const [mail, setMail] = useState<RequestedMail | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const newPassword = mode === 'signup' || setsPassword(mode);

  const submit = async () => {
    const { checkCredentials, submitAuth } = await loadSending();
    const { credentials, errors: found } = checkCredentials(mode, values);
    setErrors(found);
    if (!credentials) {
      focusFirstError(form.current, ['email', 'password'], found);
      return;
    }
    const outcome = await submitAuth(mode, credentials, next, place.current);
    setUnconfirmed(outcome.kind === 'unconfirmed' ? credentials.email : '');
    if (outcome.kind === 'leave') onLeave();
    if (outcome.kind === 'mode') {
      if (mode === 'signup' || mode === 'forgot') setMail({ mode, email: credentials.email });
      clearPassword();
      onMode(outcome.mode);
    }
  };

  return (
    <form
      ref={form}
      noValidate
      className="mt-8 grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        setBusy(true);
        submit()
          .catch((error: unknown) => {
            console.warn('The form could not be sent', error);
            showToast('An error occurred', {
              description: 'Please check your connection and try again.',
              tone: 'destructive',
            });
          })
          .finally(() => {
            setBusy(false);
          });
      }}
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
            form.current?.querySelector('input')?.focus();
          }}
        />
      ) : null}
      {setsPassword(mode) ? null : (
        <Field
          label="Email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={values.email}
          error={errors.email}
          onValue={change('email')}
        />
      )}
      {mode === 'forgot' ? null : (
        <PasswordField
          label="Password"
          value={values.password}
          error={errors.password}
          autoComplete={newPassword ? 'new-password' : 'current-password'}
          {...(newPassword ? { hint: 'At least 6 characters' } : {})}
          onValue={change('password')}
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
