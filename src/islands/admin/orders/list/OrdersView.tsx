import { useEffect, useLayoutEffect, useRef } from 'react';
import { ordersHash } from '#domain/admin/orders/orders-address.ts';
import type { ListedOrder } from '#domain/admin/orders/orders.ts';
import { fetchAdminOrders, type OrdersPart } from '#services/admin/orders/orders.ts';
import { shop } from '#settings/shop.ts';
import { LazyPart } from '#islands/admin/shared/fetching/LazyPart.tsx';
import { refetch } from '#islands/admin/shared/fetching/query-client.ts';
import { listsKey, usePages } from '#islands/admin/shared/fetching/use-pages.ts';
import { OrderDetail } from '#islands/admin/orders/detail/OrderDetail.tsx';
import { OrderList } from './OrderList.tsx';
import { useOrdersQuery } from './use-orders-query.ts';

const loadNewOrder = () =>
  import('#features/sales-by-hand/NewOrder.tsx').then((module) => module.NewOrder);

/** The admin orders: the list, one of them, or the form of a new one. The list stays as it was while an order is open over it. */
export function OrdersView({ orderId }: { orderId: number | 'new' | null }) {
  const search = useOrdersQuery();
  const { query } = search;
  const pages = usePages<ListedOrder, OrdersPart>(['orders', query], (page) =>
    fetchAdminOrders(query, page),
  );
  const list = useRef<HTMLDivElement>(null);
  const left = useRef<{ id: number; scroll: number } | null>(null);
  // The position is read at the press: once the order is open, the page is as short as the order.
  const remember = (id: number) => {
    left.current = { id, scroll: window.scrollY };
  };
  useLayoutEffect(() => {
    if (orderId !== null || left.current === null) return;
    const { id, scroll } = left.current;
    left.current = null;
    window.scrollTo({ top: scroll, behavior: 'instant' });
    list.current
      ?.querySelector<HTMLElement>(`[data-order="${String(id)}"]`)
      ?.focus({ preventScroll: true });
  }, [orderId]);
  useEffect(() => {
    if (orderId === null) return;
    const before = document.title;
    document.title = `${orderId === 'new' ? 'New order' : `Order ${String(orderId)}`} — ${shop.name}`;
    return () => {
      document.title = before;
    };
  }, [orderId]);

  return (
    <>
      {orderId === 'new' ? (
        <LazyPart
          load={loadNewOrder}
          props={{ listHash: ordersHash(query), onMade: () => refetch(listsKey) }}
        />
      ) : null}
      {orderId === null || orderId === 'new' ? null : (
        <OrderDetail key={orderId} id={orderId} listHash={ordersHash(query)} />
      )}
      <div ref={list} hidden={orderId !== null}>
        <OrderList search={search} pages={pages} onOpen={remember} />
      </div>
    </>
  );
}
