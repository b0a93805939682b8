import { useId, useState } from 'react';
import { Icon } from './Icon.tsx';

interface PasswordFieldProps {
  label: string;
  value: string;
  error?: string | undefined;
  /** 'new-password' lets password managers offer one. */
  autoComplete: 'current-password' | 'new-password';
  hint?: string;
  onValue: (value: string) => void;
}

/** A password input with a button that shows what is typed. */
export function PasswordField({
  label,
  value,
  error,
  autoComplete,
  hint,
  onValue,
}: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const id = `field${useId()}`;
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : '']
    .filter(Boolean)
    .join(' ');
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          name="password"
          className="field-input pr-12"
          type={shown ? 'text' : 'password'}
          value={value}
          required
          autoComplete={autoComplete}
          autoCapitalize={shown ? 'none' : undefined}
          spellCheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          onChange={(event) => {
            onValue(event.currentTarget.value);
          }}
        />
        <button
          type="button"
          className="icon-btn absolute inset-y-0 right-0 my-auto"
          aria-label={shown ? 'Hide password' : 'Show password'}
          onClick={() => {
            setShown(!shown);
          }}
        >
          <Icon name={shown ? 'eye-off' : 'eye'} />
        </button>
      </div>
      {hint ? (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
    </div>
  );
}
