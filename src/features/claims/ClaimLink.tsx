import { formatShortDay, indiaCalendarDay } from '#domain/calendar-day.ts';
import type { OwnOrder } from '#domain/orders/own-order.ts';
import { isClaimable, mayHaveClaim } from './domain/claimable.ts';
import { useClaimLink } from './use-claim-link.ts';
import { showToast } from '#stores/toasts.ts';
import { leavePage } from '#services/leave-page.ts';
import { reasonOf } from '#services/connection.ts';

/** Opens the page where the customer reports damage to this order; nothing while they cannot. */
export function ClaimLink({ order, className }: { order: OwnOrder; className: string }) {
  const isPossible = !order.handedOver && mayHaveClaim(order);
  const reported = useClaimLink(order.id, isPossible);
  const open = async () => {
    try {
      const { fetchClaimLink } = await import('./send-claim.ts');
      leavePage((await fetchClaimLink(order.id)).path);
    } catch (error) {
      showToast('The page could not be opened', {
        description: reasonOf(error),
        tone: 'destructive',
      });
    }
  };
  if (!isPossible) return null;
  if (reported?.reportedAt)
    return (
      <span className="py-2.5">
        Damage reported on {formatShortDay(indiaCalendarDay(new Date(reported.reportedAt)))}.{' '}
        <a className="link -my-2.5 inline-block py-2.5" href={reported.path}>
          See your report
        </a>
      </span>
    );
  if (!isClaimable(order)) return null;
  return (
    <button type="button" className={className} onClick={() => void open()}>
      Report damage
    </button>
  );
}

/** The last day for a report of damage, while there is none. */
export function ClaimNote({ order }: { order: OwnOrder }) {
  const isPossible = !order.handedOver && isClaimable(order);
  const reported = useClaimLink(order.id, isPossible);
  if (!isPossible || reported?.reportedAt) return null;
  return (
    <p className="text-ink-500">
      Please report damage within {order.terms.damageHours} hours of delivery, with photos.
    </p>
  );
}
