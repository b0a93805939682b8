import { useCallback, useEffect, useRef, useState } from 'react';
import type { ConfirmedDetails } from '#domain/checkout/forms.ts';
import type { OrderChoices } from '#domain/sums/charges.ts';
import { $cart } from '#stores/cart.ts';
import { $session } from '#stores/session.ts';
import { showFlowToast } from '#stores/flow-toasts.ts';
import { goToLogin } from './go-to-login.ts';
import type { ContactDialog } from './ContactDialog.tsx';
import type { CheckoutPhase, runCheckout } from './run-checkout.ts';
import { reasonOf } from '#services/connection.ts';

/** The checkout's code, which the cart page loads when the customer proceeds to payment. */
interface CheckoutCode {
  Dialog: typeof ContactDialog;
  run: typeof runCheckout;
}

export interface Checkout {
  phase: CheckoutPhase;
  /** The dialog's code, once it is loaded. */
  code: CheckoutCode | null;
  /** Opens the details dialog, or sends to the login (spec section 4, step 1). */
  proceed: () => void;
  close: () => void;
  /** Starts the payment. Ignored while one is under way: two clicks are one payment. */
  pay: (details: ConfirmedDetails, choices: OrderChoices) => Promise<void>;
}

/** Reads and removes `?checkout=1` and the provider's `?payment=failed`, so that a reload does not repeat them. */
function takeQuery(): { fromLogin: boolean; failed: boolean } {
  const address = new URL(window.location.href);
  const { searchParams } = address;
  const found = {
    fromLogin: searchParams.get('checkout') === '1',
    failed: searchParams.get('payment') === 'failed',
  };
  searchParams.delete('checkout');
  searchParams.delete('payment');
  if (address.href !== window.location.href)
    window.history.replaceState(window.history.state, '', address);
  return found;
}

/** Loads the checkout's code. A failure shows a toast, and the next attempt loads again. */
async function loadCheckout(onCode: (code: CheckoutCode) => void): Promise<void> {
  try {
    const [{ ContactDialog }, { runCheckout }, { loadRazorpay }] = await Promise.all([
      import('./ContactDialog.tsx'),
      import('./run-checkout.ts'),
      import('#services/checkout/razorpay-checkout.ts'),
    ]);
    onCode({ Dialog: ContactDialog, run: runCheckout });
    // Loaded while the customer types; a failure is shown when the payment starts.
    loadRazorpay().catch(() => undefined);
  } catch (error) {
    console.warn('The checkout could not be loaded', error);
    const description = `The checkout could not be loaded. ${reasonOf(error)}`;
    showFlowToast('checkout', 'Payment Error', { description, tone: 'destructive' });
  }
}

/** The checkout's state on the cart page. Browser only: it reads the URL. */
export function useCheckout(): Checkout {
  const [phase, setPhase] = useState<CheckoutPhase>('closed');
  const [code, setCode] = useState<CheckoutCode | null>(null);
  const busy = useRef(false);
  const open = useCallback(
    () =>
      loadCheckout((loaded) => {
        setCode(loaded);
        setPhase('form');
      }),
    [],
  );

  useEffect(() => {
    const { fromLogin, failed } = takeQuery();
    if (failed) {
      const description = 'The payment did not go through. Your cart is kept.';
      showFlowToast('checkout', 'Payment Failed', { description, tone: 'destructive' });
    }
    if (fromLogin && $session.get().state === 'signed-in' && $cart.get().itemCount > 0) void open();
  }, [open]);

  const proceed = () => {
    if ($cart.get().itemCount === 0 || busy.current) return;
    if ($session.get().state === 'signed-in') void open();
    else goToLogin();
  };
  const pay = async (details: ConfirmedDetails, choices: OrderChoices) => {
    if (busy.current || !code) return;
    busy.current = true;
    await code.run($cart.get(), details, choices, setPhase);
    busy.current = false;
  };
  const close = () => {
    if (!busy.current) setPhase('closed');
  };
  return { phase, code, proceed, close, pay };
}
