import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addUp } from '#domain/invoice/invoice-document.ts';
import { invoiceDocument } from '#domain/invoice/invoice.ts';
import { orderFromRow } from '#domain/orders/order.ts';
import { times } from '#tests/soak.ts';
import { sqlState } from '#tests/database/support/database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { customerDetails, type Placing } from '#tests/database/support/shop-database.ts';

const database = await useDatabase();

interface Line {
  product_id: string;
  quantity: number;
}
/** A sale in cash, with an amount off the price of its items. */
function sell(lines: readonly Line[], total: number, reduction: number): Promise<Placing> {
  return database.value(
    `select public.place_admin_order(gen_random_uuid(), $1::jsonb, $2::jsonb, 'exhibition', false, $3, 0, 60, 'cash', '', null, $4) as answer`,
    JSON.stringify(lines),
    JSON.stringify({ ...customerDetails, email: '' }),
    total,
    reduction,
  );
}

const sales = fc
  .record({
    items: fc.array(
      fc.record({
        // The price is in paise: odd amounts leave a rest to spread.
        price: fc.integer({ min: 100, max: 500_000 }),
        quantity: fc.integer({ min: 1, max: 4 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    pin: fc.constantFrom('682001', '110001'),
  })
  .map((sale) => {
    const subtotal = sale.items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
    return { ...sale, subtotal, reduction: Math.floor((subtotal - 100) * sale.share) };
  });

test('lines, tax and total of a sale with a lowered price add up to what was paid, for any items and reduction', async () => {
  await fc.assert(
    fc.asyncProperty(sales, async ({ items, subtotal, reduction, pin }) => {
      const lines = await Promise.all(
        items.map(async ({ price, quantity }) => ({
          product_id: await database.addProduct({ price: price / 100, stock: quantity }),
          quantity,
        })),
      );
      const total = subtotal - reduction;
      const placed = await sell(lines, total, reduction);
      expect(placed).toMatchObject({ outcome: 'placed' });
      const row = await database.orderRow(placed.order?.id ?? 0);
      expect(row).toMatchObject({
        subtotal_paise: subtotal,
        discount_paise: reduction,
        discount_code: null,
        total_paise: total,
      });
      const order = orderFromRow({
        id: 1,
        items: row['items'],
        customer_postal_code: pin,
        subtotal_paise: subtotal,
        discount_paise: reduction,
        fee_paise: 0,
        amount: total / 100,
        status: 'COMPLETED',
        payment_status: 'COMPLETED',
      });
      expect(order.items.reduce((sum, { discount }) => sum + discount, 0)).toBe(reduction);
      const document = invoiceDocument(order);
      const sum = addUp(document.lines);
      expect(document.lines.filter(({ kind }) => kind === 'adjustment')).toEqual([]);
      expect([sum.grossPaise, document.totalPaise]).toEqual([total, total]);
      expect(sum.taxablePaise + sum.cgstPaise + sum.sgstPaise + sum.igstPaise).toBe(total);
      for (const line of document.lines) expect(line.grossPaise).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: times(40, 1_000) },
  );
});

test('a reduction that leaves nothing to pay places no order, and one below zero is refused', async () => {
  const ring = await database.addProduct({ price: 1_000, stock: 2 });
  const lines = [{ product_id: ring, quantity: 1 }];
  for (const reduction of [100_000, 250_000])
    expect(await sell(lines, 100_000 - reduction, reduction)).toMatchObject({
      outcome: 'amount_out_of_range',
    });
  expect(await sell(lines, 100_000, 5_000)).toMatchObject({
    outcome: 'price_changed',
    discount_paise: 5_000,
    total_paise: 95_000,
  });
  expect(await sqlState(sell(lines, 100_001, -1))).toBe('22023');
  expect(await database.stockOf(ring)).toBe(2);
});
