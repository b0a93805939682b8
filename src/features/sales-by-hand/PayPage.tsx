import { useState } from 'react';
import {
  readPaymentLink,
  type LinkedOrder,
  type PaymentLink,
} from '#domain/checkout/payment-link.ts';
import {
  paymentResults,
  readPaymentOutcome,
  type PaymentOutcome,
  type PaymentResult,
} from '#domain/checkout/payment-outcome.ts';
import { indiaMoment } from '#domain/india-dates.ts';
import { orderSums } from '#domain/orders/order-sums.ts';
import { formatRupees } from '#domain/money.ts';
import { seller } from '#settings/seller.ts';
import { Icon } from '#islands/shared/Icon.tsx';
import { useBusy } from '#islands/shared/use-busy.ts';
import { useIsClient } from '#islands/shared/use-is-client.ts';
import { ProductImage } from '#islands/shared/ProductImage.tsx';
import { SummaryRows } from '#islands/shared/SummaryRows.tsx';
import { payLinkedOrder } from './pay-linked-order.ts';
import { useLinkedOrder } from './use-linked-order.ts';
import { withFaultNotice } from '#islands/shared/FaultNotice.tsx';

/** The page of a payment link: an order that the admin made, and the button that pays it. */
function PayPage() {
  if (!useIsClient())
    return (
      <p className="lead mt-4" aria-busy="true">
        One moment, please…
      </p>
    );
  const query = new URLSearchParams(window.location.search);
  const link = readPaymentLink(query);
  return link ? (
    <LinkedOrderView link={link} outcome={readPaymentOutcome(query.get('payment'))} />
  ) : (
    <Unknown />
  );
}

function LinkedOrderView({ link, outcome }: { link: PaymentLink; outcome: PaymentOutcome | null }) {
  const state = outcome === null ? null : paymentResults[outcome].state;
  const { order, failed, reload } = useLinkedOrder(link, state === 'pending');
  if (failed) {
    return (
      <div className="mt-6 grid justify-items-start gap-4">
        <p role="alert">Your order cannot be shown right now. Nothing was charged.</p>
        <button type="button" className="btn btn-secondary" onClick={reload}>
          Try again
        </button>
      </div>
    );
  }
  if (order === undefined)
    return (
      <p className="lead mt-4" role="status">
        One moment, please…
      </p>
    );
  if (order === null) return <Unknown />;
  return (
    <div className="mt-2 grid gap-6">
      <p className="text-ink-500">Order #{order.orderId}</p>
      <PaymentStateMessage
        order={order}
        result={outcome === null ? null : paymentResults[outcome]}
      />
      <Items order={order} />
      {order.state === 'open' && state !== 'pending' ? (
        <PayButton order={order} link={link} onClosed={reload} />
      ) : null}
      <Help />
    </div>
  );
}

/** How the order and the payment just made stand, in a sentence. */
function PaymentStateMessage({
  order,
  result,
}: {
  order: LinkedOrder;
  result: PaymentResult | null;
}) {
  if (order.state === 'paid')
    return (
      <p className="panel font-medium" role="status">
        This order is paid. Thank you! We are preparing it for you.
      </p>
    );
  if (result?.state === 'refunded')
    return (
      <p className="panel font-medium" role="status">
        {result.message}
      </p>
    );
  if (order.state === 'ended') {
    return (
      <p className="panel font-medium" role="status">
        This link has expired: the pieces are no longer held for you. Please write to us for a new
        one.
      </p>
    );
  }
  if (result?.state === 'pending') {
    return (
      <p className="panel font-medium" role="status">
        Your payment is being confirmed. You may stay or leave, nothing is lost; please do not pay
        again.
      </p>
    );
  }
  return (
    <>
      {result?.state === 'failed' ? (
        <p className="panel text-danger-700" role="alert">
          The payment did not go through. You can try again.
        </p>
      ) : null}
      {order.until === null ? null : (
        <p>The pieces are held for you until {indiaMoment(order.until)}, India’s time.</p>
      )}
    </>
  );
}

function Items({ order }: { order: LinkedOrder }) {
  return (
    <div>
      <ul className="border-y border-line" aria-label="Items in your order">
        {order.items.map(({ name, quantity, pricePaise, image }, index) => (
          <li key={`${String(index)}-${name}`} className="flex items-center gap-4 py-3">
            <ProductImage entry={image ?? undefined} width={56} className="w-14" />
            <span className="min-w-0 flex-1 wrap-anywhere">
              {name} <span className="whitespace-nowrap text-ink-500">× {quantity}</span>
            </span>
            <span className="price">{formatRupees(pricePaise * quantity)}</span>
          </li>
        ))}
      </ul>
      <div className="mt-4">
        <SummaryRows rows={orderSums(order)} prominent />
      </div>
    </div>
  );
}

function PayButton({
  order,
  link,
  onClosed,
}: {
  order: LinkedOrder;
  link: PaymentLink;
  onClosed: () => void;
}) {
  const { busy, run } = useBusy();
  const [problem, setProblem] = useState<string | null>(null);
  const showFailure = (error: unknown) => {
    console.error('The payment could not be started', error);
    setProblem('The payment could not be started. Please try again.');
  };
  const pay = () =>
    run(showFailure, async () => {
      setProblem(null);
      if ((await payLinkedOrder(order, link, setProblem)) === 'paid') return 'leaving';
      onClosed();
      return undefined;
    });
  return (
    <div className="grid gap-3">
      {problem === null ? null : (
        <p className="panel text-danger-700" role="alert">
          {problem}
        </p>
      )}
      <button
        type="button"
        className="btn btn-primary btn-block"
        aria-busy={busy}
        onClick={() => void pay()}
      >
        {busy ? 'One moment…' : `Pay ${formatRupees(order.totalPaise)}`}
      </button>
      <p className="flex items-center justify-center gap-2 text-sm text-ink-500">
        <Icon name="shield" /> Paid safely through Razorpay: UPI, cards, net banking
      </p>
    </div>
  );
}

const Unknown = () => (
  <div className="mt-4 grid gap-4">
    <p className="lead">This payment link is not valid. Please check that you copied all of it.</p>
    <Help />
  </div>
);

const Help = () => (
  <p className="text-sm text-ink-500">
    Questions? Write to{' '}
    <a className="link" href={`mailto:${seller.contact.emails[0]}`}>
      {seller.contact.emails[0]}
    </a>
    .
  </p>
);

export default withFaultNotice(PayPage);
