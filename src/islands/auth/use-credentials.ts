import { useState } from 'react';
import type { Credentials, FieldErrors } from '../../domain/checkout/forms.ts';

/** E-mail and password as typed, with a message each. The e-mail outlives a change of mode. */
export function useCredentials() {
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
