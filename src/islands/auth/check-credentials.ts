import * as z from 'zod/mini';
import {
  credentialsSchema,
  newPasswordSchema,
  parseForm,
  type Credentials,
  type FormResult,
} from '#domain/checkout/forms.ts';
import { setsPassword, type AuthMode } from './auth-texts.ts';

const emailOnly = z.pick(credentialsSchema, { email: true });
const newPassword = z.object({ password: newPasswordSchema });
const newAccount = z.extend(credentialsSchema, newPassword.shape);

/** Validates the fields of a mode; the other field is returned empty. */
export function checkCredentials(mode: AuthMode, values: Credentials): FormResult<Credentials> {
  const result =
    mode === 'forgot' || mode === 'code'
      ? parseForm(emailOnly, values)
      : setsPassword(mode)
        ? parseForm(newPassword, values)
        : parseForm(mode === 'signup' ? newAccount : credentialsSchema, values);
  return result.ok
    ? { ok: true, values: { email: '', password: '', ...result.values } }
    : { ok: false, errors: result.errors };
}
