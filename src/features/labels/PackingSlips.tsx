import { waitingQuery, type WaitingOrders } from '#services/admin/orders/orders.ts';

interface PackingSlipsProps {
  waiting: WaitingOrders | null;
  count: string;
}

/** Opens the packing slips of waiting orders for print. */
export function PackingSlips({ waiting, count }: PackingSlipsProps) {
  if (waiting === null) return null;
  return (
    <a
      className="btn btn-secondary btn-small"
      href={`/api/admin/packing-slips?${new URLSearchParams(waitingQuery(waiting)).toString()}`}
      target="_blank"
      rel="noopener"
    >
      Print slips
      <span className="ml-1 font-normal text-ink-500">of {count}</span>
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
