import { useState } from 'react';
import {
  linkHours,
  newOrderSchema,
  readReduction,
  type handMethods,
  type NewOrder,
} from './domain/new-order.ts';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { addressQuestions } from '#domain/checkout/address-hints.ts';
import { chargedPrice } from '#domain/catalogue/product.ts';
import type { salesChannels } from '#domain/orders/sales-channel.ts';
import type { Paise } from '#domain/money.ts';
import { chargesOf } from '#domain/sums/charges.ts';
import { rowsPaise, sumRows } from '#domain/sums/sum-rows.ts';
import { useForm } from '#islands/shared/use-form.ts';

/** A product of the order, of a size when the product has sizes. */
export interface ChosenProduct {
  /** The key of its line. */
  key: string;
  product: Pick<AdminProduct, 'id' | 'name' | 'price' | 'offerPrice'>;
  size?: string;
  /** How many there are. */
  stock: number;
  quantity: number;
}
export type WayOfPayment = 'link' | (typeof handMethods)[number];

const blank = {
  lines: [] as readonly ChosenProduct[],
  reduction: '',
  name: '',
  phone: '',
  email: '',
  address: '',
  city: '',
  postalCode: '',
  notes: '',
  channel: 'instagram' as (typeof salesChannels)[number],
  handOver: false,
  by: 'link' as WayOfPayment,
  hours: String(linkHours.usual),
  reference: '',
};

/** The form of a new order. */
export function useNewOrder() {
  // The key is made once, so that pressing again after a lost response is the same order.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const form = useForm(() => blank);
  const { lines, by, hours, reference, reduction: typedReduction, ...rest } = form.values;
  const subtotal: Paise = lines.reduce(
    (sum, { product, quantity }) => sum + chargedPrice(product) * quantity,
    0,
  );
  const reading = readReduction(typedReduction, subtotal);
  const reduction: Paise = reading.error === undefined ? reading.paise : 0;
  const rows = sumRows(
    subtotal,
    { label: null, paise: reduction },
    chargesOf({ way: by === 'link' ? 'now' : 'hand' }),
  );
  const total = rowsPaise(rows);

  /** The values to send, or null after showing the messages. */
  const check = (): NewOrder | null => {
    const parsed = newOrderSchema.safeParse({
      ...rest,
      key,
      lines: lines.map(({ product, size, quantity }) => ({
        product_id: product.id,
        ...(size === undefined ? {} : { size }),
        quantity,
      })),
      reductionPaise: reduction,
      totalPaise: total,
      payment: by === 'link' ? { by, hours: Number(hours || Number.NaN) } : { by, reference },
    });
    if (parsed.success && reading.error === undefined) {
      const { data } = parsed;
      form.accept({ ok: true, values: data });
      const questions = addressQuestions({
        phone: data.phone,
        postalCode: data.handOver ? null : data.postalCode,
      });
      return form.ask(questions) === null ? null : data;
    }
    const found: Record<string, string> = {};
    if (reading.error !== undefined && lines.length > 0) found['reduction'] = reading.error;
    for (const { path, message } of parsed.error?.issues ?? [])
      found[String(path[0] === 'payment' ? path[1] : path[0])] ??= message;
    return form.accept({ ok: false, errors: found });
  };

  return {
    ...form,
    rows,
    total,
    check,
    /** Takes a new key for an order that has ended. */
    renewKey: () => {
      setKey(crypto.randomUUID());
    },
  };
}
export type NewOrderDraft = ReturnType<typeof useNewOrder>;
