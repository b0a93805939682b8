import { flushSync } from 'react-dom';
import { Field } from '#islands/shared/Field.tsx';

interface CodeFieldProps {
  name: string;
  value: string;
  error: string | undefined;
  onValue: (value: string) => void;
  /** Asks for a recovery code instead of one of the app. */
  recovery: boolean;
  onRecovery: (recovery: boolean) => void;
}

/** The code of a second factor: of the authenticator app, or a recovery code. */
export function CodeField({ recovery, onRecovery, ...bound }: CodeFieldProps) {
  return (
    <div className="grid justify-items-start gap-1">
      {recovery ? (
        <Field
          key="recovery"
          {...bound}
          className="w-full"
          label="Enter one of your recovery codes"
          hint="Six groups of four letters and digits. Each code works once."
          required
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      ) : (
        <Field
          key="app"
          {...bound}
          className="w-full"
          label="Enter the 6-digit code from your authenticator app"
          required
          inputMode="numeric"
          autoComplete="one-time-code"
        />
      )}
      <button
        type="button"
        className="link min-h-11 cursor-pointer text-sm text-ink-700"
        onClick={({ currentTarget }) => {
          flushSync(() => {
            bound.onValue('');
            onRecovery(!recovery);
          });
          currentTarget.parentElement?.querySelector('input')?.focus();
        }}
      >
        {recovery ? 'Use the authenticator app' : 'Use a recovery code'}
      </button>
    </div>
  );
}
