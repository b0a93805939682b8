import { userFromAuth, type User } from '#domain/account/session.ts';
import type { Credentials } from '#domain/checkout/forms.ts';
import { getSupabase } from '#services/supabase.ts';
import {
  forgetStoredSession,
  readStoredSession,
  readStoredToken,
} from '#services/storage/stored-session.ts';

/** The outcome of a sign-in or sign-up. `reason` is more precise than the spec's one message, where possible. */
export type AuthOutcome =
  | {
      ok: true;
      user?: User | null;
      /** A sign-up for an account that is there already: Auth says that it created it, but sends no mail. */
      isUnmailed?: boolean;
    }
  | { ok: false; reason: AuthFailure };
export type AuthFailure =
  | 'refused'
  | 'unconfirmed'
  | 'too-many'
  | 'weak-password'
  | 'same-password'
  | 'captcha'
  | 'wrong-code';

const reasons: Readonly<Record<string, AuthFailure>> = {
  email_not_confirmed: 'unconfirmed',
  over_email_send_rate_limit: 'too-many',
  over_request_rate_limit: 'too-many',
  weak_password: 'weak-password',
  same_password: 'same-password',
  captcha_failed: 'captcha',
  otp_expired: 'wrong-code',
};

interface AuthErrorLike {
  name: string;
  message: string;
  code?: string | undefined;
  status?: number | undefined;
}

/**
 * Sorts an error of the auth service: a refusal is an outcome, anything else (no network, a broken answer)
 * is thrown for the caller to tell. That the project may send no more mails in this hour is reported to /api/health.
 */
export function failureOf(error: AuthErrorLike, step: string): { ok: false; reason: AuthFailure } {
  const { status, code, message } = error;
  console.warn(`${step} was refused`, { status, code, message });
  // Whoever asks twice within a minute gets the same code; that is no fault of the shop's.
  if (code === 'over_email_send_rate_limit' && !message.includes('only request this after'))
    navigator.sendBeacon('/api/sign-up-refused');
  // The function that sends the mail did not answer Auth in time.
  const isUnsent = code?.startsWith('hook_timeout') === true;
  if (status === undefined || status === 0 || status >= 500 || isUnsent) {
    throw new Error('The sign-in service cannot be reached. Please try again.');
  }
  return { ok: false, reason: reasons[code ?? ''] ?? (status === 429 ? 'too-many' : 'refused') };
}

/** The token of the security check as the auth service takes it. */
export const captchaOption = (token: string | undefined): { captchaToken?: string } =>
  token === undefined ? {} : { captchaToken: token };

/** Signs in with e-mail and password. Throws when the service cannot be reached. */
export async function signIn(
  { email, password }: Credentials,
  humanToken: string | undefined,
): Promise<AuthOutcome> {
  const { auth } = await getSupabase();
  const { data, error } = await auth.signInWithPassword({
    email,
    password,
    options: captchaOption(humanToken),
  });
  return error ? failureOf(error, 'Login') : { ok: true, user: userFromAuth(data.user) };
}

/**
 * Creates an account; its confirmation link leads to `returnTo`, a full address on this site. `user` is null until
 * the address is confirmed. An address with a confirmed account gets the same answer, without identities and without a mail.
 */
export async function signUp(
  { email, password, name = '' }: Credentials & { name?: string },
  returnTo: string,
  humanToken: string | undefined,
): Promise<AuthOutcome> {
  const { auth } = await getSupabase();
  const { data, error } = await auth.signUp({
    email,
    password,
    options: {
      data: { name, full_name: name },
      emailRedirectTo: returnTo,
      ...captchaOption(humanToken),
    },
  });
  if (error) return failureOf(error, 'Registration');
  const isUnmailed = data.user?.identities?.length === 0;
  return { ok: true, user: data.session ? userFromAuth(data.user) : null, isUnmailed };
}

/**
 * Signs out in this browser, all its tabs. True when nobody is signed in here any more, also when the service could
 * not be told; the failure is logged.
 */
export async function signOut(): Promise<boolean> {
  try {
    const { auth } = await getSupabase();
    const { error } = await auth.signOut({ scope: 'local' });
    if (!error) return true;
    console.error('Logout failed', error.message);
  } catch (error) {
    console.error('Logout failed', error);
  }
  // A logout on a shared computer must work without a network, too.
  forgetStoredSession();
  return readStoredSession() === null;
}

/** A valid access token of the signed-in customer, refreshed if need be; null when nobody is signed in. */
export async function getAccessToken(): Promise<string | null> {
  const stored = readStoredToken();
  if (stored !== null) return stored;
  // Without any session there is nothing to refresh, and no library to load.
  if (readStoredSession() === null) return null;
  const { auth } = await getSupabase();
  const { data } = await auth.getSession();
  return data.session?.access_token ?? null;
}

/** Calls back with the user at every sign-in, refresh and sign-out from now on. Returns a function that stops it. */
export async function watchUser(onUser: (user: User | null) => void): Promise<() => void> {
  const { auth } = await getSupabase();
  const { data } = auth.onAuthStateChange((_event, session) => {
    onUser(session ? userFromAuth(session.user) : null);
  });
  return () => {
    data.subscription.unsubscribe();
  };
}
