import type { CartSummary } from '../../domain/cart/cart.ts';
import { Icon } from '../shared/Icon.tsx';
import { SummaryRows } from './SummaryRows.tsx';

interface OrderSummaryProps {
  summary: CartSummary;
  /** False when everything in the cart is sold out. */
  payable: boolean;
  onProceed: () => void;
}

export function OrderSummary({ summary, payable, onProceed }: OrderSummaryProps) {
  return (
    <section className="panel lg:sticky lg:top-28" aria-labelledby="order-summary">
      <h2 className="section-title" id="order-summary">
        Order Summary
      </h2>
      <hr className="hairline my-5 w-16" />
      <SummaryRows summary={summary} />
      <div className="mt-6 grid gap-3">
        <button type="button" className="btn btn-primary btn-block" disabled={!payable} onClick={onProceed}>
          Proceed to Checkout
        </button>
        <a href="/shop" className="btn btn-secondary btn-block">
          Continue Shopping
        </a>
      </div>
      <p className="mt-5 flex items-center justify-center gap-2 text-sm text-ink-500">
        <Icon name="shield" /> Paid safely through Razorpay: UPI, cards, net banking
      </p>
    </section>
  );
}
