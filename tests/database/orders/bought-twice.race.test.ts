import { afterAll, beforeAll, expect, test } from 'vitest';
import { one } from '../support/database.ts';
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
  placeOpen,
  release,
  stockOf,
} from '../support/shop-rows.ts';
import { times } from '../../soak.ts';

let postgres: Postgres;
let connections: Connection[] = [];
beforeAll(async () => {
  postgres = await createDatabase();
  connections = await postgres.connect(6);
});
afterAll(() => postgres.close());

type Open = Awaited<ReturnType<typeof placeOpen>>;

/** One cart in two orders of one customer; the hold of the first has ended, that of the second has if `bothEnded`. */
async function openTwice(bothEnded: boolean): Promise<{ ring: string; orders: [Open, Open] }> {
  const ring = await addProduct(postgres, { stock: 3 });
  const customer = await addShopper(postgres);
  const lines = [{ product_id: ring, quantity: 1 }];
  const first = await placeOpen(postgres, customer, lines);
  await release(postgres, first.id);
  const second = await placeOpen(postgres, customer, lines);
  if (bothEnded) await release(postgres, second.id);
  return { ring, orders: [first, second] };
}
const two = (): [Connection, Connection] => connections.slice(0, 2) as [Connection, Connection];

test.each([
  { payments: 'the late one first', bothEnded: false, turn: 0, ends: ['paid', 'refund_due'] },
  {
    payments: 'the late one last',
    bothEnded: false,
    turn: 1,
    ends: ['paid', 'duplicate_purchase'],
  },
  { payments: 'both late', bothEnded: true, turn: 0, ends: ['paid', 'duplicate_purchase'] },
])(
  'of two payments for one cart, $payments, the second waits for the first and is no second sale',
  async ({ bothEnded, turn, ends }) => {
    const { ring, orders } = await openTwice(bothEnded);
    const [before, after] = turn === 0 ? orders : ([orders[1], orders[0]] as const);
    expect(
      await oneAfterTheOther(
        postgres,
        two(),
        (database) => markPaid(database, before),
        (database) => markPaid(database, after),
      ),
    ).toEqual(ends);
    expect(await stockOf(postgres, ring)).toBe(2);
  },
);

test('a late payment and the end of the second order’s hold move its stock once', async () => {
  const late = await openTwice(false);
  expect(
    await oneAfterTheOther(
      postgres,
      two(),
      (database) => markPaid(database, late.orders[0]),
      (database) => release(database, late.orders[1].id),
    ),
  ).toEqual(['paid', 'already']);
  expect(await stockOf(postgres, late.ring)).toBe(2);

  const ended = await openTwice(false);
  expect(
    await oneAfterTheOther(
      postgres,
      two(),
      (database) => release(database, ended.orders[1].id),
      (database) => markPaid(database, ended.orders[0]),
    ),
  ).toEqual(['released', 'paid']);
  expect(await stockOf(postgres, ended.ring)).toBe(2);
});

test('payments and releases of both orders from six connections sell the cart once, without a deadlock', async () => {
  for (let round = 0; round < times(10, 200); round += 1) {
    const { ring, orders } = await openTwice(round % 2 === 0);
    const answers = await Promise.all(
      connections.map((database, index) => {
        const order = orders[(index + round) % 2 === 0 ? 0 : 1];
        return index < 4 ? markPaid(database, order) : release(database, order.id);
      }),
    );
    expect(answers.filter((answer) => answer === 'paid').length).toBeGreaterThan(0);
    expect(
      await one(
        postgres,
        `select count(*) filter (where status = 'COMPLETED')::int as sold, count(*) filter (where hold_state = 'held')::int as held
         from public.orders where id = any ($1)`,
        orders.map(({ id }) => id),
      ),
    ).toEqual({ sold: 1, held: 0 });
    expect(await stockOf(postgres, ring)).toBe(2);
  }
  const deadlocks = `select deadlocks::int as n from pg_stat_database where datname = current_database()`;
  expect(await one(postgres, deadlocks)).toEqual({ n: 0 });
});
