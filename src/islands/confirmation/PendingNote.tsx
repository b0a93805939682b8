import { paymentResults, type PaymentOutcome } from '../../domain/checkout/payment-outcome.ts';
import { supportEmail } from '../../settings/shop.ts';
import type { PaymentState } from './use-payment-status.ts';

function textOf(state: PaymentState): string {
  if (state.kind === 'known') return state.message;
  return state.kind === 'asking'
    ? 'Your payment is being confirmed. This usually takes less than a minute; you may stay or leave, nothing is lost.'
    : 'Your payment is not confirmed yet. We keep checking and write to you as soon as it is; please do not pay again.';
}

/** The state of a payment that was not confirmed at once; `refusal` is why it never will be. */
export function PendingNote({
  state,
  refusal,
}: {
  state: PaymentState;
  refusal: PaymentOutcome | null;
}) {
  const isAsking = refusal === null && state.kind === 'asking';
  const isPaid = refusal === null && state.kind === 'known' && state.status === 'COMPLETED';
  return (
    <div className="panel text-left">
      <p className="flex gap-3" role="status">
        {isAsking ? (
          <span className="spinner mt-1.5 shrink-0 text-accent-700" aria-hidden="true" />
        ) : null}
        <span>{refusal === null ? textOf(state) : paymentResults[refusal].message}</span>
      </p>
      {isPaid ? null : (
        <p className="mt-2 text-sm text-ink-500">
          Questions? Write to{' '}
          <a className="link" href={`mailto:${supportEmail}`}>
            {supportEmail}
          </a>
          , with your payment ID.
        </p>
      )}
    </div>
  );
}
