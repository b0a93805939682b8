import { userFromAuth, type User } from '#domain/account/session.ts';
import { captchaOption, failureOf, type AuthFailure } from './account.ts';
import { getSupabase } from '#services/supabase.ts';

type MailOutcome = { ok: true } | { ok: false; reason: AuthFailure };

/**
 * Mails a code and a link that open the account, also one whose address is not confirmed yet; the link leads to `returnTo`. The
 * answer is the same whether or not the address has an account. Throws when the service cannot be reached.
 */
export async function requestAccountMail(
  email: string,
  returnTo: string,
  humanToken: string | undefined,
): Promise<MailOutcome> {
  const { auth } = await getSupabase();
  const { error } = await auth.resetPasswordForEmail(email, {
    redirectTo: returnTo,
    ...captchaOption(humanToken),
  });
  return error ? failureOf(error, 'The mail with a code') : { ok: true };
}

/**
 * Signs in with the code of a mail: `signup` is the first mail of a new account, `recovery` every later one. Auth answers
 * `otp_expired` to a wrong, a used and an expired code alike (supabase/auth, internal/api/verify.go). Throws when the service cannot
 * be reached.
 */
export async function redeemCode(
  email: string,
  code: string,
  type: 'signup' | 'recovery',
): Promise<{ ok: true; user: User } | { ok: false; reason: AuthFailure }> {
  const { auth } = await getSupabase();
  const { data, error } = await auth.verifyOtp({ email, token: code, type });
  if (error) return failureOf(error, 'The code');
  const user = data.session ? userFromAuth(data.session.user) : null;
  return user ? { ok: true, user } : { ok: false, reason: 'wrong-code' };
}

/**
 * Sets the password of whoever is signed in by a mailed code or link, and ends their sessions elsewhere. Throws when the service
 * cannot be reached.
 */
export async function setNewPassword(password: string): Promise<MailOutcome> {
  const { auth } = await getSupabase();
  const { error } = await auth.updateUser({ password });
  if (error) return failureOf(error, 'The new password');
  const { error: kept } = await auth.signOut({ scope: 'others' });
  if (kept) console.warn('Sessions elsewhere were not ended', kept.message);
  return { ok: true };
}
