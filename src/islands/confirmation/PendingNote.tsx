import { paymentResults, type PaymentOutcome } from '#domain/checkout/payment-outcome.ts';
import { supportEmail } from '#settings/shop.ts';
import type { PaymentState } from './use-payment-status.ts';

function textOf(state: PaymentState): string {
  if (state.kind === 'known') return state.message;
  return state.kind === 'asking'
    ? 'This usually takes less than a minute. You may close this page: we will write to you as soon as it is confirmed.'
    : 'It is taking longer than usual. We keep checking, and will write to you as soon as it is confirmed.';
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
  const isPaid =
    refusal === null &&
    state.kind === 'known' &&
    (state.status === 'COMPLETED' || state.status === 'PLACED');
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
