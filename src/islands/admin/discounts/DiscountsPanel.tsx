import { useState } from 'react';
import { formatDay, indiaCalendarDay } from '../../../domain/calendar-day.ts';
import type { ListedDiscount } from '../../../domain/admin/discount-input.ts';
import { termsText } from '../../../domain/cart/cart-summary.ts';
import { formatRupees } from '../../../domain/money.ts';
import { fetchDiscounts, stopDiscount } from '../../../services/admin/catalogue/discounts.ts';
import { showToast } from '../../../stores/toasts.ts';
import { ActionError } from '../shared/ActionError.tsx';
import { FoldedPanel, unreadSummary } from '../shared/FoldedPanel.tsx';
import { LoadFailed } from '../shared/LoadState.tsx';
import { useAction } from '../shared/use-action.ts';
import { useLoaded } from '../shared/use-loaded.ts';
import { DiscountDialog } from './DiscountDialog.tsx';

/** How a code stands today: whether customers can use it, and from or until when. */
function stateOf({
  stopped,
  first_day: first,
  last_day: last,
  max_uses: most,
  paid,
  open,
}: ListedDiscount): { usable: boolean; text: string } {
  const today = indiaCalendarDay(new Date());
  const [from, until] = [Date.parse(first), Date.parse(last)];
  if (stopped) return { usable: false, text: 'Stopped' };
  if (until < today) return { usable: false, text: `Over since ${formatDay(until)}` };
  if (from > today)
    return { usable: false, text: `From ${formatDay(from)} until ${formatDay(until)}` };
  if (most !== null && paid + open >= most) return { usable: false, text: 'Used up' };
  return { usable: true, text: `Until ${formatDay(until)}` };
}

function usesText({
  paid,
  open,
  max_uses: most,
  max_per_shopper: each,
  given_paise: given,
}: ListedDiscount): string {
  const uses = `${String(paid)}${most === null ? '' : ` of ${String(most)}`} used`;
  const parts = [
    uses,
    ...(open > 0 ? [`${String(open)} being paid`] : []),
    ...(given > 0 ? [`${formatRupees(given)} given`] : []),
  ];
  return [
    ...parts,
    ...(each === null ? [] : [each === 1 ? 'once a customer' : `${String(each)} times a customer`]),
  ].join(' · ');
}

/** The discount codes, folded until wanted. */
export function DiscountsPanel() {
  const { data, error, loading, reload, replace } = useLoaded(fetchDiscounts);
  const [adding, setAdding] = useState(false);
  const action = useAction();
  const usable = data?.filter((one) => stateOf(one).usable).length ?? 0;
  const stop = ({ code, stopped }: ListedDiscount) =>
    void action.run('Not changed', async () => {
      replace(await stopDiscount(code, !stopped));
      showToast(stopped ? `${code} can be used again` : `${code} is stopped`, { tone: 'success' });
    });
  return (
    <FoldedPanel
      title="Discount codes"
      summary={
        data === null
          ? error === null
            ? ''
            : unreadSummary
          : usable === 0
            ? 'none in use'
            : `${String(usable)} in use`
      }
    >
      {error === null ? null : (
        <LoadFailed
          title="Failed to fetch the codes"
          error={error}
          busy={loading}
          onRetry={reload}
        />
      )}
      {data === null ? <div aria-busy={loading} /> : null}
      {data?.length === 0 ? (
        <p className="text-sm/relaxed text-ink-500">
          Customers type a code in their cart and pay less. You have made none yet.
        </p>
      ) : null}
      <ul aria-label="Discount codes">
        {data?.map((one) => (
          <li
            key={one.code}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2 last:border-0"
          >
            <div className="min-w-[min(100%,18rem)] flex-1 text-sm/relaxed">
              <p className="wrap-anywhere">
                <b className="font-medium">{one.code}</b>{' '}
                {termsText({
                  code: one.code,
                  percent: one.percent,
                  amount: one.amount_paise,
                  minSubtotal: one.min_paise,
                })}
              </p>
              <p className="text-ink-500">
                {stateOf(one).text} · {usesText(one)}
              </p>
            </div>
            {one.paid + one.open > 0 ? (
              <a
                className="btn btn-quiet min-h-11"
                href={`#orders?q=${one.code}`}
                aria-label={`Orders with ${one.code}`}
              >
                Orders
              </a>
            ) : null}
            <button
              type="button"
              className="btn btn-secondary min-h-11"
              aria-label={`${one.stopped ? 'Allow' : 'Stop'} ${one.code}`}
              onClick={() => stop(one)}
            >
              {one.stopped ? 'Allow again' : 'Stop'}
            </button>
          </li>
        ))}
      </ul>
      <ActionError error={action.error} />
      {data === null ? null : (
        <button type="button" className="btn btn-primary mt-3" onClick={() => setAdding(true)}>
          New code
        </button>
      )}
      {adding ? (
        <DiscountDialog
          onClose={() => setAdding(false)}
          onSaved={(discounts) => {
            replace(discounts);
            setAdding(false);
          }}
        />
      ) : null}
    </FoldedPanel>
  );
}
