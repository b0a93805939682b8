import type { Credentials } from '../../domain/checkout/forms.ts';
import { signIn, signUp, type AuthOutcome } from '../../services/auth/account.ts';
import { requestPasswordReset, setNewPassword } from '../../services/auth/account-mail.ts';
import { HumanCheckError } from '../../services/human/human-check-error.ts';
import { withHumanCheck } from '../../services/human/human-check.ts';
import { rememberMailRequest } from '../../services/storage/stored-mail-request.ts';
import { rememberNext } from '../../services/storage/stored-next-path.ts';
import { setSessionUser } from '../../stores/session.ts';
import { showToast, showToastAcrossPages } from '../../stores/toasts.ts';
import { returnAddress } from './auth-address.ts';
import {
  explainFailure,
  failureTitles,
  securityCheckTitle,
  setsPassword,
  type AuthMode,
} from './auth-texts.ts';

/** What the form does next: leave for `next`, change its mode, offer the confirmation mail again, or stay. */
export type AuthNext =
  { kind: 'leave' } | { kind: 'mode'; mode: AuthMode } | { kind: 'unconfirmed' } | { kind: 'stay' };

function ask(
  mode: AuthMode,
  credentials: Credentials,
  next: string,
  humanToken: string | undefined,
): Promise<AuthOutcome | { ok: true }> {
  switch (mode) {
    case 'login':
      return signIn(credentials, humanToken);
    case 'signup':
      rememberNext(next);
      rememberMailRequest(credentials.email);
      return signUp(credentials, returnAddress(), humanToken);
    case 'forgot':
      rememberNext(next);
      rememberMailRequest(credentials.email);
      return requestPasswordReset(credentials.email, returnAddress(), humanToken);
    case 'reset':
    case 'confirm':
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
    case 'confirm':
      showToastAcrossPages('Password saved', {
        description: 'You are logged in with it.',
        tone: 'success',
      });
      return { kind: 'leave' };
  }
}

/** Sends the form of a mode and shows the outcome in a toast (spec section 8). `place` is that of the security check. Never throws. */
export async function submitAuth(
  mode: AuthMode,
  credentials: Credentials,
  next: string,
  place: HTMLElement | null,
): Promise<AuthNext> {
  try {
    // The auth service asks for a token in front of everything but the changes of a signed-in account.
    const outcome = await withHumanCheck(setsPassword(mode) ? null : place, 'account', (token) =>
      ask(mode, credentials, next, token),
    );
    if (outcome.ok) {
      if ('user' in outcome && outcome.user) setSessionUser(outcome.user);
      return succeed(mode, outcome);
    }
    const description = explainFailure(outcome.reason);
    showToast(outcome.reason === 'captcha' ? securityCheckTitle : failureTitles[mode], {
      tone: 'destructive',
      durationMs: 6_000,
      ...(description ? { description } : {}),
    });
    return outcome.reason === 'unconfirmed' ? { kind: 'unconfirmed' } : { kind: 'stay' };
  } catch (error) {
    console.warn('The sign-in service failed', error);
    const description =
      error instanceof Error && error.message ? { description: error.message } : {};
    const title = error instanceof HumanCheckError ? securityCheckTitle : 'An error occurred';
    showToast(title, { tone: 'destructive', durationMs: 6_000, ...description });
    return { kind: 'stay' };
  }
}
