import { expect, test } from 'vitest';
import { oneAfterTheOther, useDatabase } from '#tests/database/support/postgres.ts';
import type { OpenOrder, ShopDatabase } from '#tests/database/support/shop-database.ts';

const postgres = await useDatabase();

/** One cart in two orders of one customer; the hold of the first has ended, that of the second has if `bothEnded`. */
async function openTwice(
  bothEnded: boolean,
): Promise<{ ring: string; orders: [OpenOrder, OpenOrder] }> {
  const ring = await postgres.addProduct({ stock: 3 });
  const customer = await postgres.addCustomer();
  const lines = [{ product_id: ring, quantity: 1 }];
  const first = await postgres.placeOpen(customer, lines);
  await postgres.release(first.id);
  const second = await postgres.placeOpen(customer, lines);
  if (bothEnded) await postgres.release(second.id);
  return { ring, orders: [first, second] };
}

test.each([
  ['the late one first', false, 0, ['paid', 'refund_due']],
  ['the late one last', false, 1, ['paid', 'duplicate_purchase']],
  ['both late', true, 0, ['paid', 'duplicate_purchase']],
])(
  'the second of two payments for one cart, %s, waits for the first and is no second sale',
  async (_name, bothEnded, turn, ends) => {
    const { ring, orders } = await openTwice(bothEnded);
    const [before, after] = turn === 0 ? orders : ([orders[1], orders[0]] as const);
    const answers = await oneAfterTheOther(
      postgres,
      (database) => database.markPaid(before),
      (database) => database.markPaid(after),
    );
    expect(answers).toEqual(ends);
    expect(await postgres.stockOf(ring)).toBe(2);
  },
);

test.each([
  ['late payment', ['paid', 'already']],
  ['end', ['released', 'paid']],
])(
  'a late payment and the end of the second order’s hold, the %s first, move its stock once',
  async (first, answers) => {
    const { ring, orders } = await openTwice(false);
    const pay = (database: ShopDatabase) => database.markPaid(orders[0]);
    const end = (database: ShopDatabase) => database.release(orders[1].id);
    const [one, other] = first === 'end' ? [end, pay] : [pay, end];
    expect(await oneAfterTheOther(postgres, one, other)).toEqual(answers);
    expect(await postgres.stockOf(ring)).toBe(2);
  },
);
