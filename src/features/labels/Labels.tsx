import { waitingQuery, type WaitingOrders } from '#services/admin/orders/orders.ts';

const labels = (waiting: WaitingOrders, sheet: 'a4' | 'thermal'): string =>
  `/api/admin/labels?${new URLSearchParams({ ...waitingQuery(waiting), sheet }).toString()}`;

/** Opens the address labels of waiting orders for print. */
export function Labels({ waiting }: { waiting: WaitingOrders | null }) {
  if (waiting === null) return null;
  return (['a4', 'thermal'] as const).map((sheet) => (
    <a
      key={sheet}
      className="btn btn-secondary btn-small"
      href={labels(waiting, sheet)}
      target="_blank"
      rel="noopener"
    >
      {sheet === 'a4' ? 'Labels, four to an A4 sheet' : 'Labels, thermal'}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  ));
}
