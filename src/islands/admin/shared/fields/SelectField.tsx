import { useId } from 'react';

interface SelectFieldProps<Value extends string> {
  label: string;
  /** The label is for screen readers only: the options say what the field is about. */
  labelHidden?: boolean;
  name?: string;
  value: Value;
  /** Each value with its label. */
  options: readonly (readonly [value: Value, label: string])[];
  required?: boolean;
  error?: string | undefined;
  hint?: string;
  className?: string;
  onValue: (value: Value) => void;
}

/** A labelled list of choices whose message is tied to it. */
export function SelectField<Value extends string>({
  label,
  labelHidden = false,
  name,
  value,
  options,
  required = false,
  error,
  hint,
  className = '',
  onValue,
}: SelectFieldProps<Value>) {
  const id = `field${useId()}`;
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : '']
    .filter(Boolean)
    .join(' ');
  return (
    <div className={`field content-start ${className}`}>
      <label className={labelHidden ? 'visually-hidden' : 'field-label'} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        name={name}
        className="field-input"
        required={required}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        onChange={(event) => {
          const chosen = options.find(([known]) => known === event.currentTarget.value);
          if (chosen) onValue(chosen[0]);
        }}
      >
        {options.map(([known, text]) => (
          <option key={known} value={known}>
            {text}
          </option>
        ))}
      </select>
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
