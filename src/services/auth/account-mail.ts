import { captchaOption, failureOf, type AuthFailure } from './account.ts';
import { getSupabase } from '../supabase.ts';

type MailOutcome = { ok: true } | { ok: false; reason: AuthFailure };

/**
 * Mails a link for a new password; it leads to `returnTo`. The answer is the same whether or not the address has
 * an account. Throws when the service cannot be reached.
 */
export async function requestPasswordReset(
  email: string,
  returnTo: string,
  humanToken: string | undefined,
): Promise<MailOutcome> {
  const { auth } = await getSupabase();
  const { error } = await auth.resetPasswordForEmail(email, {
    redirectTo: returnTo,
    ...captchaOption(humanToken),
  });
  return error ? failureOf(error, 'The mail for a new password') : { ok: true };
}

/** Mails the confirmation link of a new account again. Throws when the service cannot be reached. */
export async function resendConfirmation(
  email: string,
  returnTo: string,
  humanToken: string | undefined,
): Promise<MailOutcome> {
  const { auth } = await getSupabase();
  const { error } = await auth.resend({
    type: 'signup',
    email,
    options: { emailRedirectTo: returnTo, ...captchaOption(humanToken) },
  });
  return error ? failureOf(error, 'The confirmation mail') : { ok: true };
}

/**
 * Sets the password of whoever is signed in by a mailed link, and ends their sessions elsewhere. Throws when the service cannot be
 * reached.
 */
export async function setNewPassword(password: string): Promise<MailOutcome> {
  const { auth } = await getSupabase();
  const { error } = await auth.updateUser({ password });
  if (error) return failureOf(error, 'The new password');
  const { error: kept } = await auth.signOut({ scope: 'others' });
  if (kept) console.warn('Sessions elsewhere were not ended', kept.message);
  return { ok: true };
}
