import { forgetCheckout } from '../storage/checkout-attempt.ts';
import { signOut } from './account.ts';

/** Signs out in all tabs and forgets what was typed at checkout. False when the customer is still signed in. */
export async function signOutAndForget(): Promise<boolean> {
  if (!(await signOut())) return false;
  forgetCheckout();
  return true;
}
