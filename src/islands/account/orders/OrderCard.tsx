import { useState } from 'react';
import { unsizedName } from '#domain/catalogue/sizes.ts';
import { indiaDay } from '#domain/india-dates.ts';
import { orderTitle } from '#domain/orders/order.ts';
import { paymentMethodLabel } from '#domain/orders/order-payment.ts';
import { addressOf, type OwnOrder } from '#domain/orders/own-order.ts';
import { ownStatus, stateWord } from '#domain/orders/own-order-progress.ts';
import { Icon } from '#islands/shared/Icon.tsx';
import { ProductImage } from '#islands/shared/ProductImage.tsx';
import { OrderDelivery } from './OrderDelivery.tsx';
import { OrderHelp } from './OrderHelp.tsx';
import { OrderLines } from './OrderLines.tsx';
import { CashNote } from './CashNote.tsx';
import { OrderProgress } from './OrderProgress.tsx';
import { UnpaidNote } from './UnpaidNote.tsx';

interface OrderCardProps {
  order: OwnOrder;
  /** Whether the card starts unfolded, as the only order does. */
  startsOpen: boolean;
  onChanged: () => void;
}

/** One past order (spec section 2, Profile): a row that opens. What asks for money is always in sight. */
export function OrderCard({ order, startsOpen, onChanged }: OrderCardProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const status = ownStatus(order);
  return (
    <article className="panel p-0" aria-label={orderTitle(order)}>
      <details
        open={isOpen}
        onToggle={(event) => {
          setOpen(event.currentTarget.open);
        }}
      >
        <summary className="flex min-h-28 items-center gap-4 px-4 py-3 sm:px-6">
          <ProductImage
            entry={order.items[0]?.image ?? undefined}
            width={80}
            className="w-16 sm:w-20"
          />
          <span className="min-w-0 flex-1">
            <h3 className="text-xl/tight">{orderTitle(order)}</h3>
            <span className="flex text-sm">
              <Contents order={order} />
            </span>
            <span className="block text-sm text-ink-500">
              <time dateTime={order.createdAt}>{indiaDay(order.createdAt)}</time>
            </span>
            <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
              <span className={`badge badge-${status.tone}`}>{status.label}</span>
              {stateWord(order)}
            </span>
          </span>
          <span className="text-accent-700">
            <Icon name={isOpen ? 'minus' : 'plus'} />
          </span>
        </summary>
        {isOpen ? <OrderDetails order={order} onChanged={onChanged} /> : null}
      </details>
      <UnpaidNote order={order} onChanged={onChanged} />
    </article>
  );
}

/** Names the first item with its size and counts the others, in one line: a long name is cut, the size never. */
function Contents({ order: { items } }: { order: OwnOrder }) {
  const [first, ...others] = items;
  if (first === undefined) return null;
  const name = unsizedName(first.name, first.size);
  const rest = `${first.name.slice(name.length)}${others.length === 0 ? '' : ` and ${String(others.length)} more`}`;
  return (
    <>
      <span className="truncate">{name}</span>
      <span className="shrink-0 whitespace-pre">{rest}</span>
    </>
  );
}

function OrderDetails({ order, onChanged }: Omit<OrderCardProps, 'startsOpen'>) {
  const facts = [
    ['Customer', order.customerName || 'Not set'],
    ['Phone', order.customerPhone || 'Not set'],
    ['Delivery to', order.handedOver ? '' : addressOf(order)],
    ['Paid by', order.paidAt === null ? '' : paymentMethodLabel(order.paymentMethod ?? '')],
    ['A gift for', [order.recipientName, order.recipientPhone].filter(Boolean).join(', ')],
    ['Gift note', order.giftNote],
  ] as const;
  return (
    <div className="px-4 pb-4 sm:px-6 sm:pb-6">
      <OrderProgress order={order} />
      <CashNote order={order} />
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
    </div>
  );
}
