import { PasswordField } from '../../shared/PasswordField.tsx';
import { BusyButton } from '../../shared/BusyButton.tsx';
import { useForm } from '../../shared/use-form.ts';
import { submitPassword } from './log-in.ts';

/** The password and its button. Enter sends it; what was typed stays when it is refused. */
export function LoginForm() {
  const { values, ref, busy, bind, refuse, submit } = useForm(() => ({ password: '' }));
  const send = async () => {
    const { password } = values;
    const reason = password === '' ? 'Password is required' : await submitPassword(password);
    if (reason !== null) refuse({ password: reason });
  };
  return (
    <form
      ref={ref}
      noValidate
      className="mt-6 grid gap-5"
      onSubmit={(event) => void submit(event, send)}
    >
      {/* Password managers keep a password under a name. */}
      <input type="text" name="username" autoComplete="username" value="admin" readOnly hidden />
      <PasswordField {...bind('password')} label="Password" autoComplete="current-password" />
      <BusyButton busy={busy} busyText="Loading...">
        Login
      </BusyButton>
    </form>
  );
}
