import { signOut } from '#services/auth/account.ts';
import { forgetCheckout } from '#services/storage/checkout-attempt.ts';
import { forgetStoredFiles } from '#services/storage/file-database.ts';
import { showToastAcrossPages } from './toasts-across-pages.ts';
import { showToast } from './toasts.ts';
import { beginLeaving, leavePage } from '#services/leave-page.ts';

/**
 * Signs out in all tabs and opens the home page. Forgets what was typed at checkout, and reports of damage that were not sent. Shows a
 * toast
 * and returns false when the customer could not be signed out.
 */
export async function signOutAndLeave(): Promise<boolean> {
  // A customer who signs out goes to the home page, not to the login.
  beginLeaving();
  if (!(await signOut())) {
    showToast('Sign out failed', { description: 'Please try again.', tone: 'destructive' });
    return false;
  }
  forgetCheckout();
  await forgetStoredFiles();
  showToastAcrossPages('Signed out successfully', { tone: 'success' });
  leavePage('/');
  return true;
}
