import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { CodeField } from '#features/second-factor/CodeField.tsx';
import { PasswordField } from '#islands/shared/PasswordField.tsx';
import { BusyButton } from '#islands/shared/BusyButton.tsx';
import { useForm } from '#islands/shared/use-form.ts';
import { submitLogin } from './log-in.ts';
import { reasonOf } from '#services/connection.ts';

const loadCodeField = () =>
  import('#features/second-factor/CodeField.tsx').then((module) => module.CodeField);

/**
 * The password and its button; after it the code, when a second factor is turned on. Enter sends it; what was typed stays when
 * it is refused.
 */
export function LoginForm({ note }: { note?: string }) {
  const { values, ref, early, busy, bind, refuse, submit } = useForm(() => ({
    password: '',
    code: '',
  }));
  const [step, setStep] = useState<'password' | 'code'>('password');
  /** Loaded when a code is required: most shops have no second factor. */
  const [Code, setCode] = useState<typeof CodeField | null>(null);
  const [recovery, setRecovery] = useState(false);
  useEffect(() => {
    if (step === 'code') ref.current?.querySelector<HTMLElement>('input[name=code]')?.focus();
  }, [step, ref]);
  const send = async () => {
    const { password, code } = values;
    if (password === '') {
      refuse({ password: 'Password is required' });
      return;
    }
    if (step === 'code' && code.trim() === '') {
      refuse({ code: 'Enter the code' });
      return;
    }
    const refusal = await submitLogin(step === 'code' ? { password, code } : { password });
    if (refusal === null) return;
    const field = refusal.field === 'code' ? await loadCodeField() : undefined;
    // The field is on screen before its message and the focus.
    flushSync(() => {
      if (field) setCode(() => field);
      setStep(refusal.field);
    });
    if (refusal.reason !== null) refuse({ [refusal.field]: refusal.reason });
  };
  return (
    <>
      {step === 'password' ? <p className="text-ink-700">Enter password</p> : null}
      {note === undefined ? null : <p className="mt-2 text-sm text-ink-500">{note}</p>}
      <form
        ref={ref}
        {...early}
        noValidate
        className="mt-6 grid gap-5"
        onSubmit={(event) =>
          void submit(event, send, (error) => {
            console.warn('The field for the code could not be loaded', error);
            refuse({ password: reasonOf(error) });
          })
        }
      >
        {/* Password managers keep a password under a name. */}
        <input type="text" name="username" autoComplete="username" value="admin" readOnly hidden />
        {step === 'password' || Code === null ? (
          <PasswordField {...bind('password')} label="Password" autoComplete="current-password" />
        ) : (
          <Code {...bind('code')} recovery={recovery} onRecovery={setRecovery} />
        )}
        <BusyButton busy={busy} busyText="Loading...">
          Login
        </BusyButton>
      </form>
    </>
  );
}
