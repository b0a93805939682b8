import { showToastAcrossPages } from '../../stores/toasts.ts';

/** Sends a shopper who is not signed in to the login; afterwards the checkout opens again. */
export function goToLogin(): void {
  showToastAcrossPages('Login required', { description: 'Please sign in to continue to payment.' });
  window.location.assign(`/auth?next=${encodeURIComponent('/cart?checkout=1')}`);
}
