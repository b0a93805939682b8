import { forgetAttempt } from '../services/checkout/checkout-attempt.ts';
import { forgetCheckoutDraft } from '../services/storage/stored-details.ts';
import { signOut } from '../services/auth/account.ts';
import { showToast, showToastAcrossPages } from './toasts.ts';

/** Signs out in all tabs, forgets what was typed at checkout, and goes home. */
export async function signOutAndGoHome(): Promise<void> {
  if (!(await signOut())) {
    showToast('Sign out failed', { description: 'Please try again.', tone: 'destructive' });
    return;
  }
  forgetCheckoutDraft();
  forgetAttempt();
  showToastAcrossPages('Signed out successfully', { tone: 'success' });
  window.location.assign('/');
}
