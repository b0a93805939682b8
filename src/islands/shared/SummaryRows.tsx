import type { ShownRow } from '#domain/orders/order-sums.ts';

interface SummaryRowsProps {
  rows: readonly ShownRow[];
  /** Set where the customer decides to pay: wide rows, a line and a large total. */
  prominent?: boolean;
}

/** The sums of a cart or an order. */
export function SummaryRows({ rows, prominent = false }: SummaryRowsProps) {
  const total = prominent
    ? 'mt-1 items-baseline border-t border-line pt-4 font-medium'
    : 'font-medium';
  return (
    <dl className={`grid ${prominent ? 'gap-3' : 'gap-1'}`}>
      {rows.map(({ label, amount, isTotal = false }) => (
        <div
          key={label}
          className={`flex flex-wrap justify-between gap-x-4 ${isTotal ? total : 'text-sm text-ink-700'}`}
        >
          <dt>{label}</dt>
          <dd className={`price whitespace-nowrap ${isTotal && prominent ? 'text-xl' : ''}`}>
            {amount}
          </dd>
        </div>
      ))}
    </dl>
  );
}
