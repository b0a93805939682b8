import { useState } from 'react';
import { type AdminOrder } from '../../../../domain/admin/orders/orders.ts';
import {
  refundRequestSchema,
  type RefundRequest,
} from '../../../../domain/admin/orders/order-requests.ts';
import {
  itemsOf,
  refundAmount,
  refundFault,
  restockable,
  restockOf,
  type RefundLine,
} from '../../../../domain/admin/orders/refund-draft.ts';
import { paiseFromText } from '../../../../domain/admin/typed-rupees.ts';
import { formatRupees, type Paise } from '../../../../domain/money.ts';

export interface RefundDraft {
  lines: readonly RefundLine[];
  setLine: (index: number, change: Partial<RefundLine>) => void;
  /** Every item, and with them everything that is left. */
  takeAll: () => void;
  /** What is typed, or what the chosen items come to. */
  amountText: string;
  setAmount: (text: string) => void;
  /** Null while it is no amount. */
  amount: Paise | null;
  reason: string;
  setReason: (text: string) => void;
  errors: Readonly<{ amount?: string | undefined; reason?: string | undefined }>;
  /** The request, or null and the messages in `errors`. */
  check: () => RefundRequest | null;
}

/** A refund as it is being written. Choosing items writes the amount; the amount can then be changed by hand. */
export function useRefundDraft(order: AdminOrder): RefundDraft {
  // One key for each refund that is made: a second press after a lost response does not send the money twice.
  const [key] = useState(() => crypto.randomUUID());
  // A parcel that was sent may come back later: it is not put into stock now.
  const here = order.fulfilment === 'new' || order.fulfilment === 'packed';
  const [lines, setLines] = useState<readonly RefundLine[]>(() =>
    order.items.map((item) => ({ quantity: 0, restock: here && restockable(item) > 0 })),
  );
  const [typed, setTyped] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const [errors, setErrors] = useState<RefundDraft['errors']>({});

  const choose = (next: readonly RefundLine[]) => {
    setLines(next);
    setTyped(null);
    setErrors(({ amount: _cleared, ...others }) => others);
  };
  const suggested = refundAmount(order, lines);
  const nothing = lines.every(({ quantity }) => quantity === 0);
  const amountText = typed ?? (nothing ? '' : (suggested / 100).toFixed(2));
  const amount = paiseFromText(amountText);

  const check = () => {
    const fault = refundFault(amount, order.refundablePaise, formatRupees(order.refundablePaise));
    const quantities = { items: itemsOf(order, lines), restock: restockOf(order, lines) };
    const parsed = refundRequestSchema.safeParse({
      key,
      amountPaise: amount,
      reason,
      ...quantities,
    });
    const reasonFault = parsed.success
      ? undefined
      : parsed.error.issues.find(({ path }) => path[0] === 'reason')?.message;
    setErrors({
      ...(fault === null ? {} : { amount: fault }),
      ...(reasonFault === undefined ? {} : { reason: reasonFault }),
    });
    return parsed.success && fault === null ? parsed.data : null;
  };
  return {
    lines,
    setLine: (index, change) => {
      const next = lines.map((line, at) => (at === index ? { ...line, ...change } : line));
      // A tick alone changes no money.
      if (change.quantity === undefined) setLines(next);
      else choose(next);
    },
    takeAll: () => {
      choose(
        lines.map((line, index) => ({ ...line, quantity: order.items[index]?.quantity ?? 0 })),
      );
    },
    amountText,
    setAmount: (text) => {
      setTyped(text);
      setErrors(({ amount: _cleared, ...others }) => others);
    },
    amount,
    reason,
    setReason: (text) => {
      setReason(text);
      setErrors(({ reason: _cleared, ...others }) => others);
    },
    errors,
    check,
  };
}
