import type { Credentials } from '../../domain/checkout/forms.ts';
import { signIn, signUp, type AuthOutcome } from '../../services/auth/account.ts';
import { requestPasswordReset, setNewPassword } from '../../services/auth/account-mail.ts';
import { rememberMailRequest } from '../../services/storage/stored-mail-request.ts';
import { rememberNext } from '../../services/storage/stored-next-path.ts';
import { setSessionUser } from '../../stores/session.ts';
import { showToast, showToastAcrossPages } from '../../stores/toasts.ts';
import { returnAddress } from './auth-address.ts';
import { explainFailure, failureTitles, type AuthMode } from './auth-texts.ts';

/** What the form does next: leave for `next`, change its mode, offer the confirmation mail again, or stay. */
export type AuthNext =
  { kind: 'leave' } | { kind: 'mode'; mode: AuthMode } | { kind: 'unconfirmed' } | { kind: 'stay' };

function ask(
  mode: AuthMode,
  credentials: Credentials,
  next: string,
): Promise<AuthOutcome | { ok: true }> {
  switch (mode) {
    case 'login':
      return signIn(credentials);
    case 'signup':
      rememberNext(next);
      rememberMailRequest(credentials.email);
      return signUp(credentials, returnAddress());
    case 'forgot':
      rememberNext(next);
      rememberMailRequest(credentials.email);
      return requestPasswordReset(credentials.email, returnAddress());
    case 'reset':
      return setNewPassword(credentials.password);
  }
}

function succeed(mode: AuthMode, outcome: object): AuthNext {
  if ('user' in outcome && outcome.user) {
    showToastAcrossPages('Logged in successfully!', { tone: 'success' });
    return { kind: 'leave' };
  }
  switch (mode) {
    case 'login':
    case 'signup':
      showToast(
        'Account created! Please check your email to confirm your account before logging in.',
        {
          tone: 'success',
          durationMs: 10_000,
        },
      );
      return { kind: 'mode', mode: 'login' };
    case 'forgot':
      showToast('Please check your email', {
        description:
          'If there is an account with this address, a link to set a new password is on its way.',
        tone: 'success',
        durationMs: 10_000,
      });
      return { kind: 'mode', mode: 'login' };
    case 'reset':
      showToastAcrossPages('Password saved', {
        description: 'You are logged in with it.',
        tone: 'success',
      });
      return { kind: 'leave' };
  }
}

/** Sends the form of a mode and tells what came of it in a toast (spec section 8). Never throws. */
export async function submitAuth(
  mode: AuthMode,
  credentials: Credentials,
  next: string,
): Promise<AuthNext> {
  try {
    const outcome = await ask(mode, credentials, next);
    if (outcome.ok) {
      if ('user' in outcome && outcome.user) setSessionUser(outcome.user);
      return succeed(mode, outcome);
    }
    const description = explainFailure(outcome.reason);
    showToast(failureTitles[mode], {
      tone: 'destructive',
      durationMs: 6_000,
      ...(description ? { description } : {}),
    });
    return outcome.reason === 'unconfirmed' ? { kind: 'unconfirmed' } : { kind: 'stay' };
  } catch (error) {
    console.warn('The sign-in service failed', error);
    const description =
      error instanceof Error && error.message ? { description: error.message } : {};
    showToast('An error occurred', { tone: 'destructive', durationMs: 6_000, ...description });
    return { kind: 'stay' };
  }
}
