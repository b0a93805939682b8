import { beforeEach, expect, test } from 'vitest';
import { oneAfterTheOther, useDatabase } from '../support/postgres.ts';
import { newPaymentId, type OpenOrder } from '../support/shop-database.ts';

const postgres = await useDatabase();

let customer = '';
let ring = '';
let payment = '';
let order: OpenOrder;
const openOrder = async () => {
  await postgres.query('delete from public.costs where true');
  customer = await postgres.addCustomer();
  ring = await postgres.addProduct({ stock: 3 });
  payment = newPaymentId();
  order = await postgres.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
};
beforeEach(openOrder);

test('an order that is being packed is not cancelled', async () => {
  await postgres.markPaid(order, payment);
  const answers = await oneAfterTheOther(
    postgres,
    (database) => database.setFulfilment(order.id, 'packed'),
    (database) => database.cancelOwn(customer, order.id, true),
  );
  expect(answers).toEqual([{ outcome: 'changed' }, { outcome: 'ask' }]);
  expect(await postgres.refundsOf(payment)).toEqual([]);
});

test('an order that is being cancelled is neither packed nor shipped', async () => {
  for (const state of ['packed', 'shipped']) {
    await openOrder();
    await postgres.markPaid(order, payment);
    const answers = await oneAfterTheOther(
      postgres,
      (database) => database.cancelOwn(customer, order.id, true),
      (database) => database.setFulfilment(order.id, state),
    );
    expect(answers).toEqual([{ outcome: 'cancelled' }, { outcome: 'cancelled' }]);
    expect(await postgres.refundsOf(payment)).toHaveLength(1);
  }
});

test('a payment that arrives while its order is given up is refunded', async () => {
  const answers = await oneAfterTheOther(
    postgres,
    (database) => database.cancelOwn(customer, order.id, false),
    (database) => database.markPaid(order, payment),
  );
  expect(answers).toEqual([{ outcome: 'cancelled' }, 'refund_due']);
  expect(await postgres.refundsOf(payment)).toMatchObject([{ amount: order.total_paise }]);
  expect(await postgres.stockOf(ring)).toBe(3);
});

test('an order that is being paid is not given up', async () => {
  const answers = await oneAfterTheOther(
    postgres,
    (database) => database.markPaid(order, payment),
    (database) => database.cancelOwn(customer, order.id, false),
  );
  expect(answers).toEqual(['paid', { outcome: 'paid' }]);
  expect(await postgres.orderRow(order.id)).toMatchObject({ hold_state: 'taken' });
  expect(await postgres.stockOf(ring)).toBe(2);
});
