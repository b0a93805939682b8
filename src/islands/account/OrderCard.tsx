import { formatRupees } from '../../domain/money.ts';
import type { OwnOrder } from '../../domain/orders/own-order.ts';
import { indiaDay } from '../../domain/india-dates.ts';
import { OrderDelivery } from './OrderDelivery.tsx';

/** One past order (spec section 2, Profile). */
export function OrderCard({ order }: { order: OwnOrder }) {
  return (
    <article className="panel" aria-label={`Order #${order.id}`}>
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h3 className="text-xl">Order #{order.id}</h3>
          <p className="text-sm text-ink-500">
            <time dateTime={order.createdAt}>{indiaDay(order.createdAt)}</time>
          </p>
        </div>
        <span className={`badge badge-${order.status.tone}`}>{order.status.label}</span>
      </header>
      <dl className="mt-4 grid gap-x-8 gap-y-2 text-sm sm:grid-cols-2">
        <div>
          <dt className="text-ink-500">Customer</dt>
          <dd>{order.customerName || 'Not set'}</dd>
        </div>
        <div>
          <dt className="text-ink-500">Phone</dt>
          <dd>{order.customerPhone || 'Not set'}</dd>
        </div>
      </dl>
      <h4 className="mt-4 text-sm text-ink-500">Items</h4>
      <OrderItems order={order} />
      <p className="mt-4 flex justify-between gap-4 border-t border-line pt-4 font-medium">
        <span>Total Amount</span>
        <span className="price">{formatRupees(order.amount)}</span>
      </p>
      <OrderDelivery order={order} />
    </article>
  );
}

function OrderItems({ order }: { order: OwnOrder }) {
  if (order.items.length === 0) return <p className="text-sm">No items found in this order</p>;
  return (
    <ul className="grid gap-1 text-sm">
      {order.items.map((item, index) => (
        // The list never changes, and the same product may stand in it twice.
        <li key={`${String(index)}-${item.name}`} className="flex justify-between gap-4">
          <span>
            {item.name} {`×\u00a0${String(item.quantity)}`}
          </span>
          <span className="price justify-end whitespace-nowrap">
            {formatRupees(item.lineTotal)}
            {item.estimated ? <span className="text-ink-500"> (estimated)</span> : null}
          </span>
        </li>
      ))}
      {order.discount > 0 ? (
        <li className="flex justify-between gap-4 text-ink-500">
          <span>Discount ({order.discountCode})</span>
          <span className="price whitespace-nowrap">{formatRupees(-order.discount)}</span>
        </li>
      ) : null}
      {order.fee > 0 ? (
        <li className="flex justify-between gap-4 text-ink-500">
          <span>Platform Fee (incl. GST)</span>
          <span className="price">{formatRupees(order.fee)}</span>
        </li>
      ) : null}
    </ul>
  );
}
