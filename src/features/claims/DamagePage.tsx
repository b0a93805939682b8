import { useEffect, useRef, useState } from 'react';
import { indiaMoment } from '../../domain/india-dates.ts';
import { formatRupees } from '../../domain/money.ts';
import { linkTokenPattern } from '../../domain/orders/link-token.ts';
import type { ClaimState } from './domain/damage-claim.ts';
import { seller } from '../../settings/seller.ts';
import { withFaultNotice } from '../../islands/shared/FaultNotice.tsx';
import { useIsClient } from '../../islands/shared/use-is-client.ts';
import { ClaimFields } from './ClaimFields.tsx';
import { useClaimForm, useClaimState } from './use-claim.ts';

/** The page of a claim's link: what happened to an order, and what the shop answered. */
function DamagePage() {
  if (!useIsClient()) return <Loading />;
  const token = window.location.hash.slice(1);
  return linkTokenPattern.test(token) ? (
    <LinkedClaim token={token} />
  ) : (
    <p className="mt-6" role="alert">
      This link is incomplete. Open it from the e-mail, or{' '}
      <a className="link" href="/profile#orders">
        from your order
      </a>
      .
    </p>
  );
}

function Loading() {
  return (
    <p className="lead mt-4" aria-busy="true">
      One moment, please…
    </p>
  );
}

function LinkedClaim({ token }: { token: string }) {
  const { state, failed, load, setState } = useClaimState(token);
  const [isSent, setSent] = useState(false);
  if (failed !== null) {
    return (
      <div className="mt-6 grid justify-items-start gap-4">
        <p role="alert">{failed}</p>
        <div className="flex flex-wrap gap-3">
          <button type="button" className="btn btn-secondary" onClick={load}>
            Try again
          </button>
          <a className="btn btn-quiet" href="/profile#orders">
            See your orders
          </a>
        </div>
      </div>
    );
  }
  if (state === undefined) return <Loading />;
  const open = state.claims.find(({ answer }) => answer === null);
  return (
    <div className="mt-2 grid gap-6">
      <p className="text-ink-500">
        Order #{state.orderId}: {state.items.join(', ')}
      </p>
      {state.claims.map((claim) => (
        <AnsweredClaim key={claim.id} claim={claim} isNew={isSent && claim.answer === null} />
      ))}
      {open ? null : (
        <NewClaim
          token={token}
          state={state}
          onSent={(answer) => {
            setSent(true);
            setState(answer);
          }}
        />
      )}
    </div>
  );
}

function NewClaim({
  token,
  state,
  onSent,
}: {
  token: string;
  state: ClaimState;
  onSent: (state: ClaimState) => void;
}) {
  const [openedAt] = useState(() => Date.now());
  const form = useClaimForm(token, state.orderId, onSent);
  if (form === null) return null;
  const isLate = state.until !== null && Date.parse(state.until) < openedAt;
  return (
    <>
      <p className={isLate ? 'notice' : ''}>
        {state.until === null
          ? `Please report damage within ${String(seller.shipping.damageHours)} hours of delivery.`
          : isLate
            ? `The ${String(seller.shipping.damageHours)} hours for reporting damage ended on ${indiaMoment(state.until)}. You can still write to us; we look at it and decide.`
            : `You can report damage until ${indiaMoment(state.until)}.`}
      </p>
      <ClaimFields form={form} />
    </>
  );
}

function AnsweredClaim({ claim, isNew }: { claim: ClaimState['claims'][number]; isNew: boolean }) {
  const thanks = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The page has become shorter than where it was scrolled to.
    if (!isNew) return;
    thanks.current?.focus({ preventScroll: true });
    thanks.current?.scrollIntoView({ block: 'center', behavior: 'instant' });
  }, [isNew]);
  const { answer, amountPaise, replacementId } = claim;
  const sentence =
    answer === null
      ? 'We have your report. We are looking at it now and will write to you.'
      : {
          refund: `We refund ${formatRupees(amountPaise ?? 0)}.`,
          replacement: `We send you a replacement, free of charge: order #${String(replacementId ?? 0)}.`,
          declined: 'We cannot refund or replace it.',
        }[answer];
  return (
    <section className="panel" aria-label={`Report of ${indiaMoment(claim.createdAt)}`}>
      {isNew ? (
        <h2 className="section-title mb-2" ref={thanks} tabIndex={-1}>
          Thank you for your report
        </h2>
      ) : null}
      <p className="text-sm text-ink-500">You reported this on {indiaMoment(claim.createdAt)}.</p>
      <p className="mt-1 font-medium" role="status">
        {sentence}
      </p>
      {claim.reason === '' ? null : <p className="mt-1 break-words">{claim.reason}</p>}
    </section>
  );
}

export default withFaultNotice(DamagePage);
