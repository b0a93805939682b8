import type { CartSummary } from '../../domain/cart/cart-summary.ts';
import { formatRupees } from '../../domain/money.ts';
import { shippingLabel } from '../../settings/shop.ts';
import { feeLabel } from '../../domain/tax-standing.ts';

/** Subtotal, discount, shipping, fee and total, as on the cart page and in the checkout dialog. */
export function SummaryRows({ summary }: { summary: CartSummary }) {
  const rows = [
    ['Subtotal', formatRupees(summary.subtotal)],
    ...(summary.code === null
      ? []
      : [[`Discount (${summary.code})`, formatRupees(-summary.discount)] as const]),
    ['Shipping', shippingLabel],
    [feeLabel(), formatRupees(summary.fee)],
  ] as const;
  return (
    <dl className="grid gap-3">
      {rows.map(([label, value]) => (
        <div key={label} className="flex flex-wrap justify-between gap-x-4 text-sm">
          <dt className="text-ink-700">{label}</dt>
          <dd className="price">{value}</dd>
        </div>
      ))}
      <div className="mt-1 flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line pt-4">
        <dt className="font-medium">Total</dt>
        <dd className="price text-xl">{formatRupees(summary.total)}</dd>
      </div>
    </dl>
  );
}
