import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import type { Placing } from '#tests/database/support/shop-database.ts';
import { sampleCash } from '#tests/sample-cash.ts';
import { confirm, endCashOrders, placeCash, withAdvance, type CashOptions } from './cash-orders.ts';

/* An order at the door costs nothing and keeps a product from all others until the shop has called. A last unit is kept so once. */
const database = await useDatabase();
await database.run(
  `update public.cost_limits set most = 1000 where effect in ('cash_order', 'cash_mail')`,
);

let ring = '';
beforeEach(async () => {
  await endCashOrders(database);
  ring = await database.addProduct({ price: 1_000, stock: 1 });
});

let phones = 0;
/** Another phone, which answers nobody. */
const phone = (): string => {
  phones += 1;
  return `98470${String(10_000 + phones)}`;
};

const place = (customer: string, network: string, options: CashOptions = {}) =>
  placeCash(database, customer, [{ product_id: ring, quantity: 1 }], {
    network,
    details: { phone: phone() },
    ...options,
  });

/** Time passes, and nobody has answered. */
async function endUnanswered({ order }: Placing): Promise<void> {
  await database.query(
    `update public.orders set created_at = created_at - interval '25 hours', hold_expires_at = now() where id = $1`,
    order?.id,
  );
  await database.query('select public.end_unconfirmed_orders(10)');
}

async function outcomeOf(customer: string, network: string): Promise<string> {
  const placed = await place(customer, network);
  if (placed.outcome === 'reserved') await endUnanswered(placed);
  return placed.reason ?? placed.outcome;
}

describe('a last unit that nobody pays for', () => {
  test('is kept once by the accounts of one address, and twice in a week by all together', async () => {
    const outcomes: string[] = [];
    for (const network of ['ip:one', 'ip:one', 'ip:one', 'ip:two', 'ip:three'])
      for (let turn = 0; turn < 3; turn += 1)
        outcomes.push(await outcomeOf(await database.addCustomer(), network));
    expect(outcomes.filter((outcome) => outcome === 'reserved')).toHaveLength(2);
    expect([outcomes[0], outcomes[9]]).toEqual(['reserved', 'reserved']);
    expect([...new Set(outcomes)].toSorted()).toEqual(['last_unit', 'reserved']);
    expect(await database.stockOf(ring)).toBe(1);
    await database.run(`update public.costs set at = at - interval '8 days' where true`);
    expect(await outcomeOf(await database.addCustomer(), 'ip:three')).toBe('reserved');
  });

  test('is kept once by one account and by one phone, from any address', async () => {
    const customer = await database.addCustomer();
    expect(await outcomeOf(customer, 'ip:one')).toBe('reserved');
    expect(await outcomeOf(customer, 'ip:two')).toBe('last_unit');
    const details = { phone: '9847099999' };
    await database.run('delete from public.costs where true');
    await endUnanswered(await place(customer, 'ip:one', { details }));
    const other = await database.addCustomer();
    expect(await place(other, 'ip:two', { details })).toMatchObject({ reason: 'last_unit' });
  });

  test('counts when its customer cancels, and not when the shop confirms it', async () => {
    const customer = await database.addCustomer();
    const { order } = await place(customer, 'ip:one');
    expect(await database.cancelOwn(customer, order?.id ?? 0, false)).toEqual({
      outcome: 'cancelled',
    });
    expect(await outcomeOf(customer, 'ip:one')).toBe('last_unit');

    await database.run('delete from public.costs where true');
    const confirmed = await place(customer, 'ip:one');
    await confirm(database, confirmed.order?.id ?? 0);
    await database.cancel(confirmed.order?.id ?? 0);
    expect(await outcomeOf(customer, 'ip:one')).toBe('reserved');
  });

  test('waits for two days at most, whatever the shop takes to confirm', async () => {
    const terms = { ...sampleCash, confirmWithinHours: 168 };
    const hoursOf = async ({ order }: Placing): Promise<number> =>
      database.value(
        'select round(extract(epoch from hold_expires_at - created_at) / 3600)::int from public.orders where id = $1',
        order?.id,
      );
    expect(await hoursOf(await place(await database.addCustomer(), 'ip:one', { terms }))).toBe(48);
    ring = await database.addProduct({ price: 1_000, stock: 2 });
    expect(await hoursOf(await place(await database.addCustomer(), 'ip:two', { terms }))).toBe(168);
  });
});

test('other products, units that leave some for others, and orders with an advance are not counted', async () => {
  const customer = await database.addCustomer();
  expect(await outcomeOf(customer, 'ip:one')).toBe('reserved');
  expect(await outcomeOf(customer, 'ip:one')).toBe('last_unit');
  expect(await place(customer, 'ip:one', { terms: withAdvance })).toMatchObject({
    outcome: 'placed',
  });
  for (const stock of [1, 5]) {
    ring = await database.addProduct({ price: 1_000, stock });
    expect(await outcomeOf(customer, 'ip:one')).toBe('reserved');
    if (stock === 5) expect(await outcomeOf(customer, 'ip:one')).toBe('reserved');
  }
});
