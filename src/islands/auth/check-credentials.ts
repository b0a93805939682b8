import * as z from 'zod/mini';
import {
  credentialsSchema,
  parseForm,
  type Credentials,
  type FormResult,
} from '../../domain/checkout/forms.ts';
import { setsPassword, type AuthMode } from './auth-texts.ts';

const emailOnly = z.pick(credentialsSchema, { email: true });
const passwordOnly = z.pick(credentialsSchema, { password: true });

/** Validates the fields of a mode; the other field is returned empty. */
export function checkCredentials(mode: AuthMode, values: Credentials): FormResult<Credentials> {
  const result =
    mode === 'forgot' || mode === 'code'
      ? parseForm(emailOnly, values)
      : setsPassword(mode)
        ? parseForm(passwordOnly, values)
        : parseForm(credentialsSchema, values);
  return result.ok
    ? { ok: true, values: { email: '', password: '', ...result.values } }
    : { ok: false, errors: result.errors };
}
