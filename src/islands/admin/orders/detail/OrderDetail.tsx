import { ordersApi } from '#domain/admin/orders/orders-api.ts';
import { useEffect, useRef, type ComponentType } from 'react';
import { gstinNote } from '#domain/admin/orders/gstin-note.ts';
import { orderTimeline } from '#domain/admin/orders/order-timeline.ts';
import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { pinNote } from '#domain/admin/orders/pin-note.ts';
import { refundNotes } from '#domain/admin/orders/refund-notes.ts';
import { indiaMoment } from '#domain/india-dates.ts';
import { CustomerPlace } from '#features/figures/CustomerPlace.tsx';
import { callAdmin } from '#services/admin/api.ts';
import { LoadState } from '#islands/admin/shared/fetching/LoadState.tsx';
import { showResponse } from '#islands/admin/shared/fetching/query-client.ts';
import { useFetched } from '#islands/admin/shared/fetching/use-fetched.ts';
import { DeliverTo } from './DeliverTo.tsx';
import { OrderActions } from './OrderActions.tsx';
import { OrderBadges } from './OrderBadges.tsx';
import { OrderEndings } from './OrderEndings.tsx';
import { OrderHistory } from './OrderHistory.tsx';
import { OrderItems } from './OrderItems.tsx';
import { OrderJourney } from './OrderJourney.tsx';
import { OrderDocuments } from './OrderDocuments.tsx';

interface OrderDetailProps {
  id: number;
  /** The address of the list from which this order was opened. */
  listHash: string;
}

/** One order: what to do next, what goes where, and everything that happened. */
export function OrderDetail({ id, listHash }: OrderDetailProps) {
  const queryKey = ['order', id];
  const { data: order, ...state } = useFetched({
    queryKey,
    queryFn: async ({ signal }) =>
      (await callAdmin(ordersApi.read, { params: { id }, signal })).order,
  });
  const { reload } = state;
  const replace = (changed: AdminOrder) => showResponse(queryKey, changed);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.closest('section')?.scrollIntoView({ behavior: 'instant' });
  }, []);
  useEffect(() => {
    // The button that was pressed may be gone with the change that it made.
    if (order && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
  }, [order]);

  return (
    <section aria-labelledby="order-title" aria-busy={state.loading} className="md:scroll-mt-14">
      <a href={listHash} className="inline-block py-2.5 text-sm/relaxed">
        <span aria-hidden="true">← </span>
        <span className="link">All orders</span>
      </a>
      <header className="mt-2 flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 className="section-title" id="order-title" ref={heading} tabIndex={-1}>
            Order {id}
          </h2>
          {order ? (
            <p className="text-sm text-ink-500">
              {order.reference} ·{' '}
              <time dateTime={order.createdAt}>{indiaMoment(order.createdAt)}</time>
            </p>
          ) : null}
          {order ? <Customer order={order} /> : null}
        </div>
        {order ? <OrderBadges order={order} /> : null}
      </header>
      <LoadState
        {...state}
        shown={order !== null}
        failed={`Order ${String(id)} could not be loaded`}
        text="Loading the order"
      />
      {order ? (
        <>
          <OrderJourney order={order} />
          {[...refundNotes(order), pinNote(order) ?? [], gstinNote(order) ?? []]
            .flat()
            .map((note) => (
              <p key={note} className="notice mt-3" role="status">
                {note}
              </p>
            ))}
          <OrderActions order={order} onOrder={replace} onUnknownOutcome={reload} />
          {panels.map((OrderPanel, index) => (
            <OrderPanel key={index} order={order} onOrder={replace} onUnknownOutcome={reload} />
          ))}
          <div className="grid items-start gap-5 *:min-w-0 lg:grid-cols-[minmax(0,1fr)_24rem] lg:grid-rows-[auto_1fr] lg:gap-6">
            <OrderItems order={order} />
            <div className="grid gap-5 lg:row-span-2">
              <DeliverTo order={order} onOrder={replace} onUnknownOutcome={reload} />
              <OrderDocuments order={order} onOrder={replace} />
              <OrderEndings order={order} onOrder={replace} onUnknownOutcome={reload} />
            </div>
            <OrderHistory entries={orderTimeline(order)} />
          </div>
        </>
      ) : null}
    </section>
  );
}

interface OrderPanelProps {
  order: AdminOrder;
  onOrder: (order: AdminOrder) => void;
  onUnknownOutcome: () => void;
}

/** What features show under the actions: each `src/features/NAME/OrderPanel.tsx`. */
const panels = Object.values(
  import.meta.glob<ComponentType<OrderPanelProps>>('../../../../features/*/OrderPanel.tsx', {
    eager: true,
    import: 'OrderPanel',
  }),
);

function Customer({ order }: { order: AdminOrder }) {
  return (
    <p className="wrap-anywhere">
      <span className="font-medium">{order.customerName || 'No name'}</span>
      <CustomerPlace order={order} />
    </p>
  );
}
