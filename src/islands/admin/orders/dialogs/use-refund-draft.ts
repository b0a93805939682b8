import { useState } from 'react';
import { type AdminOrder } from '#domain/admin/orders/orders.ts';
import { refundRequestSchema, type RefundRequest } from '#domain/admin/orders/order-requests.ts';
import {
  itemsOf,
  refundAmount,
  refundFault,
  refundParts,
  restockable,
  restockOf,
  type RefundLine,
} from '#domain/admin/orders/refund-draft.ts';
import { paiseFromText } from '#domain/admin/typed-rupees.ts';
import { parseForm } from '#domain/checkout/forms.ts';
import { formatRupees } from '#domain/money.ts';
import { useForm } from '#islands/shared/use-form.ts';

/** The form of a refund. Choosing items writes the amount; the amount can then be changed by hand. */
export function useRefundDraft(order: AdminOrder) {
  // One key for each refund that is made: a second press after a lost response does not send the money twice.
  const [key] = useState(() => crypto.randomUUID());
  // A parcel that was sent may come back later: it is not put into stock now.
  const here = order.fulfilment === 'new' || order.fulfilment === 'packed';
  const form = useForm(() => ({
    lines: order.items.map((item): RefundLine => ({
      quantity: 0,
      restock: here && restockable(item) > 0,
    })),
    amount: '',
    reason: '',
  }));
  const { lines, reason } = form.values;
  const amount = paiseFromText(form.values.amount);
  const choose = (next: RefundLine[]) => {
    const nothing = next.every(({ quantity }) => quantity === 0);
    form.change({
      lines: next,
      amount: nothing ? '' : (refundAmount(order, next) / 100).toFixed(2),
    });
  };

  return {
    ...form,
    lines,
    /** The amount in paise; null while the typed text is no amount. */
    amount,
    /** What goes back of each row; none while nothing is chosen. */
    parts: lines.every(({ quantity }) => quantity === 0) ? [] : refundParts(order, lines),
    setLine: (index: number, change: Partial<RefundLine>) => {
      const next = lines.map((line, at) => (at === index ? { ...line, ...change } : line));
      // Ticking 'Put back into stock' changes no money.
      if (change.quantity === undefined) form.change({ lines: next });
      else choose(next);
    },
    /** Chooses every item, and with them everything that is left. */
    takeAll: () => {
      choose(
        lines.map((line, index) => ({ ...line, quantity: order.items[index]?.quantity ?? 0 })),
      );
    },
    /** The request, or null after showing the messages. */
    check: (): RefundRequest | null => {
      const fault = refundFault(amount, order.refundablePaise, formatRupees(order.refundablePaise));
      const parsed = parseForm(refundRequestSchema, {
        key,
        amountPaise: amount,
        reason,
        items: itemsOf(order, lines),
        restock: restockOf(order, lines),
      });
      if (parsed.ok && fault === null) return form.accept(parsed);
      const errors = parsed.ok ? {} : parsed.errors;
      return form.accept({
        ok: false,
        errors: { amount: fault ?? undefined, reason: errors.reason },
      });
    },
  };
}
export type RefundDraft = ReturnType<typeof useRefundDraft>;
