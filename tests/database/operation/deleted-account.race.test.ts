import { expect, test } from 'vitest';
import { oneAfterTheOther, useDatabase } from '#tests/database/support/postgres.ts';
import type { ShopDatabase } from '#tests/database/support/shop-database.ts';

/*
 * The second change of an order in one transaction locks its account for the foreign key. So whoever deletes an account locks its orders
 * first: a deletion that held the account and waited for the order would be a deadlock.
 */
const database = await useDatabase();

test.each([
  ['an account that is deleted', (id: string) => `select public.delete_account('${id}')`],
  [
    'an address that is erased',
    (id: string) =>
      `select public.erase_address((select email from auth.users where id = '${id}'))`,
  ],
])('%s waits for the end of one of its orders, which never waits for it', async (_, erase) => {
  const customer = await database.addCustomer();
  const ring = await database.addProduct({ stock: 3 });
  const order = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
  const [holder, waiter] = await database.connect(2);
  if (!holder || !waiter) throw new Error('No connections');
  await holder.run('begin');
  await holder.query('select 1 from public.orders where id = $1 for update', order.id);
  const erased = waiter.query(erase(customer));
  const isWaiting = async (): Promise<boolean> =>
    (await database.query('select 1 where $1 = any (pg_blocking_pids($2))', holder.pid, waiter.pid))
      .length > 0;
  while (!(await isWaiting()));
  for (const note of ['first', 'second'])
    await holder.query('update public.orders set admin_note = $2 where id = $1', order.id, note);
  await holder.run('commit');
  await erased;
  expect(await database.value('select count(*)::int from auth.users where id = $1', customer)).toBe(
    0,
  );
});

test('a cancellation that comes while an account is deleted finds the order of nobody', async () => {
  const customer = await database.addCustomer();
  const ring = await database.addProduct({ stock: 3 });
  const order = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
  await database.markPaid(order);
  const remove = (db: ShopDatabase): Promise<boolean> =>
    db.value('select public.delete_account($1)', customer);
  const pack = (db: ShopDatabase) => db.setFulfilment(order.id, 'packed');
  expect(await oneAfterTheOther<unknown, unknown>(database, remove, pack)).toEqual([
    true,
    { outcome: 'changed' },
  ]);
});
