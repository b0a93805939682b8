import { useEffect, useRef, useState } from 'react';
import { indiaMoment } from '#domain/india-dates.ts';
import { formatRupees } from '#domain/money.ts';
import type { ClaimState } from './domain/damage-claim.ts';
import { withFaultNotice } from '#islands/shared/FaultNotice.tsx';
import { LinkPage, type Linked } from '#islands/shared/LinkPage.tsx';
import { ClaimFields } from './ClaimFields.tsx';
import { fetchClaimState } from './send-claim.ts';
import { useClaimForm } from './use-claim.ts';

/** The page of a claim's link: what happened to an order, and what the shop answered. */
function DamagePage() {
  return (
    <LinkPage
      fetchState={fetchClaimState}
      otherWay={
        <>
          , or{' '}
          <a className="link" href="/profile#orders">
            from your order
          </a>
        </>
      }
    >
      {(linked) => <LinkedClaim {...linked} />}
    </LinkPage>
  );
}

function LinkedClaim({ token, state, setState }: Linked<ClaimState>) {
  const [isSent, setSent] = useState(false);
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
          ? `Please report damage within ${String(state.damageHours)} hours of delivery.`
          : isLate
            ? `The ${String(state.damageHours)} hours for reporting damage ended on ${indiaMoment(state.until)}. You can still write to us; we look at it and decide.`
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
