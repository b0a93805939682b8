import type { Credentials } from '#domain/checkout/forms.ts';
import { signIn, signUp, type AuthFailure, type AuthOutcome } from '#services/auth/account.ts';
import { requestAccountMail, setNewPassword } from '#services/auth/account-mail.ts';
import { HumanCheckError } from '#services/human/human-check-error.ts';
import { withHumanCheck } from '#services/human/human-check.ts';
import { storeAwaitedCode, type AwaitedCode } from '#services/storage/stored-awaited-code.ts';
import { rememberNext } from '#services/storage/stored-next-path.ts';
import { setSessionUser } from '#stores/session.ts';
import { showToastAcrossPages } from '#stores/toasts-across-pages.ts';
import { showToast } from '#stores/toasts.ts';
import { returnAddress } from './auth-address.ts';
import {
  explainFailure,
  failureTitles,
  securityCheckTitle,
  setsPassword,
  type AuthMode,
} from './auth-texts.ts';
import { reasonOf } from '#services/connection.ts';

/**
 * The form's next step: leave for `next`, wait for a code above the login, offer a new mail, offer what an account that is there
 * already needs, say at its field that the password is wrong, or stay.
 */
export type AuthNext =
  | { kind: 'leave' }
  | { kind: 'code'; awaited: AwaitedCode }
  | { kind: 'unconfirmed' }
  | { kind: 'known' }
  | { kind: 'wrong-password' }
  | { kind: 'stay' };

function ask(
  mode: AuthMode,
  credentials: Credentials,
  next: string,
  humanToken: string | undefined,
): Promise<AuthOutcome> {
  switch (mode) {
    case 'login':
      return signIn(credentials, humanToken);
    case 'signup':
      rememberNext(next);
      return signUp(credentials, returnAddress(), humanToken);
    case 'code':
    case 'forgot':
      rememberNext(next);
      return requestAccountMail(credentials.email, returnAddress(), humanToken);
    case 'reset':
    case 'confirm':
      return setNewPassword(credentials.password);
  }
}

/** The login, with a field for the code above it. */
function awaitCode(
  mode: AwaitedCode['mode'],
  email: string,
  type: AwaitedCode['type'] = 'recovery',
): AuthNext {
  const awaited: AwaitedCode = { mode, email, sentAt: Date.now(), type };
  storeAwaitedCode(awaited);
  return { kind: 'code', awaited };
}

function succeed(
  mode: AuthMode,
  email: string,
  isSignedIn: boolean,
  type: AwaitedCode['type'],
): AuthNext {
  if (isSignedIn) {
    showToastAcrossPages('Logged in successfully!', { tone: 'success' });
    return { kind: 'leave' };
  }
  switch (mode) {
    case 'login':
      throw new Error('The sign-in service sent no account. Please try again.');
    case 'signup':
      showToast(
        'Account created! Please check your email to confirm your account before logging in.',
        {
          tone: 'success',
          durationMs: 10_000,
        },
      );
      return awaitCode(mode, email, type);
    case 'code':
    case 'forgot':
      showToast('Please check your email', {
        description: 'If there is an account with this address, a code is on its way.',
        tone: 'success',
        durationMs: 10_000,
      });
      return awaitCode(mode, email);
    case 'reset':
    case 'confirm':
      showToastAcrossPages('Password saved', {
        description: 'You are logged in with it.',
        tone: 'success',
      });
      return { kind: 'leave' };
  }
}

/**
 * What a refusal offers. Whatever the reason, a sign-up that is refused may be of an address that has an account: everybody reads the
 * same, so nobody learns of one.
 */
function afterRefusal(mode: AuthMode, reason: AuthFailure): AuthNext {
  if (reason === 'unconfirmed') return { kind: 'unconfirmed' };
  if (mode === 'signup' && (reason === 'refused' || reason === 'too-many'))
    return { kind: 'known' };
  if (mode === 'login' && reason === 'refused') return { kind: 'wrong-password' };
  return { kind: 'stay' };
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
    const askAs = (step: AuthMode) =>
      withHumanCheck(setsPassword(step) ? null : place, 'account', (token) =>
        ask(step, credentials, next, token),
      );
    const asked = await askAs(mode);
    // The page says that a code was sent, so one is: of the account that is there. Nobody learns from the page which it was.
    const isUnmailed = asked.ok && asked.isUnmailed === true;
    const outcome = isUnmailed ? await askAs('code') : asked;
    const type = mode === 'signup' && !isUnmailed ? 'signup' : 'recovery';
    // Another tab of this sign-up may have saved the same password already.
    if (outcome.ok || (mode === 'confirm' && outcome.reason === 'same-password')) {
      const user = outcome.ok ? outcome.user : null;
      if (user) setSessionUser(user);
      return succeed(mode, credentials.email, Boolean(user), type);
    }
    const description = explainFailure(outcome.reason);
    showToast(outcome.reason === 'captcha' ? securityCheckTitle : failureTitles[mode], {
      tone: 'destructive',
      durationMs: 6_000,
      ...(description ? { description } : {}),
    });
    return afterRefusal(mode, outcome.reason);
  } catch (error) {
    console.warn('The sign-in service failed', error);
    const title = error instanceof HumanCheckError ? securityCheckTitle : 'An error occurred';
    showToast(title, { tone: 'destructive', durationMs: 6_000, description: reasonOf(error) });
    return { kind: 'stay' };
  }
}
