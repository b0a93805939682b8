import { supportEmail } from '../../shop.config.ts';
import type { PaymentState } from './use-payment-status.ts';

function textOf(state: PaymentState): string {
  if (state.kind === 'known') {
    if (state.status === 'COMPLETED') return 'Your payment is confirmed. Thank you!';
    return state.status === 'REFUNDED'
      ? state.message
      : 'This payment could not be used for the order. If money left your account, it is returned in full.';
  }
  return state.kind === 'asking'
    ? 'Your payment is being confirmed. This usually takes less than a minute; you may stay or leave, nothing is lost.'
    : 'Your payment is not confirmed yet. We keep checking and write to you as soon as it is; please do not pay again.';
}

/** The state of a payment whose confirmation was still to come. */
export function PendingNote({ state }: { state: PaymentState }) {
  const settled = state.kind === 'known';
  return (
    <div className="panel text-left">
      <p className="flex gap-3" role="status">
        {state.kind === 'asking' ? (
          <span className="spinner mt-1.5 shrink-0 text-gold-700" aria-hidden="true" />
        ) : null}
        <span>{textOf(state)}</span>
      </p>
      {settled && state.status === 'COMPLETED' ? null : (
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
