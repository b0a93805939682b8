import { useState } from 'react';
import { orderHash } from '#domain/admin/orders/orders-address.ts';
import { claimsApi, type AdminClaim } from './domain/claims-api.ts';
import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { indiaMoment } from '#domain/india-dates.ts';
import { formatRupees } from '#domain/money.ts';
import { callAdmin } from '#services/admin/api.ts';
import { LoadState } from '#islands/admin/shared/fetching/LoadState.tsx';
import { useFetched } from '#islands/admin/shared/fetching/use-fetched.ts';
import { ClaimDialog } from './ClaimDialog.tsx';
import { ClaimVideo } from './ClaimVideo.tsx';
import { DetailPanel } from '#islands/admin/orders/detail/DetailPanel.tsx';

interface OrderPanelProps {
  order: AdminOrder;
  onOrder: (order: AdminOrder) => void;
  onUnknownOutcome: () => void;
}

/** The damage that was reported of an order, and its answers; nothing for an order without a claim. */
export function OrderPanel(props: OrderPanelProps) {
  const { fulfilment } = props.order;
  return fulfilment === 'shipped' || fulfilment === 'delivered' ? <Claims {...props} /> : null;
}

function Claims({ order, onOrder, onUnknownOutcome }: OrderPanelProps) {
  const { data: claims, ...state } = useFetched({
    queryKey: ['claims', order.id],
    queryFn: async ({ signal }) =>
      (await callAdmin(claimsApi.list, { params: { id: order.id }, signal })).claims,
  });
  const [answering, setAnswering] = useState<AdminClaim | null>(null);
  const loadState = (
    <LoadState {...state} shown={claims !== null} failed="Reports of damage could not be loaded" />
  );
  if (claims === null || claims.length === 0) return loadState;
  return (
    <div className="mb-5 grid gap-5">
      {loadState}
      {claims.map((claim) => (
        <DetailPanel
          key={claim.id}
          title="Damage"
          aside={`reported on ${indiaMoment(claim.createdAt)}`}
        >
          {claim.late ? (
            <p className="notice mt-2">
              Reported later than {order.terms.damageHours} hours after delivery.
            </p>
          ) : null}
          <p className="mt-2 break-words whitespace-pre-line">{claim.message}</p>
          <ul className="mt-3 flex flex-wrap gap-3">
            {claim.photos.map((address, index) => (
              <li key={address}>
                <a href={address} target="_blank" rel="noopener noreferrer">
                  <img
                    src={address}
                    alt={`Photo ${String(index + 1)} of the damage`}
                    className="size-24 bg-mist object-cover"
                    loading="lazy"
                  />
                </a>
              </li>
            ))}
          </ul>
          {claim.videoParts.length === 0 ? null : <ClaimVideo parts={claim.videoParts} />}
          <Answer
            claim={claim}
            onAnswer={() => {
              setAnswering(claim);
            }}
          />
        </DetailPanel>
      ))}
      {answering === null ? null : (
        <ClaimDialog
          order={order}
          claim={answering}
          onClose={() => {
            setAnswering(null);
          }}
          onDone={(next) => {
            setAnswering(null);
            onOrder(next);
            state.reload();
          }}
          onUnknownOutcome={onUnknownOutcome}
        />
      )}
    </div>
  );
}

function Answer({ claim, onAnswer }: { claim: AdminClaim; onAnswer: () => void }) {
  const { answer, answeredAt, amountPaise, replacementId, reason } = claim;
  if (answer === null)
    return (
      <button type="button" className="btn btn-primary mt-3" onClick={onAnswer}>
        Answer
      </button>
    );
  const label = {
    refund: `Refunded ${formatRupees(amountPaise ?? 0)}`,
    replacement: 'Replaced',
    declined: 'Declined',
  }[answer];
  return (
    <p className="mt-3 border-t border-line pt-3">
      <span className="font-medium">{label}</span>
      {answeredAt === null ? '' : ` on ${indiaMoment(answeredAt)}`}
      {replacementId === null ? null : (
        <>
          {' · '}
          <a className="link inline-block py-2.5" href={orderHash(replacementId)}>
            Order {replacementId}
          </a>
        </>
      )}
      {reason === '' ? null : <span className="block break-words text-ink-500">{reason}</span>}
    </p>
  );
}
