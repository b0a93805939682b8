import { beforeEach, expect, test } from 'vitest';
import { oneAfterTheOther, useDatabase } from '#tests/database/support/postgres.ts';
import {
  newPaymentId,
  type OpenOrder,
  type ShopDatabase,
} from '#tests/database/support/shop-database.ts';

const postgres = await useDatabase();

let customer = '';
let ring = '';
let payment = '';
let order: OpenOrder;
beforeEach(async () => {
  await postgres.query('delete from public.costs where true');
  customer = await postgres.addCustomer();
  ring = await postgres.addProduct({ stock: 3 });
  payment = newPaymentId();
  order = await postgres.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
});

const pay = (database: ShopDatabase) => database.markPaid(order, payment);
const giveUp = (database: ShopDatabase) => database.cancelOwn(customer, order.id, false);
const cancel = (database: ShopDatabase) => database.cancelOwn(customer, order.id, true);
const set = (state: string) => (database: ShopDatabase) => database.setFulfilment(order.id, state);
const cancelled = { outcome: 'cancelled' };

test.each([
  ['packed', set('packed'), cancel, [{ outcome: 'changed' }, { outcome: 'ask' }], 0],
  ['cancelled before it is packed', cancel, set('packed'), [cancelled, cancelled], 1],
  ['cancelled before it is shipped', cancel, set('shipped'), [cancelled, cancelled], 1],
] as const)('a paid order is %s once', async (_name, first, second, answers, refunds) => {
  await postgres.markPaid(order, payment);
  expect(await oneAfterTheOther<unknown, unknown>(postgres, first, second)).toEqual(answers);
  expect(await postgres.refundsOf(payment)).toHaveLength(refunds);
});

test.each([
  ['given up first is refunded', giveUp, pay, [cancelled, 'refund_due'], 1, 3],
  ['paid first stands', pay, giveUp, ['paid', { outcome: 'paid' }], 0, 2],
] as const)(
  'a payment of an order that is %s',
  async (_name, first, second, answers, refunds, stock) => {
    expect(await oneAfterTheOther<unknown, unknown>(postgres, first, second)).toEqual(answers);
    expect(await postgres.refundsOf(payment)).toHaveLength(refunds);
    expect(await postgres.stockOf(ring)).toBe(stock);
  },
);
