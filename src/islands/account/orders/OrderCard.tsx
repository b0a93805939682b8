import { indiaDay } from '../../../domain/india-dates.ts';
import { paymentMethodLabel } from '../../../domain/orders/order-payment.ts';
import { addressOf, type OwnOrder } from '../../../domain/orders/own-order.ts';
import { OrderDelivery } from './OrderDelivery.tsx';
import { OrderHelp } from './OrderHelp.tsx';
import { OrderLines } from './OrderLines.tsx';
import { OrderProgress } from './OrderProgress.tsx';
import { UnpaidNote } from './UnpaidNote.tsx';

/** One past order (spec section 2, Profile). */
export function OrderCard({ order, onChanged }: { order: OwnOrder; onChanged: () => void }) {
  const facts = [
    ['Customer', order.customerName || 'Not set'],
    ['Phone', order.customerPhone || 'Not set'],
    ['Delivery to', order.handedOver ? '' : addressOf(order)],
    ['Paid by', order.paidAt === null ? '' : paymentMethodLabel(order.paymentMethod ?? '')],
    ['A gift for', [order.recipientName, order.recipientPhone].filter(Boolean).join(', ')],
    ['Gift note', order.giftNote],
  ] as const;
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
      <UnpaidNote order={order} onChanged={onChanged} />
      <OrderProgress order={order} />
      <OrderDelivery order={order} />
      <h4 className="mt-4 mb-2 text-sm text-ink-500">Items</h4>
      <OrderLines order={order} />
      <dl className="mt-4 grid gap-x-8 gap-y-2 border-t border-line pt-4 text-sm sm:grid-cols-2">
        {facts.map(([label, text]) =>
          text === '' ? null : (
            <div key={label}>
              <dt className="text-ink-500">{label}</dt>
              <dd className="break-words">{text}</dd>
            </div>
          ),
        )}
      </dl>
      <OrderHelp order={order} onChanged={onChanged} />
    </article>
  );
}
