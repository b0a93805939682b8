import { useState } from 'react';
import {
  linkHours,
  newOrderSchema,
  readReduction,
  type handMethods,
  type NewOrder,
  type salesChannels,
} from '../../../../domain/admin/orders/new-order.ts';
import type { AdminProduct } from '../../../../domain/admin/products/product-input.ts';
import { chargedPrice } from '../../../../domain/catalogue/product.ts';
import { platformFee, type Paise } from '../../../../domain/money.ts';
import { shop } from '../../../../shop.config.ts';

/** A piece of the order, of a size when the product has sizes. */
export interface ChosenPiece {
  /** The key of its line. */
  key: string;
  product: AdminProduct;
  size?: string;
  /** How many there are. */
  stock: number;
  quantity: number;
}
export type WayOfPayment = 'link' | (typeof handMethods)[number];
export const buyerFields = [
  'name',
  'phone',
  'email',
  'address',
  'city',
  'postalCode',
  'notes',
] as const;
export type BuyerField = (typeof buyerFields)[number];
export type NewOrderErrors = Partial<Record<string, string>>;

const blank = {
  ...{ name: '', phone: '', email: '', address: '', city: '', postalCode: '', notes: '' },
  channel: 'instagram' as (typeof salesChannels)[number],
  handOver: false,
  by: 'link' as WayOfPayment,
  hours: String(linkHours.usual),
  reference: '',
  reduction: '',
};

/** What the form of a new order holds. */
export function useNewOrder() {
  // Made once: pressing again after a lost response is the same order.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [typed, setTyped] = useState(blank);
  const [pieces, setPieces] = useState<readonly ChosenPiece[]>([]);
  const [errors, setErrors] = useState<NewOrderErrors>({});
  const change = (values: Partial<typeof blank>) => {
    setTyped((before) => ({ ...before, ...values }));
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([field]) => !(field in values))),
    );
  };
  const subtotal: Paise = pieces.reduce(
    (sum, { product, quantity }) => sum + chargedPrice(product) * quantity,
    0,
  );
  const reading = readReduction(typed.reduction, subtotal);
  const reduction: Paise = reading.error === undefined ? reading.paise : 0;
  const fee = typed.by === 'link' ? platformFee(subtotal - reduction, shop.platformFeeBps) : 0;
  const total: Paise = subtotal - reduction + fee;

  /** What is sent, or null when a field has a message now. */
  const check = (): { order: NewOrder } | { errors: NewOrderErrors } => {
    const { by, hours, reference, reduction: _typed, ...rest } = typed;
    const parsed = newOrderSchema.safeParse({
      ...rest,
      key,
      lines: pieces.map(({ product, size, quantity }) => ({
        product_id: product.id,
        ...(size === undefined ? {} : { size }),
        quantity,
      })),
      reductionPaise: reduction,
      totalPaise: total,
      payment: by === 'link' ? { by, hours: Number(hours || Number.NaN) } : { by, reference },
    });
    if (parsed.success && reading.error === undefined) return { order: parsed.data };
    const found: Record<string, string> = {};
    if (reading.error !== undefined && pieces.length > 0) found['reduction'] = reading.error;
    for (const { path, message } of parsed.error?.issues ?? [])
      found[String(path[0] === 'payment' ? path[1] : path[0])] ??= message;
    setErrors(found);
    return { errors: found };
  };

  return {
    ...{ typed, change, pieces, setPieces, errors, subtotal, reduction, fee, total, check },
    /** For another try of an order that has ended. */
    renewKey: () => {
      setKey(crypto.randomUUID());
    },
  };
}
export type NewOrderDraft = ReturnType<typeof useNewOrder>;
