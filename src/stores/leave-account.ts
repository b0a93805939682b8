import { forgetAttempt } from '../services/checkout/checkout-attempt.ts';
import { forgetDraft } from '../services/storage/stored-details.ts';
import { signOut } from '../services/auth/account.ts';
import { showToast, showToastAcrossPages } from './toasts.ts';

/** Signs out in all tabs, forgets what was typed at checkout, and goes home. */
export async function leaveAccount(): Promise<void> {
  if (!(await signOut())) {
    showToast('Sign out failed', { description: 'Please try again.', tone: 'destructive' });
    return;
  }
  forgetDraft();
  forgetAttempt();
  showToastAcrossPages('Signed out successfully', { tone: 'success' });
  window.location.assign('/');
}
