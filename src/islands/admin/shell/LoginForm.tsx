import { useRef, useState } from 'react';
import { PasswordField } from '../../shared/PasswordField.tsx';
import { BusyButton } from '../../shared/BusyButton.tsx';
import { submitPassword } from './log-in.ts';

/** The password and its button. Enter sends it; what was typed stays when it is refused. */
export function LoginForm() {
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const submit = async () => {
    const reason = password === '' ? 'Password is required' : await submitPassword(password);
    if (reason === null) return;
    setProblem(reason);
    setBusy(false);
    form.current?.querySelector<HTMLInputElement>('input[name=password]')?.focus();
  };
  return (
    <form
      ref={form}
      noValidate
      className="mt-6 grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        setBusy(true);
        void submit();
      }}
    >
      {/* Password managers keep a password under a name. */}
      <input type="text" name="username" autoComplete="username" value="admin" readOnly hidden />
      <PasswordField
        label="Password"
        value={password}
        error={problem}
        autoComplete="current-password"
        onValue={(value) => {
          setPassword(value);
          setProblem(undefined);
        }}
      />
      <BusyButton busy={busy} busyText="Loading...">
        Login
      </BusyButton>
    </form>
  );
}
