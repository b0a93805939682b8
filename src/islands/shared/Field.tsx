import { useId, type ComponentProps } from 'react';

type InputProps = Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'id'>;

interface FieldProps extends InputProps {
  label: string;
  name: string;
  value: string;
  onValue: (value: string) => void;
  error?: string | undefined;
  hint?: string;
  /** Draws a text area of so many rows. */
  rows?: number;
}

/** A labelled input whose message is tied to it, so that screen readers read both together. */
export function Field({
  label,
  value,
  onValue,
  error,
  hint,
  rows,
  className = '',
  ...input
}: FieldProps) {
  // React's own id begins with '_'.
  const id = `field${useId()}`;
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : '']
    .filter(Boolean)
    .join(' ');
  const shared = {
    id,
    value,
    className: 'field-input',
    'aria-invalid': error ? true : undefined,
    'aria-describedby': described || undefined,
  } as const;
  return (
    <div className={`field content-start ${className}`}>
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {rows === undefined ? (
        <input
          {...input}
          {...shared}
          onChange={(event) => {
            onValue(event.currentTarget.value);
          }}
        />
      ) : (
        <textarea
          {...shared}
          name={input.name}
          rows={rows}
          autoComplete={input.autoComplete}
          onChange={(event) => {
            onValue(event.currentTarget.value);
          }}
        />
      )}
      {/* The error first: beside what it is about. */}
      {error ? (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
      {hint ? (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}
