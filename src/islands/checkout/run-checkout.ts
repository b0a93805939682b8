import type { Cart } from '#domain/cart/cart.ts';
import type { OrderChoices } from '#domain/sums/charges.ts';
import { summarizeCart } from '#domain/cart/cart-summary.ts';
import type { Paise } from '#domain/money.ts';
import { lineKey } from '#domain/catalogue/sizes.ts';
import type { ConfirmedDetails } from '#domain/checkout/forms.ts';
import { PaymentError, type CreatedOrder } from '#domain/checkout/payment.ts';
import { orderFormName } from '#domain/checkout/order-form.ts';
import type { OrderRefusal } from '#domain/checkout/order-outcome.ts';
import {
  isRefused,
  paymentResults,
  type PaymentOutcome,
} from '#domain/checkout/payment-outcome.ts';
import type { ShortItem } from '#domain/checkout/short-item.ts';
import { submitForm } from '#services/forms/forms.ts';
import { capCartQuantities, setCartStock } from '#stores/cart-changes.ts';
import { endCheckout } from '#stores/checkout.ts';
import { refreshCartFromCatalogue } from '#islands/shared/cart-refresh.ts';
import { $discount } from '#stores/discount.ts';
import { refreshNotice } from '#stores/shop-notice.ts';
import { showFlowToast } from '#stores/flow-toasts.ts';
import { goToLogin } from './go-to-login.ts';
import { orderFormValues } from './order-form-fields.ts';
import { describeNewTotal, describeShortage } from './refusal-text.ts';
import { requestOrder } from './request-order.ts';
import { confirmPayment, payOrder } from './start-payment.ts';
import { leavePage } from '#services/leave-page.ts';

/**
 * The step of a payment. 'form': the details are editable again, and 'cancelled' too, after the customer closed the payment window;
 * 'leaving': another page is being opened.
 */
export type CheckoutStep = 'form' | 'cancelled' | 'starting' | 'paying' | 'confirming' | 'leaving';
export type CheckoutPhase = 'closed' | CheckoutStep;
type OnStep = (step: CheckoutStep) => void;

function showPaymentError(description: string): void {
  showFlowToast('checkout', 'Payment Error', {
    description,
    tone: 'destructive',
    durationMs: 8_000,
  });
}

/**
 * Sends the order to the form-collection service in the background (spec section 4, step 5). A result that arrives after the end of
 * the payment shows no message: it would hide the payment's own, or contradict it.
 */
function reportOrder(
  cart: Cart,
  total: Paise,
  details: ConfirmedDetails,
  paymentEnded: AbortSignal,
): void {
  void submitForm(orderFormName, orderFormValues(details, cart, total)).then((sent) => {
    if (paymentEnded.aborted) return;
    if (sent) {
      showFlowToast('order-form', 'Order Submitted', {
        description: 'Your order has been sent successfully!',
        tone: 'success',
      });
    } else {
      showFlowToast('order-form', 'Submission Failed', {
        description: 'Please try again later.',
        tone: 'destructive',
      });
    }
  });
}

async function payAndConfirm(
  { order, isNew }: { order: CreatedOrder; isNew: boolean },
  cart: Cart,
  total: Paise,
  details: ConfirmedDetails,
  onStep: OnStep,
): Promise<void> {
  const payment = new AbortController();
  if (isNew) reportOrder(cart, total, details, payment.signal);
  onStep('paying');
  // Messages move to the top: the buttons of the payment window are at the bottom of a phone.
  document.body.dataset['paying'] = '';
  const end = await payOrder(order, cart, total, details).finally(() => {
    payment.abort();
    delete document.body.dataset['paying'];
  });
  if (end.kind === 'dismissed') {
    endCheckout('dismissed');
    showFlowToast('checkout', 'Payment Cancelled', {
      description: 'You cancelled the payment.',
    });
    onStep('cancelled');
    return;
  }
  onStep('confirming');
  const outcome = end.proof === null ? 'pending' : await confirmPayment(end.proof);
  onStep('leaving');
  goToConfirmation(order.orderId, end.proof?.razorpay_payment_id ?? null, outcome);
}

/** Ends the checkout after a payment, confirmed or not, and opens the confirmation page, which shows the result. */
function goToConfirmation(
  orderId: string | null,
  paymentId: string | null,
  outcome: PaymentOutcome,
  isRepeated = false,
): void {
  endCheckout('paid');
  const query = new URLSearchParams();
  if (paymentId !== null) query.set('payment_id', paymentId);
  if (orderId !== null) query.set('order_id', orderId);
  if (paymentResults[outcome].state !== 'paid') query.set('status', 'pending');
  if (isRefused(outcome)) query.set('payment', outcome);
  if (isRepeated) query.set('repeated', '1');
  leavePage(`/order-success?${query.toString()}`);
}

const availableOf = (items: readonly ShortItem[]) =>
  new Map(items.map((item) => [lineKey(item.product_id, item.size), item.available]));

/** Brings the cart in line with a refusal. Returns the sentence for the customer. */
async function applyRefusal(refusal: OrderRefusal & { message: string }): Promise<string> {
  const { message } = refusal;
  switch (refusal.outcome) {
    case 'price_changed':
      await refreshCartFromCatalogue();
      return describeNewTotal(refusal.total_paise);
    case 'out_of_stock':
      setCartStock(availableOf(refusal.items));
      return describeShortage(refusal.items);
    case 'too_many_units':
      capCartQuantities(availableOf(refusal.items));
      return message;
    case 'closed':
      await refreshNotice();
      return message;
    case 'unknown_product':
      await refreshCartFromCatalogue();
      return 'A piece in your cart is no longer sold. It was taken out; please check your cart.';
    case 'choose_size':
      await refreshCartFromCatalogue();
      return message;
    case 'discount':
      return `${message} It was taken out; please check the new total and confirm again.`;
    default:
      return message;
  }
}

async function startCheckout(
  cart: Cart,
  details: ConfirmedDetails,
  choices: OrderChoices,
  onStep: OnStep,
): Promise<void> {
  const summary = summarizeCart(cart, $discount.get(), choices);
  const outcome = await requestOrder(cart, summary, details, choices);
  switch (outcome.outcome) {
    case 'placed':
      if (outcome.order.isReserved) {
        reportOrder(cart, summary.total, details, AbortSignal.abort());
        onStep('leaving');
        goToConfirmation(outcome.order.orderId, null, 'paid', outcome.order.isRepeated);
        return;
      }
      await payAndConfirm(outcome, cart, summary.total, details, onStep);
      return;
    case 'signed_out':
      onStep('leaving');
      goToLogin();
      return;
    case 'paid':
      onStep('leaving');
      goToConfirmation(outcome.order.razorpay_order_id, outcome.order.payment_id, 'paid');
      return;
    default:
      endCheckout(outcome.outcome);
      throw new PaymentError(await applyRefusal(outcome));
  }
}

/**
 * Runs a payment, or an order that is paid at the door, from the agreed details to the confirmation page (spec section 4). Every failure shows a toast
 * and leads back to the form; cart and typed values stay. Never throws.
 */
export async function runCheckout(
  cart: Cart,
  details: ConfirmedDetails,
  choices: OrderChoices,
  onStep: OnStep,
): Promise<void> {
  onStep('starting');
  try {
    await startCheckout(cart, details, choices, onStep);
  } catch (error) {
    if (!(error instanceof PaymentError)) console.error('The payment could not be started', error);
    showPaymentError(
      error instanceof PaymentError
        ? error.message
        : 'The payment could not be started. Please try again.',
    );
    onStep('form');
  }
}
