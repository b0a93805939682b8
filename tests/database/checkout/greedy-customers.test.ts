import { beforeEach, describe, expect, test } from 'vitest';
import { checkoutSettings } from '../../../src/domain/checkout/checkout-settings.ts';
import { times } from '../../soak.ts';
import { useDatabase } from '../support/postgres.ts';
import { customerDetails } from '../support/shop-database.ts';

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

/** For how many of the last 7,200 seconds orders held the last unit of the ring, to the second. */
const heldSeconds = (): Promise<number> =>
  database.value(
    `select coalesce(sum(extract(epoch from least(released_at, hold_expires_at, clock_timestamp())
       - greatest(created_at, clock_timestamp() - interval '2 hours'))), 0)::float
     from public.orders
     where last_units @> array[$1] and least(released_at, hold_expires_at) > clock_timestamp() - interval '2 hours'`,
    ring,
  );

/** Runs `turn` once a minute, and says how many units of the ring others could buy after each. */
async function play(hours: number, turn: (minute: number) => Promise<unknown>): Promise<number[]> {
  const left: number[] = [];
  for (let minute = 0; minute < hours * 60; minute += 1) {
    await database.run(`update public.orders set created_at = created_at - interval '1 minute',
      hold_expires_at = hold_expires_at - interval '1 minute', released_at = released_at - interval '1 minute' where created_at > now() - interval '4 hours'`);
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

describe('one account', () => {
  test('holds a product at most 35 % of any two hours, whatever it sends', async () => {
    ring = await database.addProduct({ stock: 1 });
    const chain = await database.addProduct({ stock: 100 });
    const greedy = await database.addCustomer();
    const line = { product_id: ring, quantity: 1 };
    const left = await play(times(3, 5), async (minute) => {
      // A wrong total, the cart alone, the cart with something more, and both keys again.
      await database.place(greedy, [line], { expected: 1 });
      const more = { product_id: chain, quantity: (minute % 3) + 1 };
      await database.place(greedy, minute % 9 === 8 ? [line, more] : [line]);
    });
    expect(worstWindow(left, (stock) => stock === 0)).toBeLessThanOrEqual(0.35 * windowMinutes);
    // It is not shut out altogether.
    expect(left.filter((stock) => stock === 0).length).toBeGreaterThan(50);
  });

  test('gains nothing by paying for something cheap in between', async () => {
    ring = await database.addProduct({ stock: 1 });
    const bead = await database.addProduct({ stock: 1_000, price: 1 });
    const greedy = await database.addCustomer();
    let bought = 0;
    const left = await play(times(3, 5), async (minute) => {
      if (minute % 30 === 29) {
        const { order } = await database.place(greedy, [{ product_id: bead, quantity: 1 }]);
        if (order !== undefined) {
          const id = `order_${String(minute).padStart(14, '0')}`;
          await database.query('select public.attach_razorpay_order($1, $2)', order.id, id);
          bought +=
            (await database.markPaid({ ...order, razorpay_order_id: id })) === 'paid' ? 1 : 0;
        }
      }
      await database.place(greedy, [{ product_id: ring, quantity: 1 }]);
    });
    expect(bought).toBeGreaterThan(1);
    expect(worstWindow(left, (stock) => stock === 0)).toBeLessThanOrEqual(0.35 * windowMinutes);
  });
});

describe('five accounts of one network', () => {
  const network = 'n'.repeat(22);
  let accounts: string[] = [];
  beforeEach(async () => {
    accounts = [];
    for (let count = 0; count < 5; count += 1) accounts.push(await database.addCustomer());
  });
  const grab = async (quantity: number): Promise<void> => {
    for (const account of accounts)
      await database.place(account, [{ product_id: ring, quantity }], { network });
  };

  test('hold all of a product together at most half of any two hours', async () => {
    ring = await database.addProduct({ stock: 5 });
    const left = await play(times(2, 3), () => grab(1));
    expect(worstWindow(left, (stock) => stock === 0)).toBeLessThanOrEqual(windowMinutes / 2);
    expect(Math.min(...left)).toBe(0);
  });

  test('hold a one-of-a-kind product at most half of any two hours', async () => {
    ring = await database.addProduct({ stock: 1 });
    const left = await play(3, () => grab(1));
    expect(worstWindow(left, (stock) => stock === 0)).toBeLessThanOrEqual(windowMinutes / 2);
  });

  test('hold the last units of many products for as many minutes as of ten products, and of no more than 30 in one order', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 40; count += 1) ids.push(await database.addProduct({ stock: 1 }));
    ring = ids[0] ?? '';
    let lineMinutes = 0;
    await play(2, async (minute) => {
      // Each account once in five minutes.
      for (const [index, account] of [...accounts.entries()].filter(([i]) => i === minute % 5)) {
        const part = ids.slice(index * 8, index * 8 + 8);
        const lines = part.map((product_id) => ({ product_id, quantity: 1 }));
        await database.place(account, lines, { network });
      }
      lineMinutes += await database.value<number>(
        `select coalesce(sum(cardinality(last_units)), 0)::int from public.orders
         where hold_state = 'held' and hold_expires_at > clock_timestamp()`,
      );
    });
    expect(lineMinutes).toBeGreaterThan(300);
    expect(lineMinutes).toBeLessThanOrEqual(10 * (windowMinutes / 2) + 40);
    const alone = await database.place(
      await database.addCustomer(),
      ids.slice(0, 31).map((product_id) => ({ product_id, quantity: 1 })),
      { network: 'm'.repeat(22) },
    );
    expect(alone).toEqual({ outcome: 'wait', reason: 'last_pieces', limit: 30 });
  });
});

describe('24 accounts with a free /48', () => {
  test('are one network: they hold a one-of-a-kind product at most half of any two hours, and then the next customer gets it', async () => {
    ring = await database.addProduct({ stock: 1 });
    const accounts: string[] = [];
    for (let count = 0; count < 24; count += 1) accounts.push(await database.addCustomer());
    let worst = 0;
    const left = await play(times(3, 8), async (minute) => {
      worst = Math.max(worst, await heldSeconds());
      // In turn, two each minute.
      for (const index of [(2 * minute) % 24, (2 * minute + 1) % 24])
        await database.place(accounts[index] ?? '', [{ product_id: ring, quantity: 1 }], {
          network: `64:house${String(index)} 48:tunnel`,
        });
    });
    // Half of two hours, and the fractions of a second that the test itself takes.
    expect(worst).toBeGreaterThan(3_000);
    expect(worst).toBeLessThanOrEqual((windowMinutes / 2) * 60 + 5);
    expect(left.filter((stock) => stock === 0).length).toBeGreaterThan(50);
  });
});

describe('accounts of several networks', () => {
  interface Account {
    id: string;
    network: string;
  }
  const addAccounts = (count: number, networks: number): Promise<Account[]> =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => ({
        id: await database.addCustomer(),
        network: String(index % networks).repeat(22),
      })),
    );
  const line = () => [{ product_id: ring, quantity: 1 }];
  const isSoldOut = (stock: number): boolean => stock === 0;

  test('six on three networks hold a one-of-a-kind product at most three quarters of any two hours: half, and one short hold for each further network', async () => {
    ring = await database.addProduct({ stock: 1 });
    const accounts = await addAccounts(6, 3);
    const left = await play(times(3, 12), async () => {
      for (const { id, network } of accounts) await database.place(id, line(), { network });
    });
    expect(worstWindow(left, isSoldOut)).toBeLessThanOrEqual(0.75 * windowMinutes);
    expect(left.filter(isSoldOut).length).toBeGreaterThan(60);
  });

  test('each further network adds one hold of three minutes in two hours, paying within it sells the product, and the admin reads how many minutes it was', async () => {
    ring = await database.addProduct({ stock: 1 });
    const name = await database.value<string>(
      'select name from public.products where id = $1',
      ring,
    );
    const accounts = await addAccounts(6, 3);
    await play(2, async () => {
      for (const { id, network } of accounts) await database.place(id, line(), { network });
    });
    await sweep();
    const [fresh] = await addAccounts(1, 1);
    const network = 'f'.repeat(22);
    const short = await database.place(fresh?.id ?? '', line(), { network });
    expect(short.outcome).toBe('placed');
    const seconds = await database.value<number>(
      'select extract(epoch from hold_expires_at - created_at)::int from public.orders where id = $1',
      short.order?.id,
    );
    expect(seconds).toBe(180);
    // Opening the checkout again does not prolong it.
    expect((await database.place(fresh?.id ?? '', line(), { network })).outcome).toBe('reused');
    expect(
      await database.value(
        'select extract(epoch from hold_expires_at - created_at)::int from public.orders where id = $1',
        short.order?.id,
      ),
    ).toBe(180);
    await database.release(short.order?.id ?? 0);
    const [other] = await addAccounts(1, 1);
    for (const [account, from] of [
      [fresh?.id, 'g'.repeat(22)],
      [other?.id, network],
    ] as const) {
      expect(await database.place(account ?? '', line(), { network: from })).toMatchObject({
        outcome: 'wait',
        reason: 'network',
      });
    }
    const alerts = await database.query<{ payload: Record<string, unknown> }>(
      `select payload from public.outbox where payload ->> 'kind' = 'product'`,
    );
    expect(alerts).toHaveLength(1);
    expect(alerts[0]?.payload).toMatchObject({ topic: 'stock_held', name });
    expect(Number(alerts[0]?.payload['minutes'])).toBeGreaterThanOrEqual(55);

    const paying = await database.placeOpen(await database.addCustomer(), line(), {
      network: 'h'.repeat(22),
    });
    expect(await database.markPaid(paying)).toBe('paid');
  });

  test('many customers who hold some of a large stock change nothing for the next one', async () => {
    ring = await database.addProduct({ stock: 100 });
    const accounts = await addAccounts(12, 12);
    await play(2, async (minute) => {
      const { id = '', network = '' } = accounts[minute % 12] ?? {};
      await database.place(id, line(), { network });
    });
    const order = await database.placeOpen(await database.addCustomer(), line());
    expect(
      await database.value(
        'select extract(epoch from hold_expires_at - created_at)::int from public.orders where id = $1',
        order.id,
      ),
    ).toBeGreaterThan(300);
  });
});

test('a payment link of the admin that held the last unit for 70 minutes shortens no customer’s hold, and is no alert', async () => {
  ring = await database.addProduct({ stock: 1, price: 1_000 });
  await database.run('delete from public.outbox');
  const [link] = await database.query<{ id: number }>(
    `select (public.place_admin_order(gen_random_uuid(), $1::jsonb, $2::jsonb, 'whatsapp', false, 100000, 0, 86400, null, null, $3)
       #>> '{order,id}')::int as id`,
    JSON.stringify([{ product_id: ring, quantity: 1 }]),
    JSON.stringify(customerDetails),
    'b'.repeat(32),
  );
  await database.query(
    `update public.orders set created_at = created_at - interval '70 minutes' where id = $1`,
    link?.id,
  );
  await database.release(link?.id ?? 0);
  expect(await database.value('select count(*)::int from public.outbox')).toBe(0);
  const order = await database.placeOpen(
    await database.addCustomer(),
    [{ product_id: ring, quantity: 1 }],
    { network: 'ip:mobile' },
  );
  expect(
    await database.value(
      'select extract(epoch from hold_expires_at - created_at)::int from public.orders where id = $1',
      order.id,
    ),
  ).toBe(900);
});

describe('honest customers of one network', () => {
  test('buy what there is at the same time, the last one too', async () => {
    ring = await database.addProduct({ stock: 2 });
    const network = 'ip:mobile';
    const line = [{ product_id: ring, quantity: 1 }];
    const first = await database.placeOpen(await database.addCustomer(), line, { network });
    const second = await database.placeOpen(await database.addCustomer(), line, { network });
    expect([await database.markPaid(first), await database.markPaid(second)]).toEqual([
      'paid',
      'paid',
    ]);
  });

  test('may take all of a product in one order', async () => {
    ring = await database.addProduct({ stock: 2 });
    expect(
      await database.place(await database.addCustomer(), [{ product_id: ring, quantity: 2 }], {
        network: 'c'.repeat(22),
      }),
    ).toMatchObject({ outcome: 'placed' });
  });

  test('honest customers of one network who reload, change the cart and fail five times in ten minutes are not refused', async () => {
    ring = await database.addProduct({ stock: 1 });
    const chain = await database.addProduct({ stock: 5 });
    const customer = await database.addCustomer();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const lines = [{ product_id: ring, quantity: 1 }];
      if (attempt % 2 === 1) lines.push({ product_id: chain, quantity: attempt });
      const { outcome, order } = await database.place(customer, lines, {
        network: 'c'.repeat(22),
        holdSeconds: checkoutSettings.holdSeconds,
      });
      expect([outcome, order === undefined]).toEqual(['placed', false]);
      await database.run(`update public.orders set created_at = created_at - interval '2 minutes',
        hold_expires_at = hold_expires_at - interval '2 minutes', released_at = released_at - interval '2 minutes' where true`);
    }
  });
});
