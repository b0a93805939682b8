import type { OrdersSearch } from './use-orders-query.ts';

/** The list's search field: searches after a pause in typing, at once at Enter. */
export function OrderSearch({ search }: { search: OrdersSearch }) {
  const { query, typed, type, show } = search;
  return (
    <form
      role="search"
      className="mt-4"
      onSubmit={(event) => {
        event.preventDefault();
        show({ ...query, q: typed.trim() });
      }}
    >
      <label className="visually-hidden" htmlFor="order-search">
        Search orders by number, name, phone or e-mail
      </label>
      <input
        id="order-search"
        type="search"
        className="field-input"
        placeholder="Number, name, phone or e-mail"
        autoComplete="off"
        enterKeyHint="search"
        value={typed}
        onChange={(event) => {
          type(event.currentTarget.value);
        }}
      />
    </form>
  );
}
