import * as z from 'zod/mini';
import { checkoutSettings } from '#domain/checkout/checkout-settings.ts';
import type { Paise } from '#domain/money.ts';
import { shop } from '#settings/shop.ts';
import { theme } from '#settings/theme.ts';
import { PaymentError } from '#domain/checkout/payment.ts';
import * as environment from '#services/environment.ts';
import type { CheckoutResponse } from './payment-result.ts';

interface RazorpayInstance {
  open(): void;
  on(event: 'payment.failed', listener: (answer: unknown) => void): void;
}
type RazorpayClass = new (options: Readonly<Record<string, unknown>>) => RazorpayInstance;

declare global {
  interface Window {
    Razorpay?: RazorpayClass;
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Loads the provider's script within 5 s. Throws a PaymentError when it does not load. */
export async function loadRazorpay(): Promise<RazorpayClass> {
  const selector = 'script[data-checkout]';
  if (!window.Razorpay && !document.querySelector(selector)) {
    const script = document.createElement('script');
    script.src = environment.checkoutScript;
    script.async = true;
    script.dataset['checkout'] = '';
    document.head.append(script);
  }
  const polls = Math.ceil(checkoutSettings.scriptWaitMs / checkoutSettings.scriptPollMs);
  for (let poll = 0; poll < polls && !window.Razorpay; poll += 1)
    await wait(checkoutSettings.scriptPollMs);
  if (window.Razorpay) return window.Razorpay;
  // The next attempt loads it again.
  document.querySelector(selector)?.remove();
  throw new PaymentError(
    'The payment window could not be loaded. Please check your connection and try again.',
  );
}

/** The contents of Checkout's window. */
export interface CheckoutRequest {
  key: string;
  amountPaise: Paise;
  currency: string;
  orderId: string;
  /** Until when the order holds its stock (ms since the epoch); null for the usual time. */
  holdUntil: number | null;
  itemCount: number;
  customer: { name: string; email: string; phone: string };
  /** Where an in-app browser's payment is posted to. */
  callbackPath?: string;
}

/** How Checkout ended: paid (proof null when the provider's response was unreadable), or closed by the customer. */
export type CheckoutEnd = { kind: 'paid'; proof: CheckoutResponse | null } | { kind: 'dismissed' };

const proofSchema = z.object({
  razorpay_order_id: z.string(),
  razorpay_payment_id: z.string(),
  razorpay_signature: z.string(),
});
const failureSchema = z.object({
  error: z.object({ description: z.string().check(z.minLength(1)) }),
});

/** In-app browsers cannot show Checkout's frame; there the provider posts its answer to the callback address. */
export function isInAppBrowser(userAgent: string): boolean {
  return /Instagram|FBAN|FBAV/u.test(userAgent);
}

/** Checkout ends a minute before the hold on the stock does. */
function timeoutSeconds(holdUntil: number | null): number {
  const held =
    holdUntil === null ? checkoutSettings.holdSeconds : Math.floor((holdUntil - Date.now()) / 1000);
  // Bounds the timeout, because the device's clock may be wrong by hours.
  return Math.min(Math.max(held, 240), checkoutSettings.holdSeconds) - 60;
}

/** Opens Checkout and resolves when it ends. `onFailed` gets the provider's description of a failed attempt; Checkout stays open. */
export async function openRazorpayCheckout(
  request: CheckoutRequest,
  onFailed: (description: string) => void,
): Promise<CheckoutEnd> {
  const Razorpay = await loadRazorpay();
  return new Promise((resolve) => {
    const checkout = new Razorpay({
      key: request.key,
      amount: request.amountPaise,
      currency: request.currency,
      name: shop.name,
      description: `Order for ${String(request.itemCount)} item(s)`,
      order_id: request.orderId,
      prefill: {
        name: request.customer.name,
        email: request.customer.email,
        contact: request.customer.phone,
      },
      theme: { color: theme.colors.accent[700] },
      notes: { shop: shop.name },
      timeout: timeoutSeconds(request.holdUntil),
      // Typing a UPI address ended on 28 February 2026: https://razorpay.com/docs/announcements/upi-collect-migration/standard-integration,
      // read on 28 November 2026. Checkout then shows the QR code or the apps.
      config: { display: { hide: [{ method: 'upi', flows: ['collect'] }] } },
      handler: (answer: unknown) => {
        const proof = proofSchema.safeParse(answer);
        resolve({ kind: 'paid', proof: proof.success ? proof.data : null });
      },
      modal: {
        ondismiss: () => {
          resolve({ kind: 'dismissed' });
        },
      },
      ...(isInAppBrowser(navigator.userAgent)
        ? {
            callback_url: new URL(
              request.callbackPath ?? '/api/payment/callback',
              window.location.href,
            ).href,
            redirect: true,
          }
        : {}),
    });
    checkout.on('payment.failed', (answer) => {
      const failure = failureSchema.safeParse(answer);
      onFailed(
        failure.success ? failure.data.error.description : 'The payment did not go through.',
      );
    });
    checkout.open();
  });
}
