import * as z from 'zod/mini';
import type { Paise } from '#domain/money.ts';
import { importedAmount, importedText, type OrderRow } from './order-row.ts';

/*
 * Items of orders of several origins: this shop's own, and imported ones as a list or as JSON text, some wrapped in
 * `raw` (spec sections 3, 9). An unreadable field counts as an empty one.
 */
const orderItemSchema = z.object({
  name: importedText,
  quantity: z.catch(z.nullable(z.union([z.number(), z.string()])), null),
  price: importedAmount,
  product_id: z.catch(z.nullable(z.union([z.string(), z.number()])), null),
  size: importedText,
  discount_paise: z.catch(z.int().check(z.minimum(0)), 0),
  product: z.catch(
    z.nullable(z.object({ name: importedText, price: importedAmount, offerPrice: importedAmount })),
    null,
  ),
  image: importedText,
  category: importedText,
  hsn: importedText,
});

/** A line of a past order. Prices in paise; `estimated` when no price was recorded. */
export interface OrderItem {
  name: string;
  quantity: number;
  price: Paise;
  lineTotal: Paise;
  /** The line's share of the order's discount: it was sold for `lineTotal` less this. */
  discount: Paise;
  estimated: boolean;
  productId: string | null;
  /** Set for a product with sizes; `name` includes it. */
  size?: string | undefined;
  /** Its image: path in the bucket or absolute address. */
  image: string | null;
  /** The facts that decided its tax when it was bought. */
  category: string | null;
  hsn: string | null;
}

/** Prices of the present catalogue by product id, for items that recorded none. Paise. */
export type PriceLookup = ReadonlyMap<string, { price: Paise; offerPrice: Paise | null }>;

/** Unwraps a list, JSON text of a list, or neither (an empty list). */
function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [];
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

const saysNothing: ReadonlySet<unknown> = new Set([undefined, null, '', 0]);

/** The facts of an item, those of its `raw` sub-object where the item itself has none. */
function unwrapRaw(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || !('raw' in entry)) return entry;
  const { raw, ...outer } = entry;
  if (typeof raw !== 'object' || raw === null) return outer;
  return {
    ...raw,
    ...Object.fromEntries(Object.entries(outer).filter(([, value]) => !saysNothing.has(value))),
  };
}

/** The first amount above 0, else 0. */
export const positive = (...amounts: (Paise | null | undefined)[]): Paise =>
  amounts.find((amount) => typeof amount === 'number' && amount > 0) ?? 0;

type ReadItem = Omit<OrderItem, 'lineTotal' | 'estimated'>;

const unknownItem: ReadItem = {
  name: 'Unknown Item',
  quantity: 1,
  price: 0,
  discount: 0,
  productId: null,
  image: null,
  category: null,
  hsn: null,
};

/** One item, with what is not known as 0, 'Unknown Item' or a quantity of one. `entry` comes from `orderEntries`. */
export function readItem(entry: unknown, prices: PriceLookup): ReadItem {
  const parsed = orderItemSchema.safeParse(entry);
  if (!parsed.success) return unknownItem;
  const item = parsed.data;
  const productId = item.product_id === null ? null : String(item.product_id);
  const known = productId === null ? undefined : prices.get(productId);
  const quantity = Number(item.quantity ?? 1);
  return {
    name: [item.name, item.product?.name].find((name) => name?.trim()) ?? 'Unknown Item',
    quantity: Number.isSafeInteger(quantity) && quantity > 0 ? quantity : 1,
    price: positive(
      item.price,
      item.product?.offerPrice,
      item.product?.price,
      known?.offerPrice,
      known?.price,
    ),
    discount: item.discount_paise,
    productId,
    size: item.size ?? undefined,
    image: item.image || null,
    category: item.category,
    hsn: item.hsn,
  };
}

/** The entries of an order's items, those of `products` when there are none, each without its `raw` wrapping. */
export function orderEntries({ items, products }: Pick<OrderRow, 'items' | 'products'>): unknown[] {
  const own = listOf(items);
  return (own.length > 0 ? own : listOf(products)).map(unwrapRaw);
}
