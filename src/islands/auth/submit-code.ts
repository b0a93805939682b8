import type { User } from '#domain/account/session.ts';
import { codeLifetimeMs } from '#domain/account/mailed-code.ts';
import { redeemCode, requestAccountMail, setNewPassword } from '#services/auth/account-mail.ts';
import { HumanCheckError } from '#services/human/human-check-error.ts';
import { withHumanCheck } from '#services/human/human-check.ts';
import {
  forgetAwaitedCode,
  storeAwaitedCode,
  type AwaitedCode,
} from '#services/storage/stored-awaited-code.ts';
import { setSessionUser } from '#stores/session.ts';
import { showToastAcrossPages } from '#stores/toasts-across-pages.ts';
import { showToast } from '#stores/toasts.ts';
import { returnAddress } from './auth-address.ts';
import { explainFailure } from './auth-texts.ts';

/** The step after a code: the page is left, a password is chosen, or `message` is why the code was refused, in one sentence. */
export type CodeOutcome =
  | { kind: 'leave' }
  | { kind: 'mode'; mode: 'reset' | 'confirm' }
  | { kind: 'refused'; message: string };

const refused = 'This code cannot be used. Please send a new one.';
const unreachable = 'The sign-in service cannot be reached. Please try again.';

/**
 * Sets the password that the customer typed into the sign-up of this page. True when the account has it. False when it must be
 * chosen again; the reason is logged. docs/decisions/0023 has why this is safe.
 */
export async function keepTypedPassword(password: string): Promise<boolean> {
  if (password === '') return false;
  try {
    const outcome = await setNewPassword(password);
    return outcome.ok || outcome.reason === 'same-password';
  } catch (error) {
    console.warn('The password of the sign-up could not be saved', error);
    return false;
  }
}

/** Shows the customer as signed in, with the mode that the mail was requested for. */
async function enter({ mode }: AwaitedCode, user: User, password: string): Promise<CodeOutcome> {
  const hasPassword = mode === 'signup' && (await keepTypedPassword(password));
  setSessionUser(user);
  if (mode === 'code' || hasPassword) {
    showToastAcrossPages('Logged in successfully!', { tone: 'success' });
    return { kind: 'leave' };
  }
  const next = mode === 'signup' ? 'confirm' : 'reset';
  window.history.replaceState(window.history.state, '', `/auth?mode=${next}`);
  return { kind: 'mode', mode: next };
}

/** Redeems the code of a mail. `password` was typed into the sign-up of this page, or is ''. Never throws. */
export async function submitCode(
  awaited: AwaitedCode,
  code: string,
  password: string,
): Promise<CodeOutcome> {
  if (awaited.sentAt + codeLifetimeMs < Date.now())
    return { kind: 'refused', message: 'This code has expired. Please send a new one.' };
  try {
    const outcome = await redeemCode(awaited.email, code, awaited.type);
    if (!outcome.ok) return { kind: 'refused', message: explainFailure(outcome.reason) ?? refused };
    forgetAwaitedCode();
    return await enter(awaited, outcome.user, password);
  } catch (error) {
    console.warn('The code could not be redeemed', error);
    return { kind: 'refused', message: unreachable };
  }
}

/**
 * Requests another mail with a code, and shows the outcome in a toast. `place` is that of the security check. Returns what the page
 * waits for then. Never throws.
 */
export async function sendNewCode(
  awaited: Pick<AwaitedCode, 'mode' | 'email'>,
  place: HTMLElement | null,
): Promise<AwaitedCode | null> {
  const { mode, email } = awaited;
  const title = 'The mail could not be sent';
  try {
    const outcome = await withHumanCheck(place, 'account', (token) =>
      requestAccountMail(email, returnAddress(), token),
    );
    if (!outcome.ok) {
      const description = explainFailure(outcome.reason) ?? 'Please try again later.';
      showToast(title, { description, tone: 'destructive' });
      return null;
    }
    showToast('Mail sent', { description: `Please check the mail of ${email}.`, tone: 'success' });
    const renewed: AwaitedCode = { mode, email, sentAt: Date.now(), type: 'recovery' };
    storeAwaitedCode(renewed);
    return renewed;
  } catch (error) {
    console.warn('The mail could not be requested', error);
    const description = error instanceof HumanCheckError ? error.message : unreachable;
    showToast(title, { description, tone: 'destructive' });
    return null;
  }
}
