import {
  customersHash,
  customerSorts,
  readCustomersHash,
  type Customer,
  type CustomerSort,
  type CustomersQuery,
} from './domain/customers.ts';
import { orderHash, ordersHash } from '#domain/admin/orders/orders-address.ts';
import { indiaDay } from '#domain/india-dates.ts';
import { formatRupees } from '#domain/money.ts';
import { fetchCustomers, type CustomersPart } from './fetch-sales.ts';
import { BackToMore } from '#islands/admin/shared/BackToMore.tsx';
import { LoadState } from '#islands/admin/shared/fetching/LoadState.tsx';
import { MoreButton } from '#islands/admin/shared/MoreButton.tsx';
import { useListAddress, type ListAddress } from '#islands/admin/shared/use-list-address.ts';
import { usePages } from '#islands/admin/shared/fetching/use-pages.ts';
import { PersonalData } from './PersonalData.tsx';

const sortLabels: Readonly<Record<CustomerSort, string>> = {
  recent: 'Bought last',
  spent: 'Spent most',
  orders: 'Most orders',
};

const address: ListAddress<CustomersQuery> = {
  matches: (hash) => /^#customers(?:\?|$)/u.test(hash),
  parse: readCustomersHash,
  format: customersHash,
};

/** The customers: how often, for how much, and when last. */
export function CustomersView() {
  const { query, change } = useListAddress(address);
  const { first, items, more, loadingMore, ...state } = usePages<Customer, CustomersPart>(
    ['customers', query],
    (page) => fetchCustomers(query, page),
  );
  return (
    <section aria-labelledby="customers-title">
      <BackToMore />
      <h2 className="section-title" id="customers-title" tabIndex={-1}>
        Customers
      </h2>
      <form
        role="search"
        aria-label="Customers"
        className="mt-4 flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const typed = new FormData(event.currentTarget).get('q');
          change({ q: typeof typed === 'string' ? typed.trim() : '' });
        }}
      >
        <input
          key={query.q}
          type="search"
          name="q"
          className="field-input min-w-0 flex-1"
          aria-label="Search customers by name, phone, e-mail or what they bought"
          placeholder="Name, phone or product"
          autoComplete="off"
          enterKeyHint="search"
          defaultValue={query.q}
        />
        <button type="submit" className="btn btn-secondary btn-small">
          Search
        </button>
      </form>
      <div className="filter-chips" role="group" aria-label="Sort by">
        {customerSorts.map((sort) => (
          <button
            key={sort}
            type="button"
            className="filter-chip"
            aria-pressed={sort === query.sort}
            onClick={() => change({ sort })}
          >
            {sortLabels[sort]}
          </button>
        ))}
      </div>
      <LoadState
        {...state}
        shown={first !== null}
        failed="The customers could not be loaded"
        text="Loading customers"
      />
      {first === null ? null : (
        <div aria-busy={state.loading} className={state.outdated ? 'opacity-60' : ''}>
          <p className="pb-2 text-sm/relaxed text-ink-500" role="status">
            {shownText(items.length, first.total, query.q)}
          </p>
          {query.q === '' ? null : (
            <button
              type="button"
              className="btn btn-secondary btn-small mb-3"
              onClick={() => change({ q: '' })}
            >
              Show all customers
            </button>
          )}
          <ul className="border-t border-line">
            {items.map((customer) => (
              <CustomerRow key={customer.lastOrderId} customer={customer} />
            ))}
          </ul>
          <MoreButton more={more} loadingMore={loadingMore} />
        </div>
      )}
      {first === null && state.error === null ? null : <PersonalData />}
    </section>
  );
}

function shownText(shown: number, total: number, q: string): string {
  if (total === 0)
    return q === ''
      ? 'Nobody has bought yet. Whoever pays an order appears here.'
      : `Nobody found for ‘${q}’.`;
  return shown < total
    ? `${String(shown)} of ${String(total)} customers`
    : `${String(total)} ${total === 1 ? 'customer' : 'customers'}`;
}

/** One customer: the whole row leads to their orders. */
function CustomerRow({ customer }: { customer: Customer }) {
  const { name, phone, email, city, account, orders, paise, lastAt, lastOrderId } = customer;
  // A family may share a phone number; of orders without an account it is what they have in common.
  const q = account ? email || phone : phone || email;
  return (
    <li>
      <a
        className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 border-b border-line py-3 hover:bg-mist lg:grid-cols-[minmax(0,4fr)_minmax(0,5fr)_minmax(0,4fr)_7.5rem] lg:items-center lg:gap-x-6"
        href={q === '' ? orderHash(lastOrderId) : ordersHash({ filter: 'all', q })}
      >
        <span className="wrap-anywhere">
          <span className="font-medium">{name || 'No name'}</span>
          {city ? <span className="text-ink-500"> · {city}</span> : null}
        </span>
        <span className="text-right font-medium tabular-nums lg:order-last">
          {formatRupees(paise)}
        </span>
        <span className="col-span-full text-sm/relaxed wrap-anywhere text-ink-500 lg:col-auto">
          {[phone, email, account ? '' : 'no account'].filter(Boolean).join(' · ')}
        </span>
        <span className="col-span-full text-sm/relaxed text-ink-700 lg:col-auto">
          {orders} {orders === 1 ? 'order' : 'orders'}, last{' '}
          <time dateTime={lastAt}>{indiaDay(lastAt)}</time>
        </span>
      </a>
    </li>
  );
}
