import { failureOf, type AuthFailure } from './account.ts';
import { getSupabase } from '../supabase.ts';

type MailOutcome = { ok: true } | { ok: false; reason: AuthFailure };

/**
 * Mails a link for a new password; it leads to `returnTo`. The answer is the same whether or not the address has
 * an account. Throws when the service cannot be reached.
 */
export async function requestPasswordReset(email: string, returnTo: string): Promise<MailOutcome> {
  const { auth } = await getSupabase();
  const { error } = await auth.resetPasswordForEmail(email, { redirectTo: returnTo });
  return error ? failureOf(error, 'The mail for a new password') : { ok: true };
}

/** Mails the confirmation link of a new account again. Throws when the service cannot be reached. */
export async function resendConfirmation(email: string, returnTo: string): Promise<MailOutcome> {
  const { auth } = await getSupabase();
  const { error } = await auth.resend({
    type: 'signup',
    email,
    options: { emailRedirectTo: returnTo },
  });
  return error ? failureOf(error, 'The confirmation mail') : { ok: true };
}

/** Sets a new password for whoever is signed in (by a mailed link). Throws when the service cannot be reached. */
export async function setNewPassword(password: string): Promise<MailOutcome> {
  const { auth } = await getSupabase();
  const { error } = await auth.updateUser({ password });
  return error ? failureOf(error, 'The new password') : { ok: true };
}
