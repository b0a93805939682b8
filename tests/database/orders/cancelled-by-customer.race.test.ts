import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createDatabase,
  oneAfterTheOther,
  type Connection,
  type Postgres,
} from '../support/postgres.ts';
import {
  addProduct,
  addShopper,
  markPaid,
  newPaymentId,
  orderRow,
  placeOpen,
  stockOf,
} from '../support/shop-rows.ts';
import { times } from '../../soak.ts';
import { cancelOwn, refundsOf, setFulfilment } from './paid-order-rows.ts';

let postgres: Postgres;
let connections: Connection[] = [];
beforeAll(async () => {
  postgres = await createDatabase();
  connections = await postgres.connect(20);
});
afterAll(() => postgres.close());

let shopper = '';
let ring = '';
let payment = '';
let order: Awaited<ReturnType<typeof placeOpen>>;
const openOrder = async () => {
  shopper = await addShopper(postgres);
  ring = await addProduct(postgres, { stock: 3 });
  payment = newPaymentId();
  order = await placeOpen(postgres, shopper, [{ product_id: ring, quantity: 1 }]);
};
beforeEach(openOrder);

const pair = (): [Connection, Connection] => {
  const [first, second] = connections;
  if (!first || !second) throw new Error('No connections');
  return [first, second];
};

test('an order that is being packed is not cancelled', async () => {
  await markPaid(postgres, order, payment);
  const answers = await oneAfterTheOther(
    postgres,
    pair(),
    (database) => setFulfilment(database, order.id, 'packed'),
    (database) => cancelOwn(database, shopper, order.id, true),
  );
  expect(answers).toEqual([{ outcome: 'changed' }, { outcome: 'ask' }]);
  expect(await refundsOf(postgres, payment)).toEqual([]);
});

test('an order that is being cancelled is neither packed nor shipped', async () => {
  for (const state of ['packed', 'shipped']) {
    await openOrder();
    await markPaid(postgres, order, payment);
    const answers = await oneAfterTheOther(
      postgres,
      pair(),
      (database) => cancelOwn(database, shopper, order.id, true),
      (database) => setFulfilment(database, order.id, state),
    );
    expect(answers).toEqual([{ outcome: 'cancelled' }, { outcome: 'cancelled' }]);
    expect(await refundsOf(postgres, payment)).toHaveLength(1);
  }
});

test('a payment that arrives while its order is given up is refunded', async () => {
  const answers = await oneAfterTheOther(
    postgres,
    pair(),
    (database) => cancelOwn(database, shopper, order.id, false),
    (database) => markPaid(database, order, payment),
  );
  expect(answers).toEqual([{ outcome: 'cancelled' }, 'refund_due']);
  expect(await refundsOf(postgres, payment)).toMatchObject([{ amount: order.total_paise }]);
  expect(await stockOf(postgres, ring)).toBe(3);
});

test('an order that is being paid is not given up', async () => {
  const answers = await oneAfterTheOther(
    postgres,
    pair(),
    (database) => markPaid(database, order, payment),
    (database) => cancelOwn(database, shopper, order.id, false),
  );
  expect(answers).toEqual(['paid', { outcome: 'paid' }]);
  expect(await orderRow(postgres, order.id)).toMatchObject({ hold_state: 'taken' });
  expect(await stockOf(postgres, ring)).toBe(2);
});

test('cancelling, packing and shipping at once end in one of the two, with one refund or none', async () => {
  for (let round = 0; round < times(5, 50); round += 1) {
    await openOrder();
    await markPaid(postgres, order, payment);
    await Promise.all(
      connections.map((database, index) =>
        index % 2 === 0
          ? cancelOwn(database, shopper, order.id, true)
          : setFulfilment(database, order.id, index % 4 === 1 ? 'packed' : 'shipped'),
      ),
    );
    const { fulfilment } = await orderRow(postgres, order.id);
    const isCancelled = fulfilment === 'cancelled';
    expect(await refundsOf(postgres, payment)).toHaveLength(isCancelled ? 1 : 0);
    expect(await stockOf(postgres, ring)).toBe(isCancelled ? 3 : 2);
  }
});
