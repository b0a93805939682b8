import type { AdminOrder } from '#domain/admin/orders/orders.ts';

/** Opens the packing slip of an order for print. */
export function PackingSlipLink({ order }: { order: AdminOrder }) {
  if (!order.sold || order.fulfilment === 'cancelled') return null;
  return (
    <a
      className="btn btn-secondary btn-small"
      href={`/api/admin/orders/${String(order.id)}/packing-slip`}
      target="_blank"
      rel="noopener"
    >
      Packing slip<span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
