import type { User } from '../../domain/account/session.ts';
import {
  redeemMailedLink,
  withoutMailedLink,
  type MailedLink,
  type OpenedLink,
} from '../../services/auth/mailed-link.ts';
import { takeMailRequest } from '../../services/storage/stored-mail-request.ts';
import { $session, setSessionUser } from '../../stores/session.ts';
import { showToastAcrossPages } from '../../stores/toasts-across-pages.ts';
import { showToast } from '../../stores/toasts.ts';
import { explainLink, type AuthMode } from './auth-texts.ts';

/** Whether the customer wants to be signed in as this account. */
export type AskToSignIn = (user: User) => Promise<boolean>;

/**
 * A link signs in without asking only where its mail was requested: anybody can send somebody a link into an account of their
 * own, and then read what is typed at the checkout.
 */
async function mayOpen({ user }: OpenedLink, ask: AskToSignIn): Promise<boolean> {
  const requested = takeMailRequest(user.email);
  const session = $session.get();
  if (session.state === 'signed-in' ? session.user.id === user.id : requested) return true;
  return ask(user);
}

/**
 * The mode after a link. The link of a sign-up is followed by the password: the account may have been registered by somebody
 * else, who knows the first one.
 */
function modeAfter(link: MailedLink, mode: AuthMode): AuthMode {
  const type = 'type' in link ? link.type : '';
  if (mode === 'reset' || type === 'recovery') return 'reset';
  return type === 'email_change' ? 'login' : 'confirm';
}

/**
 * Redeems a mailed link, shows the result and returns the next mode; a signed-in customer then leaves a
 * mode that sets no password. Cleans the URL first, so that a reload does not use the link twice. `ask` is
 * called when somebody else is signed in, or the mail was not requested in this browser. Never throws.
 */
export async function redeemLink(
  link: MailedLink,
  mode: AuthMode,
  ask: AskToSignIn,
): Promise<AuthMode> {
  window.history.replaceState(
    window.history.state,
    '',
    withoutMailedLink(new URL(window.location.href)),
  );
  const after = modeAfter(link, mode);
  try {
    const opened = await redeemMailedLink(link);
    if (opened && !(await mayOpen(opened, ask))) return 'login';
    const user = opened ? await opened.signIn() : null;
    if (user) {
      if (after === 'login') {
        const description = `You are signed in as ${user.email}.`;
        showToastAcrossPages('Your e-mail is confirmed', { description, tone: 'success' });
      } else window.history.replaceState(window.history.state, '', `/auth?mode=${after}`);
      setSessionUser(user);
      return after;
    }
    const description = explainLink(link.kind === 'refused' ? link.code : '');
    showToast('This link does not work any more', {
      description,
      tone: 'destructive',
      durationMs: 10_000,
    });
  } catch (error) {
    console.warn('A link from a mail could not be used', error);
    showToast('An error occurred', {
      description: 'Please open the link again.',
      tone: 'destructive',
    });
  }
  return after === 'reset' ? 'forgot' : 'login';
}
