import { hasHadAccount } from '#services/storage/stored-account-mark.ts';
import { showToastAcrossPages } from '#stores/toasts-across-pages.ts';
import { leavePage } from '#services/leave-page.ts';

/** Redirects to the login, or to the sign-up where nobody has logged in before. After it, the checkout opens again. */
export function goToLogin(): void {
  showToastAcrossPages('Login required', { description: 'Please sign in to continue to payment.' });
  const mode = hasHadAccount() ? '' : 'mode=signup&';
  leavePage(`/auth?${mode}next=${encodeURIComponent('/cart?checkout=1')}`);
}
