import { beforeEach, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import {
  confirm,
  endCashOrders,
  openAdvance,
  placeCash,
  reserve,
  reserveWithAdvance,
  send,
  withAdvance,
} from './cash-orders.ts';

/* The mails of orders that are paid at the door: whose share they count from, and to whom they go. */
const database = await useDatabase();

let customer = '';
let address = '';
let ring = '';
beforeEach(async () => {
  await endCashOrders(database);
  await database.run('delete from public.outbox where true');
  address = `${crypto.randomUUID()}@example.com`;
  customer = await database.addCustomer(address);
  ring = await database.addProduct({ price: 1_000, stock: 5 });
});

const one = () => [{ product_id: ring, quantity: 1 }];
const mails = (): Promise<string[]> =>
  database.column(
    `select concat_ws(' ', kind, payload ->> 'topic', 'to ' || recipient) from public.outbox where kind <> 'push' order by id`,
  );
const counted = (): Promise<number> =>
  database.value(`select count(*)::int from public.costs where effect = 'cash_mail'`);
const useUp = (): Promise<unknown> =>
  database.run(
    `insert into public.costs (effect, scope) select 'cash_mail', 'all' from generate_series(1, 75)`,
  );
const elsewhere = { details: { email: 'somebody@elsewhere.example' } };

test('every mail of orders that a customer places and gives up counts from the share of such orders, and the admin gets none about the end', async () => {
  for (let round = 1; round <= 2; round += 1) {
    const id = await reserve(database, customer, one());
    expect(await database.cancelOwn(customer, id, false)).toEqual({ outcome: 'cancelled' });
    expect(await mails()).toEqual(
      Array.from({ length: round }, () => [
        `cash_order_placed to ${address}`,
        'order_notice',
        `cash_order_ended to ${address}`,
      ]).flat(),
    );
    expect(await counted()).toBe(round * 3);
  }
});

test('mails of an order count no more once the shop has confirmed it, and the admin hears that its customer gave it up', async () => {
  const id = await reserve(database, customer, one(), { details: { email: address } });
  expect(await counted()).toBe(2);
  await confirm(database, id);
  expect(await database.cancelOwn(customer, id, false)).toEqual({ outcome: 'cancelled' });
  expect((await mails()).slice(2)).toEqual([
    `cash_order_confirmed to ${address}`,
    `cash_order_ended to ${address}`,
    'admin_alert cancelled_by_customer',
  ]);
  expect(await counted()).toBe(2);
});

test('an order with an advance counts nothing, and the admin hears that its customer gave it up', async () => {
  const { id } = await reserveWithAdvance(database, customer, one());
  await database.cancelOwn(customer, id, false);
  expect((await mails()).at(-1)).toBe('admin_alert cancelled_by_customer');
  expect(await counted()).toBe(0);
});

test('an order ends with its mail when its share has no mail left, and no other begins', async () => {
  const id = await reserve(database, customer, one());
  const late = await reserve(database, customer, [{ product_id: ring, quantity: 2 }]);
  await useUp();
  expect(await database.cancelOwn(customer, id, false)).toEqual({ outcome: 'cancelled' });
  await database.query(`update public.orders set hold_expires_at = now() where id = $1`, late);
  expect(await database.value('select public.end_unconfirmed_orders(10)')).toBe(1);
  expect((await mails()).filter((mail) => mail.startsWith('cash_order_ended'))).toHaveLength(2);
  expect(await placeCash(database, customer, one())).toMatchObject({ reason: 'no_mail' });
  expect(await placeCash(database, customer, one(), { terms: withAdvance })).toMatchObject({
    outcome: 'placed',
  });
});

test('mails go to the account’s own address until the shop has confirmed the order, and to the one in the form then', async () => {
  const own = `to ${address}`;
  const id = await reserve(database, customer, one(), elsewhere);
  await database.cancelOwn(customer, id, false);
  expect(await mails()).toEqual([
    `cash_order_placed ${own}`,
    'order_notice',
    `cash_order_ended ${own}`,
  ]);
  await database.run('delete from public.outbox where true');
  await send(database, await reserve(database, customer, one(), elsewhere));
  expect(await mails()).toEqual([
    `cash_order_placed ${own}`,
    'order_notice',
    'cash_order_confirmed to somebody@elsewhere.example',
    'shipped_notice to somebody@elsewhere.example',
  ]);
});

test('mails of an order with an advance go to the address in the form', async () => {
  const order = await openAdvance(database, customer, one());
  await database.query(
    `update public.orders set customer_email = $2 where id = $1`,
    order.id,
    elsewhere.details.email,
  );
  await database.markPaid(order, 'pay_advance1', { amount: order.online_paise });
  expect(await mails()).toEqual([
    `cash_order_placed to ${elsewhere.details.email}`,
    'order_notice',
  ]);
});

test('an order whose account is gone ends without a mail to anybody', async () => {
  const id = await reserve(database, customer, one());
  await database.query('update public.orders set user_id = null where id = $1', id);
  expect(await database.cancel(id)).toMatchObject({ outcome: 'cancelled' });
  expect((await mails()).slice(2)).toEqual([]);
});

test('ten customers who sign up and order for cash in one evening close nothing', async () => {
  await database.value('select public.note_sweep(60)');
  const chain = await database.addProduct({ price: 1_000, stock: 50 });
  const code = async (who: string, network: string): Promise<boolean> =>
    database.value('select public.count_code_mail($1, $2)', who, network);
  for (let guest = 0; guest < 10; guest += 1) {
    const who = await database.addCustomer();
    const network = `ip:guest${String(guest)}`;
    expect(await code(who, network)).toBe(true);
    await reserve(database, who, [{ product_id: chain, quantity: 1 }], {
      network,
      details: { phone: `98470000${String(10 + guest)}` },
    });
  }
  const eleventh = await database.addCustomer();
  expect(await code(eleventh, 'ip:eleventh')).toBe(true);
  await reserve(database, eleventh, [{ product_id: chain, quantity: 1 }], {
    network: 'ip:eleventh',
    details: { phone: '9847000099' },
  });
});

test('a cash order of an account that has bought takes the share of customers, and a test order is no purchase', async () => {
  const buyers: Record<string, string> = {};
  for (const [kind, key] of [
    ['customer_mail', 'rzp_live_x'],
    ['cash_mail', 'rzp_test_x'],
  ] as const) {
    const buyer = await database.addCustomer();
    await database.markPaid(await database.placeOpen(buyer, one()));
    await database.query(
      'update public.orders set razorpay_key_id = $2 where user_id = $1',
      buyer,
      key,
    );
    buyers[kind] = buyer;
  }
  for (const [kind, buyer] of Object.entries(buyers)) {
    await database.run('delete from public.costs where true');
    await reserve(database, buyer, one(), {
      details: { phone: `984700${kind === 'cash_mail' ? '1111' : '2222'}` },
    });
    expect(
      await database.column(`select distinct effect from public.costs where effect like '%mail'`),
    ).toEqual([kind]);
  }
});
