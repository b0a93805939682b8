import { useRef, useState, type RefObject } from 'react';
import { focusFirstError } from '../../shared/focus-field.ts';

interface BoundField<Name extends string> {
  name: Name;
  value: string;
  error: string | undefined;
  autoComplete: string;
  onValue: (value: string) => void;
}

interface TypedFields<Name extends string> {
  values: Record<Name, string>;
  form: RefObject<HTMLFormElement | null>;
  /** The props that tie a `Field` to its value and message. */
  bind: (name: Name) => BoundField<Name>;
  /** Shows the messages and moves the focus to the first field that has one. */
  refuse: (errors: Readonly<Record<string, string | undefined>>) => void;
}

/** What is typed into a form's text fields, with a message at each; typing into a field takes its message away. */
export function useTypedFields<Name extends string>(
  initial: () => Record<Name, string>,
): TypedFields<Name> {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Readonly<Record<string, string | undefined>>>({});
  const form = useRef<HTMLFormElement>(null);
  return {
    values,
    form,
    bind: (name) => ({
      ...{ name, value: values[name], error: errors[name], autoComplete: 'off' },
      onValue: (value) => {
        setValues((typed) => ({ ...typed, [name]: value }));
        setErrors((shown) => ({ ...shown, [name]: undefined }));
      },
    }),
    refuse: (found) => {
      setErrors(found);
      focusFirstError(form.current, Object.keys(values), found);
    },
  };
}
