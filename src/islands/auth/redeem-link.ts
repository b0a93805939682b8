import { redeemMailedLink, type MailedLink, type OpenedLink } from '#services/auth/mailed-link.ts';
import { $session, setSessionUser } from '#stores/session.ts';
import { explainFailure } from './auth-texts.ts';

/** What a press brought: the customer is signed in, must agree to another account, needs a new code, or may press again. */
export type LinkOutcome =
  | { kind: 'signed-in' }
  | { kind: 'other-account'; opened: OpenedLink }
  | { kind: 'spent' }
  | { kind: 'again'; message: string };

const unreachable = 'The sign-in service cannot be reached. Please try again.';

/** Signs in with a link that the customer agreed to. Never throws. */
export async function signInWith(opened: OpenedLink): Promise<LinkOutcome> {
  try {
    const user = await opened.signIn();
    if (!user) return { kind: 'spent' };
    setSessionUser(user);
    return { kind: 'signed-in' };
  } catch (error) {
    console.warn('The session of a link could not be opened', error);
    return { kind: 'again', message: unreachable };
  }
}

/**
 * Redeems a mailed link after the customer's press. Anybody can send somebody a link into an account of their own, and then read what is
 * typed at the checkout: it signs in at once only into the account that the page named before the press. Never throws.
 */
export async function redeemLink(link: MailedLink): Promise<LinkOutcome> {
  try {
    const redeemed = await redeemMailedLink(link);
    if (!redeemed.ok) {
      if (redeemed.reason !== 'too-many') return { kind: 'spent' };
      return { kind: 'again', message: explainFailure(redeemed.reason) ?? unreachable };
    }
    const { opened } = redeemed;
    const session = $session.get();
    const present = session.state === 'signed-in' ? session.user.id : null;
    return opened.user.email.toLowerCase() === link.email || opened.user.id === present
      ? await signInWith(opened)
      : { kind: 'other-account', opened };
  } catch (error) {
    console.warn('A link from a mail could not be used', error);
    return { kind: 'again', message: unreachable };
  }
}
