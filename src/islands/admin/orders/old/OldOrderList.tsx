import { useCallback, useState } from 'react';
import { indiaDay } from '../../../../domain/india-dates.ts';
import { formatRupees } from '../../../../domain/money.ts';
import type { OldOrder } from '../../../../domain/admin/orders/old-orders.ts';
import { fetchOldOrders, removeOldOrder } from '../../../../services/admin/orders/old-orders.ts';
import { ActionError } from '../../shared/ActionError.tsx';
import { LoadFailed } from '../../shared/LoadState.tsx';
import { useAction } from '../../shared/use-action.ts';
import { useLoaded } from '../../shared/use-loaded.ts';
import { OldOrdersDialog } from './OldOrdersDialog.tsx';

/** Orders of before, searched and read on. */
export function OldOrderList() {
  const [query, setQuery] = useState('');
  const [importing, setImporting] = useState(false);
  const [following, setFollowing] = useState<{ of: unknown; orders: OldOrder[] } | null>(null);
  const load = useCallback((signal: AbortSignal) => fetchOldOrders(query, 0, signal), [query]);
  const { data, error, loading, reload } = useLoaded(load);
  const more = useAction();
  const orders = [...(data?.orders ?? []), ...(following?.of === data ? following.orders : [])];
  const readOn = () =>
    more.run('The others cannot be read', async () => {
      const next = await fetchOldOrders(query, orders.length);
      setFollowing({
        of: data,
        orders: [...orders.slice(data?.orders.length ?? 0), ...next.orders],
      });
    });
  return (
    <div className="grid grid-cols-1 gap-3 pb-3">
      <div className="flex flex-wrap gap-2">
        <form
          role="search"
          aria-label="Old orders"
          className="flex min-w-0 flex-[1_1_14rem] gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            const typed = new FormData(event.currentTarget).get('q');
            setQuery(typeof typed === 'string' ? typed : '');
          }}
        >
          <input
            type="search"
            name="q"
            className="field-input min-w-0 flex-1"
            aria-label="Search old orders"
            placeholder="Number, name, phone, items"
            enterKeyHint="search"
          />
          <button type="submit" className="btn btn-secondary btn-small">
            Search
          </button>
        </form>
        <button
          type="button"
          className="btn btn-secondary btn-small"
          onClick={() => setImporting(true)}
        >
          Import a file
        </button>
      </div>
      {error === null ? null : (
        <LoadFailed
          title="The old orders cannot be read"
          error={error}
          busy={loading}
          onRetry={reload}
        />
      )}
      {data ? (
        <p className="text-sm/relaxed text-ink-500" role="status">
          {data.total === 0
            ? query.trim() === ''
              ? 'None yet. An export of the shop’s records of before can be taken in here.'
              : 'No old order says this.'
            : `${String(orders.length)} of ${String(data.total)} shown`}
        </p>
      ) : null}
      <ul className="grid" aria-label="Old orders" aria-busy={loading}>
        {orders.map((order) => (
          <OldOrderRow key={order.number} order={order} onRemoved={reload} />
        ))}
      </ul>
      <ActionError error={more.error} />
      {data && orders.length < data.total ? (
        <p className="text-center">
          <button
            type="button"
            className="btn btn-secondary btn-small"
            aria-busy={more.busy}
            onClick={() => void readOn()}
          >
            Load more
          </button>
        </p>
      ) : null}
      {importing ? (
        <OldOrdersDialog
          onClose={(taken) => {
            setImporting(false);
            if (taken) reload();
          }}
        />
      ) : null}
    </div>
  );
}

function OldOrderRow({ order, onRemoved }: { order: OldOrder; onRemoved: () => void }) {
  const { number, placedOn, name, phone, email, items, totalPaise, paid } = order;
  const [sure, setSure] = useState(false);
  const { busy, error, run } = useAction();
  const remove = async () => {
    const done = await run('Not removed', () => removeOldOrder(number));
    if (done) onRemoved();
  };
  return (
    <li className="border-t border-line py-2.5">
      <div className="flex flex-wrap justify-between gap-x-4">
        <b className="font-medium wrap-anywhere">{number}</b>
        <span>
          {formatRupees(totalPaise)}
          {paid === null ? '' : paid ? ', paid' : ', not paid'}
        </span>
      </div>
      <p className="text-sm/relaxed wrap-anywhere">
        {indiaDay(placedOn)}, {[name, phone, email].filter(Boolean).join(', ')}
      </p>
      <p className="text-sm/relaxed wrap-anywhere whitespace-pre-line text-ink-500">{items}</p>
      <ActionError error={error} />
      {sure ? (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          Remove this record for good?
          <button
            type="button"
            className="btn btn-secondary btn-small btn-danger-line"
            aria-busy={busy}
            onClick={() => void remove()}
          >
            Remove
          </button>
          <button type="button" className="btn btn-quiet btn-small" onClick={() => setSure(false)}>
            Keep
          </button>
        </p>
      ) : (
        <button
          type="button"
          className="btn btn-quiet btn-small -ml-4"
          onClick={() => setSure(true)}
        >
          Remove<span className="visually-hidden"> {number}</span>
        </button>
      )}
    </li>
  );
}
