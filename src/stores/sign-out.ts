import { signOut } from '../services/auth/account.ts';
import { forgetCheckout } from '../services/storage/checkout-attempt.ts';
import { forgetStoredFiles } from '../services/storage/file-database.ts';
import { showToastAcrossPages } from './toasts-across-pages.ts';
import { showToast } from './toasts.ts';

/** Signs out in all tabs, forgets what was typed at checkout and reports of damage that were not sent, and opens the home page. Says so when it did not work. */
export async function signOutAndLeave(): Promise<void> {
  if (!(await signOut())) {
    showToast('Sign out failed', { description: 'Please try again.', tone: 'destructive' });
    return;
  }
  forgetCheckout();
  await forgetStoredFiles();
  showToastAcrossPages('Signed out successfully', { tone: 'success' });
  window.location.assign('/');
}
