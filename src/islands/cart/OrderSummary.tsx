import { useStore } from '@nanostores/react';
import { formatDay, indiaCalendarDay, dayMs } from '#domain/calendar-day.ts';
import type { CartSummary } from '#domain/cart/cart-summary.ts';
import { openingText } from '#domain/checkout/checkout-state.ts';
import { deliveryWindow, formatDeliveryWindow } from '#domain/checkout/delivery.ts';
import { formatRupees } from '#domain/money.ts';
import { orderSums } from '#domain/orders/order-sums.ts';
import { sellerChat } from '#domain/seller-chat.ts';
import { closesCheckout } from '#domain/shop-notice.ts';
import { DiscountCode } from '#features/discounts/DiscountCode.tsx';
import { OrderByWhatsApp } from '#features/sales-by-hand/OrderByWhatsApp.tsx';
import { isDemo, offersCash } from '#services/environment.ts';
import { heldQuantities } from '#services/storage/checkout-attempt.ts';
import { opensOn } from '#settings/opening.ts';
import { seller } from '#settings/seller.ts';
import { shop } from '#settings/shop.ts';
import { $checkoutState, $notice } from '#stores/shop-notice.ts';
import { Icon } from '#islands/shared/Icon.tsx';
import { SummaryRows } from '#islands/shared/SummaryRows.tsx';

interface OrderSummaryProps {
  summary: CartSummary;
  /** False when everything in the cart is sold out. */
  payable: boolean;
  onProceed: () => void;
}

/** Computed on each render, so that a page left open does not show yesterday's days. */
const currentTime = (): Date => new Date();

/** The note under the buttons. */
function assurance(closed: boolean): string {
  if (isDemo) return 'Payments are off: this preview shows the demo catalogue.';
  return closed
    ? 'Your cart is kept on this device until then'
    : `Paid safely through Razorpay: UPI, cards, net banking. ${offersCash ? 'Or cash on delivery.' : 'No cash on delivery.'}`;
}

/** Says when a shop that does not sell yet will, and whom to ask. Testers, whom the server knows, can go on. */
function NotOpen({
  state,
  opening,
  onProceed,
}: {
  state: 'test' | 'closed';
  opening: string;
  onProceed: () => void;
}) {
  return (
    <div className="notice text-sm" role="status">
      <p>
        Our checkout {opening}. Until then, please{' '}
        <a
          className="link"
          href={sellerChat(`Hello ${shop.name}, when does your shop open?`)}
          target="_blank"
          rel="noopener noreferrer"
        >
          write to us on WhatsApp
          <span className="visually-hidden"> (opens in a new tab)</span>
        </a>
        .
      </p>
      {state === 'test' ? (
        <button type="button" className="link min-h-11" onClick={onProceed}>
          I test the shop: proceed
        </button>
      ) : null}
    </div>
  );
}

export function OrderSummary({ summary, payable, onProceed }: OrderSummaryProps) {
  const notice = useStore($notice);
  const now = currentTime();
  // An order with an open payment may still be paid.
  const closed =
    notice !== null && closesCheckout(notice, indiaCalendarDay(now)) && heldQuantities().size === 0;
  const state = useStore($checkoutState);
  const { processing, standard } = seller.shipping;
  const arrival = deliveryWindow(now, processing, standard, notice);
  const opening = openingText(opensOn, indiaCalendarDay(now));
  const reopening = closed ? `opens on ${formatDay(notice.last_day + dayMs)}` : opening;
  const label =
    closed || state !== 'open' ? reopening.replace('opens', 'Opens') : 'Proceed to Checkout';
  return (
    <section className="panel lg:sticky lg:top-28" aria-labelledby="order-summary">
      <h2 className="section-title" id="order-summary">
        Order Summary
      </h2>
      <hr className="hairline my-5 w-16" />
      <SummaryRows rows={orderSums(summary)} prominent />
      {arrival === null ? null : (
        // Days that become others, when the notice comes, take the same place.
        <p className="mt-3 text-sm text-ink-500">
          Standard delivery: <span className="block">{formatDeliveryWindow(arrival)}</span>
        </p>
      )}
      <DiscountCode summary={summary} />
      <div className="mt-6 grid gap-3">
        <div className="checkout-bar">
          {/* Screen readers find the total in the summary above. */}
          <p className="mr-auto text-sm/tight text-ink-500 lg:hidden" aria-hidden="true">
            Total
            <span className="price text-lg/tight text-ink-900">{formatRupees(summary.total)}</span>
          </p>
          {/* The button is equally wide with each of its texts, one of which comes with a notice. */}
          <button
            type="button"
            className="btn btn-primary max-lg:max-w-xs max-lg:min-w-0 max-lg:flex-1 lg:w-full"
            disabled={!payable || closed || state !== 'open' || isDemo}
            onClick={onProceed}
          >
            {label}
          </button>
        </div>
        {state === 'open' ? null : (
          <NotOpen state={state} opening={opening} onProceed={onProceed} />
        )}
        <OrderByWhatsApp summary={summary} />
        <a href="/shop" className="btn btn-quiet btn-block">
          Continue Shopping
        </a>
      </div>
      <p className="mt-5 flex items-center justify-center gap-2 text-sm text-ink-500">
        <Icon name="shield" /> {assurance(closed || state !== 'open')}
      </p>
    </section>
  );
}
