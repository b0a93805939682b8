import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  refundAmount,
  refundFault,
  refundParts,
  restockable,
  restockOf,
  type RefundLine,
} from '#domain/admin/orders/refund-draft.ts';
import { rowsPaise } from '#domain/sums/sum-rows.ts';
import { feeLabel } from '#domain/tax-standing.ts';
import { adminOrder, ownRows } from './admin-order.ts';

const quantities = (...counts: readonly number[]): RefundLine[] =>
  counts.map((count) => ({ quantity: count, restock: true }));

describe('the amount that units come to', () => {
  test('is their price and their share of the platform fee', () => {
    expect(refundAmount(adminOrder(), quantities(1, 0))).toBe(51_180);
    expect(refundAmount(adminOrder(), quantities(0, 1))).toBe(102_360);
  });

  test('is of what they were sold for when the order had a discount', () => {
    const [ring, chain] = adminOrder().items;
    if (!ring || !chain) throw new Error('The order has items');
    const items = [
      { ...ring, pricePaise: 33_333, discountPaise: 6_667 },
      { ...chain, pricePaise: 10_000, discountPaise: 1_000 },
    ];
    const order = adminOrder({
      items,
      rows: ownRows(76_666, 7_667, 'ONAM10'),
      totalPaise: 70_627,
      refundablePaise: 70_627,
    });
    expect(refundAmount(order, quantities(1, 0))).toBe(30_708);
    expect(refundParts(order, quantities(1, 0))).toEqual([
      { label: 'Products', paise: 30_000 },
      { label: feeLabel(), paise: 708 },
    ]);
    expect(refundAmount(order, quantities(0, 1))).toBe(9_212);
    expect(refundAmount(order, quantities(2, 1))).toBe(70_627);
  });

  test('is nothing for no units, all that is left for all of them, and without a subtotal a price without a share', () => {
    expect(refundAmount(adminOrder(), quantities(0, 0))).toBe(0);
    expect(refundAmount(adminOrder({ refundablePaise: 153_540 }), quantities(2, 1))).toBe(153_540);
    const imported = adminOrder({ rows: [] });
    expect(refundAmount(imported, quantities(1, 0))).toBe(50_000);
  });

  test('is never more than is left, for any prices, quantities and earlier refunds', () => {
    const item = fc.record({
      pricePaise: fc.integer({ min: 1, max: 10_000_000 }),
      quantity: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(
        fc.array(item, { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat(9)),
        fc.nat(100),
        (items, chosen, gone) => {
          const subtotal = items.reduce(
            (sum, { pricePaise, quantity }) => sum + pricePaise * quantity,
            0,
          );
          const rows = ownRows(subtotal);
          const totalPaise = rowsPaise(rows);
          const refundablePaise = totalPaise - Math.floor((totalPaise * gone) / 100);
          const rest = {
            productId: null,
            discountPaise: 0,
            name: 'Product',
            image: null,
            restocked: 0,
          };
          const order = adminOrder({
            rows,
            totalPaise,
            refundablePaise,
            items: items.map((known) => ({ ...rest, ...known })),
          });
          const lines = items.map(({ quantity }, index) => ({
            quantity: Math.min(chosen[index] ?? 0, quantity),
            restock: false,
          }));
          const amount = refundAmount(order, lines);
          expect(Number.isSafeInteger(amount)).toBe(true);
          expect(amount).toBeGreaterThanOrEqual(0);
          expect(amount).toBeLessThanOrEqual(refundablePaise);
        },
      ),
    );
  });
});

describe('an amount to send back', () => {
  test('is refused below a rupee and above what is left', () => {
    expect(refundFault(null, 10_000, '₹100.00')).toMatch(/Write an amount/u);
    expect(refundFault(99, 10_000, '₹100.00')).toBe('At least ₹1');
    expect(refundFault(10_001, 10_000, '₹100.00')).toBe('You can refund at most ₹100.00');
    expect(refundFault(10_000, 10_000, '₹100.00')).toBeNull();
  });
});

describe('units that return to stock', () => {
  test('are those that were ticked, and no more than have not come back yet', () => {
    const order = adminOrder();
    const [ring] = order.items;
    if (!ring) throw new Error('The order has items');
    const back = adminOrder({ items: [{ ...ring, restocked: 1 }, ...order.items.slice(1)] });
    expect(restockOf(back, quantities(2, 0))).toEqual([{ productId: ring.productId, quantity: 1 }]);
    expect(restockOf(back, [{ quantity: 2, restock: false }])).toEqual([]);
    expect(
      [{ restocked: 2 }, { productId: null }].map((one) => restockable({ ...ring, ...one })),
    ).toEqual([0, 0]);
    const nameless = adminOrder({ items: [{ ...ring, productId: null }] });
    expect(restockOf(nameless, quantities(2))).toEqual([]);
  });
});
