import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { restockable } from '#domain/admin/orders/refund-draft.ts';
import { formatRupees } from '#domain/money.ts';
import { CheckField } from '#islands/admin/shared/fields/CheckField.tsx';
import { RestockStepper } from './RestockStepper.tsx';
import type { RefundDraft } from './use-refund-draft.ts';

/** The items of the order: how many of each are refunded, and whether they come back into stock. */
export function RefundLines({ order, draft }: { order: AdminOrder; draft: RefundDraft }) {
  return (
    <div role="group" aria-labelledby="refund-pieces">
      <div className="flex items-center justify-between gap-3">
        <span className="field-label" id="refund-pieces">
          Pieces
        </span>
        <button type="button" className="btn btn-quiet btn-small" onClick={draft.takeAll}>
          The whole order
        </button>
      </div>
      <ul>
        {order.items.map((item, index) => {
          const line = draft.lines[index] ?? { quantity: 0, restock: false };
          const restockableQuantity = restockable(item);
          return (
            <li
              key={`${String(index)}-${item.name}`}
              className="grid gap-1 border-t border-line py-3"
            >
              <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
                <span className="min-w-32 flex-1 break-words">
                  {item.name}
                  <span className="block text-sm text-ink-500">
                    {formatRupees(item.pricePaise)} × {item.quantity}
                  </span>
                </span>
                <RestockStepper
                  label={`Pieces of ${item.name}`}
                  value={line.quantity}
                  max={item.quantity}
                  onValue={(quantity) => {
                    draft.setLine(index, { quantity });
                  }}
                />
              </div>
              {line.quantity === 0 ? null : (
                <CheckField
                  label={
                    restockableQuantity === 0
                      ? 'Not to be put back into stock'
                      : 'Put back into stock'
                  }
                  checked={line.restock && restockableQuantity > 0}
                  disabled={restockableQuantity === 0}
                  onChecked={(restock) => {
                    draft.setLine(index, { restock });
                  }}
                />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
