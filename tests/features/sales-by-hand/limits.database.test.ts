import { expect, test } from 'vitest';
import { newOrderSchema } from '#features/sales-by-hand/domain/new-order.ts';
import { shop } from '#settings/shop.ts';
import { limitsOf, numberIn, takes } from '#tests/database/support/limits.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';

const { definitionOf } = limitsOf(await useDatabase());

const lineOf = (quantity = 1) => ({ product_id: crypto.randomUUID(), quantity });
const newOrder = {
  name: 'Asha Menon',
  email: 'asha@example.com',
  phone: '9876543210',
  address: '12 Temple Road',
  city: 'Kochi',
  postalCode: '682001',
  notes: '',
  key: crypto.randomUUID(),
  lines: [lineOf()],
  channel: 'other',
  totalPaise: 10_000,
  payment: { by: 'link', hours: 24 },
  handOver: false,
};

test('the form of a new order takes as many lines, units and letters of a size as SQL does', async () => {
  const sql = await definitionOf('cart_lines');
  const maxUnits = numberIn(sql, /::integer not between 1 and (\d+)/u);
  const maxSize = numberIn(sql, /'size'\) not between 1 and (\d+)/u);
  const { cartLines } = shop.limits;
  const lines = (count: number) => Array.from({ length: count }, () => lineOf());
  const sized = (length: number) => [{ ...lineOf(), size: '1'.repeat(length) }];
  const take = takes(newOrderSchema, newOrder, 'lines');
  expect([
    [take(lines(cartLines)), take(lines(cartLines + 1))],
    [take([lineOf(maxUnits)]), take([lineOf(maxUnits + 1)])],
    [take(sized(maxSize)), take(sized(maxSize + 1))],
    [take(sized(1)), take(sized(0))],
  ]).toEqual([
    [true, false],
    [true, false],
    [true, false],
    [true, false],
  ]);
});
