import { ordersApi } from '#domain/admin/orders/orders-api.ts';
import { orderHash } from '#domain/admin/orders/orders-address.ts';
import type { Today } from '#domain/admin/today.ts';
import { indiaTime } from '#domain/india-dates.ts';
import { changeOrder } from '#services/admin/orders/orders.ts';
import { showToast } from '#stores/toasts.ts';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { TileCount } from './TileCount.tsx';

type Hold = Today['holds']['orders'][number];

/** Unpaid orders that hold what nobody else can buy meanwhile: each with a button that ends it. */
export function HoldsTile({ holds }: { holds: readonly Hold[] }) {
  const action = useAction();
  const end = (id: number): void =>
    void action.run('The hold has not ended', async () => {
      await changeOrder(ordersApi.endHold, id, {});
      showToast(`The hold of order ${String(id)} has ended: others can buy it`, {
        tone: 'success',
      });
    });
  return (
    <li className="today-tile col-span-full">
      <TileCount
        count={holds.length}
        label={holds.length === 1 ? 'last piece held without payment' : 'orders hold last pieces'}
      />
      <ul>
        {holds.map(({ id, customerName, heldUntil }) => (
          <li
            key={id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-2"
          >
            <a className="link min-w-0 flex-1 py-2.5 text-sm wrap-anywhere" href={orderHash(id)}>
              {customerName || `Order ${String(id)}`}
              <span className="text-ink-500">, until {indiaTime(heldUntil)}</span>
            </a>
            <button
              type="button"
              className="btn btn-secondary btn-small"
              disabled={action.busy}
              onClick={() => {
                end(id);
              }}
            >
              End hold
              <span className="visually-hidden"> of order {id}</span>
            </button>
          </li>
        ))}
      </ul>
      <ActionError error={action.error} />
    </li>
  );
}
