import { orderHash } from '#domain/admin/orders/orders-address.ts';
import type { Today } from '#domain/admin/today.ts';
import { indiaMoment } from '#domain/india-dates.ts';
import { disputeMeaning, disputeTask } from '#domain/orders/dispute.ts';
import { formatRupees } from '#domain/money.ts';
import { TileCount } from './TileCount.tsx';

type Money = Today['money'];
type Payment = Money['items'][number];

const labels: Readonly<Record<Payment['kind'], string>> = {
  unmatched: 'arrived without an order',
  duplicate: 'was paid for a cart that the customer has bought since',
  refund_waits: 'waits for you: this customer caused too many refunds',
  dispute: 'is disputed',
  difference: 'does not agree with Razorpay: see your mail',
  mismatch: 'arrived with a different amount than its order; it is being refunded',
  refund_failed: 'could not be sent back',
  refund_waiting: 'has not reached the customer yet; the shop tries again by itself',
  unknown_word: 'needs you to look: see its order, and the payment at Razorpay',
};

/** What a dispute is about, until when it has to be answered, and how. */
function DisputeNote({ dispute }: { dispute: NonNullable<Payment['dispute']> }) {
  const { phase, event, respondBy } = dispute;
  if (event === 'under_review')
    return <p>{disputeMeaning(phase)}. The bank looks at your answer.</p>;
  return (
    <p>
      {disputeMeaning(phase)}.
      {respondBy === null ? null : (
        <strong>
          {' '}
          Answer by <time dateTime={respondBy}>{indiaMoment(respondBy)}</time>.
        </strong>
      )}{' '}
      {disputeTask(phase)}
    </p>
  );
}

/** Payments that need attention: each with its order, or with the way to send it back. */
export function MoneyTile({
  money,
  onSendBack,
}: {
  money: Money;
  onSendBack: (payment: Payment) => void;
}) {
  return (
    <li className="today-tile col-span-full" data-tone="danger">
      <TileCount
        count={money.count}
        label={money.count === 1 ? 'payment to check' : 'payments to check'}
      />
      <ul>
        {money.items.map((payment) => (
          <li
            key={`${payment.kind}-${payment.paymentId}`}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-2"
          >
            <div className="min-w-0 flex-1 text-sm">
              <p>
                <span className="font-medium">{formatRupees(payment.amountPaise)}</span>{' '}
                {labels[payment.kind]}
              </p>
              {payment.dispute === null ? null : <DisputeNote dispute={payment.dispute} />}
              <p className="break-all text-ink-500">
                {payment.paymentId} · <time dateTime={payment.at}>{indiaMoment(payment.at)}</time>
              </p>
            </div>
            {payment.orderId === null ? null : (
              <a className="btn btn-secondary btn-small" href={orderHash(payment.orderId)}>
                Order {payment.orderId}
              </a>
            )}
            {payment.refundable ? (
              <button
                type="button"
                className="btn btn-danger-line btn-small"
                onClick={() => {
                  onSendBack(payment);
                }}
              >
                {payment.kind === 'refund_failed' ? 'Try again' : 'Send it back'}
                <span className="visually-hidden"> ({formatRupees(payment.amountPaise)})</span>
              </button>
            ) : null}
          </li>
        ))}
      </ul>
    </li>
  );
}
