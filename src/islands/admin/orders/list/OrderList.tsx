import { orderFilters, type ListedOrder } from '#domain/admin/orders/orders.ts';
import { newOrderHash, type OrdersQuery } from '#domain/admin/orders/orders-address.ts';
import { filterLabels } from '#domain/admin/orders/order-labels.ts';
import { offersCash } from '#services/environment.ts';
import type { OrdersPart } from '#services/admin/orders/orders.ts';
import { LoadState } from '#islands/admin/shared/fetching/LoadState.tsx';
import { MoreButton } from '#islands/admin/shared/MoreButton.tsx';
import { type Pages } from '#islands/admin/shared/fetching/use-pages.ts';
import { useSelection } from '#islands/admin/shared/use-selection.ts';
import { AccountantFiles } from './AccountantFiles.tsx';
import { ChosenOrders } from './ChosenOrders.tsx';
import { OrderRow } from './OrderRow.tsx';
import { OrderSearch } from './OrderSearch.tsx';
import { WaitingTools } from './WaitingTools.tsx';
import type { OrdersSearch } from './use-orders-query.ts';

interface OrderListProps {
  search: OrdersSearch;
  pages: Pages<ListedOrder, OrdersPart>;
  onOpen: (id: number) => void;
}

/** Orders: searched, filtered, read on. */
export function OrderList({ search, pages, onOpen }: OrderListProps) {
  const { first, items, more, loadingMore, ...state } = pages;
  const { query, show } = search;
  const selection = useSelection();
  // A shop that stopped offering cash may still have such orders to confirm.
  const filters = orderFilters.filter(
    (filter) =>
      filter !== 'to_confirm' ||
      offersCash ||
      filter === query.filter ||
      (first?.counts[filter] ?? 0) > 0,
  );
  return (
    <section aria-labelledby="orders-title">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="section-title mr-auto" id="orders-title" tabIndex={-1}>
          Orders
        </h2>
        <button
          type="button"
          className="btn btn-quiet btn-small px-1.5"
          aria-pressed={selection.active}
          onClick={selection.active ? selection.end : selection.start}
        >
          {selection.active ? 'Done' : 'Select'}
        </button>
        <a href={newOrderHash} className="btn btn-secondary">
          New order
        </a>
      </div>
      <OrderSearch search={search} />
      <div className="filter-chips" role="group" aria-label="Show">
        {filters.map((filter) => (
          <button
            key={filter}
            type="button"
            className="filter-chip"
            aria-pressed={filter === query.filter}
            onClick={() => {
              show({ filter, q: search.typed.trim() });
            }}
          >
            {filterLabels[filter]}{' '}
            <span className="filter-count">
              {first?.counts[filter] ?? ''}
              {filter === 'refunds' && first !== null ? ' waiting' : ''}
            </span>
          </button>
        ))}
      </div>
      {selection.active ? null : <WaitingTools filter={query.filter} counts={first?.counts} />}
      <LoadState
        {...state}
        shown={first !== null}
        failed="The orders could not be loaded"
        text="Loading orders"
      />
      {first === null ? null : (
        <div aria-busy={state.loading} className={state.outdated ? 'opacity-60' : ''}>
          <p className="visually-hidden" role="status">
            {state.loading ? '' : spoken(items.length, more !== null)}
          </p>
          {items.length === 0 ? (
            <NoOrders query={query} onAll={() => show({ filter: 'all', q: '' })} />
          ) : (
            <ul className="border-t border-line">
              {items.map((order) => (
                <OrderRow
                  key={order.id}
                  order={order}
                  selection={selection}
                  showsRefunds={query.filter === 'refunds'}
                  onOpen={onOpen}
                />
              ))}
            </ul>
          )}
          <MoreButton more={more} loadingMore={loadingMore} />
          {selection.active ? <ChosenOrders orders={items} selection={selection} /> : null}
        </div>
      )}
      {first === null && state.error === null ? null : <AccountantFiles />}
    </section>
  );
}

const spoken = (count: number, more: boolean): string =>
  `${String(count)} ${count === 1 ? 'order' : 'orders'} shown${more ? ', there are more' : ''}`;

function NoOrders({ query, onAll }: { query: OrdersQuery; onAll: () => void }) {
  if (query.q === '' && query.filter === 'all') {
    return (
      <p className="py-8 text-ink-700">
        No orders yet. The first one appears here the moment it is placed.
      </p>
    );
  }
  const among = query.filter === 'all' ? '' : ` under ‘${filterLabels[query.filter]}’`;
  return (
    <div className="py-8">
      <p className="text-ink-700">
        {query.q === '' ? `Nothing${among}.` : `Nothing found for ‘${query.q}’${among}.`}
      </p>
      <button type="button" className="btn btn-secondary mt-4" onClick={onAll}>
        Show all orders
      </button>
    </div>
  );
}
