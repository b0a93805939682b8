import { partOf } from '#domain/invoice/gst.ts';
import type { Paise } from '#domain/money.ts';
import { rowsPaise } from '#domain/sums/sum-rows.ts';
import { type AdminOrder } from './orders.ts';
import { minRefundPaise, type RefundRequest } from './order-requests.ts';

/** The admin's choice for one item: how many are refunded, and whether they return to stock. */
export interface RefundLine {
  quantity: number;
  restock: boolean;
}

/** A part of a refund: of the products, or of what was charged beside them. */
export interface RefundPart {
  label: string;
  paise: Paise;
}

const soldFor = (item: AdminOrder['items'][number], quantity: number): Paise =>
  partOf(item.pricePaise * item.quantity - item.discountPaise, quantity, item.quantity);

/**
 * What goes back with the chosen quantities: their price, and the share of each charge that gives one, to the nearest paisa. Choosing
 * all items refunds all that is left.
 */
export function refundParts(order: AdminOrder, lines: readonly RefundLine[]): RefundPart[] {
  const refunded = (index: number) => lines[index]?.quantity ?? 0;
  if (order.items.every((item, index) => refunded(index) >= item.quantity))
    return [{ label: 'All that is left', paise: order.refundablePaise }];
  const worth = order.items.reduce((sum, item, index) => sum + soldFor(item, refunded(index)), 0);
  const goods = rowsPaise(order.rows, 'goods') + rowsPaise(order.rows, 'discount');
  const shares = goods > 0 ? order.rows.filter(({ refund }) => refund === 'share') : [];
  return [
    { label: 'Products', paise: worth },
    ...shares.map(({ label, paise }) => ({
      label: label ?? 'Other charges',
      paise: partOf(paise, worth, goods),
    })),
  ].filter(({ paise }) => paise > 0);
}

/** The refund for the chosen quantities, in paise: its parts, and never more than is left. */
export const refundAmount = (order: AdminOrder, lines: readonly RefundLine[]): Paise =>
  Math.min(
    refundParts(order, lines).reduce((sum, { paise }) => sum + paise, 0),
    order.refundablePaise,
  );

/** How many of an item can still return to stock; 0 for a deleted product. */
export function restockable(item: AdminOrder['items'][number]): number {
  return item.productId === null ? 0 : Math.max(0, item.quantity - item.restocked);
}

/** The items that are refunded, as the server takes them. */
export function itemsOf(order: AdminOrder, lines: readonly RefundLine[]): RefundRequest['items'] {
  return order.items.flatMap(({ productId, size }, index) => {
    const quantity = lines[index]?.quantity ?? 0;
    return productId === null || quantity === 0 ? [] : [{ productId, size, quantity }];
  });
}

/** The items to give back to stock, as the server takes them. */
export function restockOf(
  order: AdminOrder,
  lines: readonly RefundLine[],
): RefundRequest['restock'] {
  return order.items.flatMap((item, index) => {
    const line = lines[index];
    const quantity = line?.restock ? Math.min(line.quantity, restockable(item)) : 0;
    return item.productId === null || quantity === 0
      ? []
      : [{ productId: item.productId, size: item.size, quantity }];
  });
}

/** Why an amount cannot be refunded, as a sentence; null when it can. */
export function refundFault(amount: Paise | null, left: Paise, leftText: string): string | null {
  if (amount === null) return 'Write an amount in rupees, such as 349.50';
  if (amount < minRefundPaise) return 'At least ₹1';
  return amount > left ? `You can refund at most ${leftText}` : null;
}
