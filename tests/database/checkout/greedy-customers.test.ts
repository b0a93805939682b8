import { beforeEach, describe, expect, test } from 'vitest';
import { checkoutSettings } from '#domain/checkout/checkout-settings.ts';
import { times } from '#tests/soak.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';

/*
 * Customers who hold products without paying, minute by minute, with every trick that the checkout allows. Time passes by
 * moving all orders into the past; the sweep comes every five minutes, as it does in a shop.
 */
const database = await useDatabase();

const [windowMinutes, sweepMinutes] = [120, 5];

let ring = '';
beforeEach(async () => {
  await database.run(
    'truncate public.outbox, public.refunds, public.payments, public.orders cascade',
  );
});

async function sweep(): Promise<void> {
  const due = await database.query<{ id: number }>(
    `select id::int from public.orders where hold_state = 'held' and hold_expires_at <= clock_timestamp()`,
  );
  for (const { id } of due) await database.release(id);
}

/** Units of the ring that a customer can get now: those in stock and those of expired holds, which the next order takes. */
const leftForOthers = (): Promise<number> =>
  database.value(
    `select p.stock + (
       select coalesce(sum((item ->> 'quantity')::int), 0)::int from public.orders o, jsonb_array_elements(o.items) item
       where o.hold_state = 'held' and o.hold_expires_at <= clock_timestamp() and item ->> 'product_id' = p.id::text
     ) from public.products p where p.id = $1`,
    ring,
  );

/** Runs `turn` once a minute, and says how many units of the ring others could buy after each. */
async function play(hours: number, turn: (minute: number) => Promise<unknown>): Promise<number[]> {
  const left: number[] = [];
  let last = performance.now();
  for (let minute = 0; minute < hours * 60; minute += 1) {
    // The time that the last turn took has passed already: on a busy machine it comes to minutes. Half a second more than a minute, so
    // that a hold of whole minutes has ended when its turn comes.
    const now = performance.now();
    const step = `interval '${Math.max(0, 60.5 - (now - last) / 1_000).toFixed(3)} seconds'`;
    last = now;
    await database.run(`update public.orders set created_at = created_at - ${step},
      hold_expires_at = hold_expires_at - ${step}, released_at = released_at - ${step} where created_at > now() - interval '4 hours'`);
    if (minute % sweepMinutes === 0) await sweep();
    await turn(minute);
    left.push(await leftForOthers());
  }
  return left;
}

/** The most minutes of any two hours of which `isHeld` is true. */
const worstWindow = (left: readonly number[], isHeld: (stock: number) => boolean): number =>
  Math.max(
    ...left.map((_, start) => left.slice(start, start + windowMinutes).filter(isHeld).length),
  );

const line = () => [{ product_id: ring, quantity: 1 }];
const isSoldOut = (stock: number): boolean => stock === 0;
const addCustomers = (count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => database.addCustomer()));
/** How many seconds an order holds its stock. */
const holdOf = (id: number | undefined): Promise<number> =>
  database.value(
    'select extract(epoch from hold_expires_at - created_at)::int from public.orders where id = $1',
    id,
  );

test('one account holds a product at most 35 % of any two hours, whatever it sends and buys in between', async () => {
  ring = await database.addProduct({ stock: 1 });
  const chain = await database.addProduct({ stock: 100 });
  const bead = await database.addProduct({ stock: 1_000, price: 1 });
  const greedy = await database.addCustomer();
  let bought = 0;
  const left = await play(times(3, 5), async (minute) => {
    if (minute % 30 === 29) {
      const { order } = await database.place(greedy, [{ product_id: bead, quantity: 1 }]);
      if (order) {
        const id = `order_${String(minute).padStart(14, '0')}`;
        await database.query('select public.attach_razorpay_order($1, $2)', order.id, id);
        if ((await database.markPaid({ ...order, razorpay_order_id: id })) === 'paid') bought += 1;
      }
    }
    // A wrong total, the cart alone, and the cart with something more.
    await database.place(greedy, line(), { expected: 1 });
    const more = { product_id: chain, quantity: (minute % 3) + 1 };
    await database.place(greedy, minute % 9 === 8 ? [...line(), more] : line());
  });
  expect(bought).toBeGreaterThan(1);
  expect(worstWindow(left, isSoldOut)).toBeLessThanOrEqual(0.35 * windowMinutes);
  // It is not shut out altogether.
  expect(left.filter(isSoldOut).length).toBeGreaterThan(50);
});

const oneNetwork = (): string => '64:one';
test.each([
  { who: 'five accounts of one network', count: 5, stock: 5, share: 0.25, networkOf: oneNetwork },
  { who: 'five accounts of one network', count: 5, stock: 1, share: 0.25, networkOf: oneNetwork },
  {
    who: 'six accounts of a free /48',
    count: 6,
    stock: 1,
    share: 0.25,
    networkOf: (at: number) => `64:house${String(at)} 48:tunnel`,
  },
  {
    // Half, and one short hold for each further network.
    who: 'six accounts of three networks',
    count: 6,
    stock: 1,
    share: 0.75,
    networkOf: (at: number) => `64:${String(at % 3)}`,
  },
])(
  '$who hold all $stock units of a product at most $share of any two hours',
  async ({ count, stock, share, networkOf }) => {
    ring = await database.addProduct({ stock });
    const accounts = await addCustomers(count);
    const left = await play(times(3, 12), async () => {
      for (const [at, account] of accounts.entries())
        await database.place(account, line(), { network: networkOf(at) });
    });
    expect(worstWindow(left, isSoldOut)).toBeLessThanOrEqual(share * windowMinutes);
    // They do hold it, each time for a minute more or less, as the machine is quick.
    expect(left.filter(isSoldOut).length).toBeGreaterThan(20);
  },
);

test('five accounts of one network hold the last units of many products for as many minutes as of ten products, and of no more than 30 in one order', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 40; count += 1) ids.push(await database.addProduct({ stock: 1 }));
  ring = ids[0] ?? '';
  const lines = (from: number, count: number) =>
    ids.slice(from, from + count).map((product_id) => ({ product_id, quantity: 1 }));
  const accounts = await addCustomers(5);
  let lineMinutes = 0;
  await play(2, async (minute) => {
    // Each account once in five minutes.
    const index = minute % 5;
    await database.place(accounts[index] ?? '', lines(index * 8, 8), { network: '64:one' });
    lineMinutes += await database.value<number>(
      `select coalesce(sum(cardinality(last_units)), 0)::int from public.orders
       where hold_state = 'held' and hold_expires_at > clock_timestamp()`,
    );
  });
  expect(lineMinutes).toBeGreaterThan(300);
  expect(lineMinutes).toBeLessThanOrEqual(10 * (windowMinutes / 2) + 40);
  expect(
    await database.place(await database.addCustomer(), lines(0, 31), { network: '64:another' }),
  ).toEqual({ outcome: 'wait', reason: 'last_pieces', limit: 30 });
});

test('each further network adds one hold of three minutes in two hours, paying within it sells the product, and the admin reads how many minutes it was', async () => {
  ring = await database.addProduct({ stock: 1 });
  const accounts = await addCustomers(6);
  await play(2, async () => {
    for (const [at, account] of accounts.entries())
      await database.place(account, line(), { network: `64:${String(at % 3)}` });
  });
  await sweep();
  const [fresh = '', other = ''] = await addCustomers(2);
  const network = '64:fresh';
  const short = await database.place(fresh, line(), { network });
  expect([short.outcome, await holdOf(short.order?.id)]).toEqual(['placed', 180]);
  // Opening the checkout again does not prolong it.
  expect((await database.place(fresh, line(), { network })).outcome).toBe('reused');
  expect(await holdOf(short.order?.id)).toBe(180);
  await database.release(short.order?.id ?? 0);
  for (const [account, from] of [
    [fresh, '64:next'],
    [other, network],
  ] as const)
    expect(await database.place(account, line(), { network: from })).toMatchObject({
      outcome: 'wait',
      reason: 'network',
    });
  const alerts = await database.column<Record<string, unknown>>(
    `select payload from public.outbox where payload ->> 'kind' = 'product'`,
  );
  expect(alerts).toMatchObject([{ topic: 'stock_held', name: 'Temple ring' }]);
  expect(Number(alerts[0]?.['minutes'])).toBeGreaterThanOrEqual(55);
  const paying = await database.placeOpen(await database.addCustomer(), line(), {
    network: '64:honest',
  });
  expect(await database.markPaid(paying)).toBe('paid');
});

test('many customers who hold some of a large stock change nothing for the next one', async () => {
  ring = await database.addProduct({ stock: 100 });
  const accounts = await addCustomers(12);
  await play(2, (minute) =>
    database.place(accounts[minute % 12] ?? '', line(), { network: `64:${String(minute % 12)}` }),
  );
  const order = await database.placeOpen(await database.addCustomer(), line());
  expect(await holdOf(order.id)).toBe(900);
});

test('a payment link of the admin that held the last unit for 70 minutes shortens no customer’s hold, and is no alert', async () => {
  ring = await database.addProduct({ stock: 1, price: 1_000 });
  await database.run('delete from public.outbox');
  const link = await database.openLinkOrder(ring, 100_000);
  await database.query(
    `update public.orders set created_at = created_at - interval '70 minutes' where id = $1`,
    link,
  );
  await database.release(link);
  expect(await database.value('select count(*)::int from public.outbox')).toBe(0);
  const order = await database.placeOpen(await database.addCustomer(), line(), {
    network: 'ip:mobile',
  });
  expect(await holdOf(order.id)).toBe(900);
});

describe('honest customers of one network', () => {
  const network = 'ip:mobile';

  test('buy what there is at the same time, the last one too, and may take all of it in one order', async () => {
    ring = await database.addProduct({ stock: 2 });
    const first = await database.placeOpen(await database.addCustomer(), line(), { network });
    const second = await database.placeOpen(await database.addCustomer(), line(), { network });
    expect([await database.markPaid(first), await database.markPaid(second)]).toEqual([
      'paid',
      'paid',
    ]);
    ring = await database.addProduct({ stock: 2 });
    const all = [{ product_id: ring, quantity: 2 }];
    expect((await database.place(await database.addCustomer(), all, { network })).outcome).toBe(
      'placed',
    );
  });

  test('honest customers of one network who reload, change the cart and fail five times in ten minutes are not refused', async () => {
    ring = await database.addProduct({ stock: 1 });
    const chain = await database.addProduct({ stock: 5 });
    const customer = await database.addCustomer();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const lines = [{ product_id: ring, quantity: 1 }];
      if (attempt % 2 === 1) lines.push({ product_id: chain, quantity: attempt });
      const { outcome, order } = await database.place(customer, lines, {
        network,
        holdSeconds: checkoutSettings.holdSeconds,
      });
      expect([outcome, order === undefined]).toEqual(['placed', false]);
      await database.run(`update public.orders set created_at = created_at - interval '2 minutes',
        hold_expires_at = hold_expires_at - interval '2 minutes', released_at = released_at - interval '2 minutes' where true`);
    }
  });
});
