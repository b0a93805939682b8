import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { formatRupees } from '#domain/money.ts';

/** What becomes of the advance when a parcel is refused now, with a space after it; '' where nothing of one is here. */
export function refusedAdvanceText({
  cash,
  totalPaise,
  advanceLeftPaise,
  terms,
}: Pick<AdminOrder, 'cash' | 'totalPaise' | 'advanceLeftPaise' | 'terms'>): string {
  if (advanceLeftPaise === 0) return '';
  const name = advanceLeftPaise < totalPaise - (cash?.due ?? 0) ? 'rest of the advance' : 'advance';
  const amount = formatRupees(advanceLeftPaise);
  return terms.keepsAdvance
    ? `You keep the ${name}, ${amount}. `
    : `The ${name}, ${amount}, goes back. `;
}
