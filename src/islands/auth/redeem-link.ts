import { openMailedLink, withoutMailedLink, type MailedLink } from '../../services/auth/mailed-link.ts';
import { setSessionUser } from '../../stores/session.ts';
import { showToast, showToastAcrossPages } from '../../stores/toasts.ts';
import { explainLink, type AuthMode } from './auth-texts.ts';

/**
 * Uses a mailed link, tells what came of it and returns the mode to go on with; whoever is signed in then leaves a
 * mode other than 'reset' by itself. The address is cleaned first, so that a reload does not use the link twice.
 * Never throws.
 */
export async function redeemLink(link: MailedLink, mode: AuthMode): Promise<AuthMode> {
  window.history.replaceState(window.history.state, '', withoutMailedLink(new URL(window.location.href)));
  const forPassword = mode === 'reset' || ('type' in link && link.type === 'recovery');
  try {
    const user = await openMailedLink(link);
    if (user) {
      if (!forPassword) {
        const description = `You are signed in as ${user.email}.`;
        showToastAcrossPages('Your e-mail is confirmed', { description, tone: 'success' });
      }
      // A reload must come back to the form for the new password.
      if (forPassword) window.history.replaceState(window.history.state, '', '/auth?mode=reset');
      setSessionUser(user);
      return forPassword ? 'reset' : 'login';
    }
    const description = explainLink(link.kind === 'refused' ? link.code : '');
    showToast('This link does not work any more', { description, tone: 'destructive', durationMs: 10_000 });
  } catch (error) {
    console.warn('A link from a mail could not be used', error);
    showToast('An error occurred', { description: 'Please open the link again.', tone: 'destructive' });
  }
  return forPassword ? 'forgot' : 'login';
}
