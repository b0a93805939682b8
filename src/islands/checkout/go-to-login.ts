import { showToastAcrossPages } from '../../stores/toasts.ts';

/** Redirects to the login. After it, the checkout opens again. */
export function goToLogin(): void {
  showToastAcrossPages('Login required', { description: 'Please sign in to continue to payment.' });
  window.location.assign(`/auth?next=${encodeURIComponent('/cart?checkout=1')}`);
}
