import { useState } from 'react';
import type { ListedOrder } from '#domain/admin/orders/orders.ts';
import {
  leftOutLines,
  leftOutOf,
  orderCount,
  whyNot,
  type LeftOut,
  type SeveralStep,
} from '#domain/admin/orders/several-orders.ts';
import { createFulfilmentSender } from '#services/admin/orders/fulfilment-sender.ts';
import { showToast } from '#stores/toasts.ts';
import { listsKey } from '#islands/admin/shared/fetching/use-pages.ts';
import { refetch } from '#islands/admin/shared/fetching/query-client.ts';
import { SelectionBar } from '#islands/admin/shared/SelectionBar.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import type { Selection } from '#islands/admin/shared/use-selection.ts';
import { foldedHeading, foldedTools, toolsInSight } from './order-tools.ts';
import { eachOrder } from '#islands/admin/orders/several/each-order.ts';
import { ShipSeveralDialog } from '#islands/admin/orders/several/ShipSeveralDialog.tsx';

interface ChosenOrdersProps {
  /** The orders of the list. */
  orders: readonly ListedOrder[];
  selection: Selection;
}

const tools = [...toolsInSight, ...foldedTools].filter(({ isForSent }) => isForSent !== true);

/** What can be done with the chosen orders, at the foot of the screen. An order that cannot take a step is named with its reason. */
export function ChosenOrders({ orders, selection }: ChosenOrdersProps) {
  // An order that left the list is not chosen any more: nothing is changed unseen.
  const chosen = orders.filter(({ id }) => selection.ids.has(String(id)));
  const able = (step: SeveralStep) => chosen.filter((order) => whyNot(order, step) === null);
  const { busy, run } = useAction();
  const [turn, setTurn] = useState(0);
  const [failed, setFailed] = useState<readonly LeftOut[]>([]);
  const [shipping, setShipping] = useState<{
    orders: readonly ListedOrder[];
    leftOut: readonly LeftOut[];
  } | null>(null);
  const all = orders.length > 0 && chosen.length === orders.length;
  const notes = leftOutLines(leftOutOf(chosen, 'parcel'));
  const finish = (done: readonly { id: number }[], others: readonly LeftOut[]) => {
    setFailed(others);
    refetch(listsKey);
    const gone = new Set(done.map(({ id }) => String(id)));
    if (others.length === 0 && done.length > 0) selection.end();
    else selection.set([...selection.ids].filter((id) => !gone.has(id)));
  };
  const pack = () =>
    void run('Nothing is packed', async () => {
      setFailed([]);
      const result = await eachOrder(
        able('packed').map(({ id }) => id),
        (id) => createFulfilmentSender(id)({ state: 'packed' }),
        setTurn,
      );
      const packed = result.done.length;
      if (packed > 0)
        showToast(`${orderCount(packed)} ${packed === 1 ? 'is' : 'are'} packed`, {
          tone: 'success',
        });
      finish(result.done, [...leftOutOf(chosen, 'packed'), ...result.failed]);
    });
  const step = (name: 'packed' | 'shipped', label: string, onPress: () => void) => {
    const none = able(name).length === 0;
    return (
      <button
        type="button"
        className="btn btn-primary btn-small aria-disabled:opacity-50"
        aria-disabled={none || busy}
        onClick={() => !none && !busy && onPress()}
      >
        {label}
      </button>
    );
  };
  return (
    <SelectionBar label="Selected orders">
      {failed.length === 0 ? null : (
        <div className="notice notice-danger max-h-48 overflow-y-auto" role="alert">
          <p className="font-medium">These stay as they are:</p>
          {leftOutLines(failed).map((line) => (
            <p key={line} className="wrap-anywhere">
              {line}
            </p>
          ))}
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-1 gap-y-2">
        <span className="mr-auto" role="status">
          {chosen.length === 0
            ? 'Choose orders in the list.'
            : `${orderCount(chosen.length)} selected`}
        </span>
        <button
          type="button"
          className="btn btn-quiet btn-small px-2"
          onClick={() => selection.set(all ? [] : orders.map(({ id }) => String(id)))}
        >
          {all ? 'None' : `All ${String(orders.length)} shown`}
        </button>
        <button type="button" className="btn btn-quiet btn-small px-2" onClick={selection.end}>
          Done
        </button>
      </div>
      {notes.length === 0 ? null : (
        <ul className="max-h-24 overflow-y-auto text-sm/relaxed text-ink-700">
          {notes.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {step(
          'packed',
          busy ? `Saving ${String(turn)} of ${String(able('packed').length)}…` : 'Mark packed',
          pack,
        )}
        {step('shipped', 'Mark shipped…', () =>
          setShipping({ orders: able('shipped'), leftOut: leftOutOf(chosen, 'shipped') }),
        )}
      </div>
      {tools.length === 0 ? null : (
        <details>
          <summary className="min-h-11 py-2.5 text-sm/relaxed font-medium">
            Slips, {foldedHeading.toLowerCase()}
          </summary>
          <div className="flex flex-wrap gap-2">
            {tools.map(({ Tool, order, isForParcels }) => {
              const ids = able(isForParcels ? 'parcel' : 'slip').map(({ id }) => id);
              return (
                <Tool
                  key={order}
                  waiting={ids.length === 0 ? null : { stage: null, chosen: ids }}
                  count={`${String(ids.length)} chosen`}
                />
              );
            })}
          </div>
        </details>
      )}
      {shipping === null ? null : (
        <ShipSeveralDialog
          orders={shipping.orders}
          leftOut={leftOutLines(shipping.leftOut)}
          onClose={(shipped) => {
            setShipping(null);
            if (shipped.length > 0) finish(shipped, shipping.leftOut);
          }}
        />
      )}
    </SelectionBar>
  );
}
