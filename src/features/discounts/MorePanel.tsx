import { useState } from 'react';
import { formatDay, indiaCalendarDay } from '#domain/calendar-day.ts';
import { discountsApi, type ListedDiscount } from './domain/discounts-api.ts';
import { termsText } from '#domain/cart/discount-terms.ts';
import { formatRupees } from '#domain/money.ts';
import { callAdmin } from '#services/admin/api.ts';
import { showToast } from '#stores/toasts.ts';
import { RemotePanel, type Panel } from '#islands/admin/shared/RemotePanel.tsx';
import { DiscountDialog } from './DiscountDialog.tsx';

/** How a code stands today: whether customers can use it, and from or until when. */
function stateOf({
  stopped,
  first_day: first,
  last_day: last,
  max_uses: maxUses,
  paid,
  open,
}: ListedDiscount): { usable: boolean; text: string } {
  const today = indiaCalendarDay(new Date());
  const [from, until] = [Date.parse(first), Date.parse(last)];
  if (stopped) return { usable: false, text: 'Stopped' };
  if (until < today) return { usable: false, text: `Over since ${formatDay(until)}` };
  if (from > today)
    return { usable: false, text: `From ${formatDay(from)} until ${formatDay(until)}` };
  if (maxUses !== null && paid + open >= maxUses) return { usable: false, text: 'Used up' };
  return { usable: true, text: `Until ${formatDay(until)}` };
}

function usesText({
  paid,
  open,
  max_uses: maxUses,
  max_per_customer: each,
  given_paise: given,
  shown_in_cart: shown,
}: ListedDiscount): string {
  const uses = `${String(paid)}${maxUses === null ? '' : ` of ${String(maxUses)}`} used`;
  const parts = [
    uses,
    ...(open > 0 ? [`${String(open)} being paid`] : []),
    ...(given > 0 ? [`${formatRupees(given)} given`] : []),
  ];
  return [
    ...parts,
    ...(each === null ? [] : [each === 1 ? 'once a customer' : `${String(each)} times a customer`]),
    ...(shown ? ['shown in the cart'] : []),
  ].join(' · ');
}

const summaryOf = (discounts: readonly ListedDiscount[]): string => {
  const usable = discounts.filter((one) => stateOf(one).usable).length;
  return usable === 0 ? 'none in use' : `${String(usable)} in use`;
};

export const order = 40;

/** The discount codes, folded until wanted. */
export function MorePanel() {
  return (
    <RemotePanel
      title="Discount codes"
      failed="Failed to fetch the codes"
      endpoint={discountsApi.list}
      summary={({ discounts }) => summaryOf(discounts)}
    >
      {({ discounts }, panel) => <Discounts discounts={discounts} panel={panel} />}
    </RemotePanel>
  );
}

interface DiscountsProps {
  discounts: ListedDiscount[];
  panel: Panel<{ discounts: ListedDiscount[] }>;
}

function Discounts({ discounts, panel: { action, replace } }: DiscountsProps) {
  const [adding, setAdding] = useState(false);
  const stop = ({ code, stopped }: ListedDiscount) =>
    void action.run('Not changed', async () => {
      replace(await callAdmin(discountsApi.stop, { body: { code, stopped: !stopped } }));
      showToast(stopped ? `${code} can be used again` : `${code} is stopped`, { tone: 'success' });
    });
  return (
    <>
      {discounts.length === 0 ? (
        <p className="text-sm/relaxed text-ink-500">
          Customers type a code in their cart and pay less. You have made none yet.
        </p>
      ) : null}
      <ul aria-label="Discount codes">
        {discounts.map((one) => (
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
      <button type="button" className="btn btn-primary mt-3" onClick={() => setAdding(true)}>
        New code
      </button>
      {adding ? (
        <DiscountDialog
          onClose={() => setAdding(false)}
          onSaved={(saved) => {
            replace(saved);
            setAdding(false);
          }}
        />
      ) : null}
    </>
  );
}
