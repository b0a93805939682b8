import { expect, test } from 'vitest';
import { maxWishlist } from '#features/wishlist/domain/wishlist.ts';
import { sqlState } from '#tests/database/support/database.ts';
import { oneAfterTheOther, useDatabase, type Asker } from '#tests/database/support/postgres.ts';
import type { ShopDatabase } from '#tests/database/support/shop-database.ts';

const database = await useDatabase();

const asCustomer = (id: string): Asker => ({ role: 'authenticated', claims: { sub: id } });
/** Keeps products as a page does it, `minutes` ago. */
const keep = (customer: string, products: readonly string[], minutes = 0): Promise<unknown> =>
  database.as(
    asCustomer(customer),
    `insert into public.wishlists (product_id, kept_at)
     select id, now() - make_interval(mins => $2) from unnest($1::uuid[]) id on conflict (user_id, product_id) do nothing`,
    products,
    minutes,
  );
const kept = async (customer: string): Promise<string[]> =>
  (
    await database.as<{ id: string }>(
      asCustomer(customer),
      'select product_id as id from public.wishlists order by kept_at desc, product_id',
    )
  ).map(({ id }) => id);
/** What happens to a customer who keeps a product in another's name. */
const keepFor = (other: string, customer: string, product: string): Promise<string> => {
  const sql = 'insert into public.wishlists (user_id, product_id) values ($1, $2)';
  return sqlState(database.as(asCustomer(customer), sql, other, product));
};
const rows = (customer: string): Promise<number> =>
  database.value('select count(*)::int from public.wishlists where user_id = $1', customer);

test('a customer keeps products for themselves alone, each once, and gives up their own alone', async () => {
  const [asha, gita, ring, chain] = [
    await database.addCustomer(),
    await database.addCustomer(),
    await database.addProduct(),
    await database.addProduct(),
  ];
  await keep(asha, [ring], 2);
  await keep(asha, [ring, chain], 1);
  await keep(gita, [ring]);
  expect(await kept(asha)).toEqual([chain, ring]);
  expect(await keepFor(asha, gita, ring)).toBe('42501');
  await database.as(
    asCustomer(gita),
    'delete from public.wishlists where product_id = $1 and user_id = $2',
    ring,
    asha,
  );
  expect(await kept(asha)).toEqual([chain, ring]);
  await database.as(asCustomer(asha), 'delete from public.wishlists where product_id = $1', ring);
  expect([await kept(asha), await kept(gita)]).toEqual([[chain], [ring]]);
});

test('the hundred newest of a hundred and five wishes stay, for each customer', async () => {
  expect(maxWishlist).toBe(100);
  const [asha, gita] = [await database.addCustomer(), await database.addCustomer()];
  const products = await Promise.all(Array.from({ length: 105 }, () => database.addProduct()));
  const [old, rest] = [products.slice(0, 10), products.slice(10)];
  await keep(gita, old, 500);
  await keep(asha, old, 500);
  await keep(asha, rest, 100);
  expect(await rows(asha)).toBe(100);
  expect((await kept(asha)).filter((id) => rest.includes(id))).toHaveLength(95);
  expect(await rows(gita)).toBe(10);
});

test('hidden and deleted products disappear from wishlists and reappear when shown; removed ones do not', async () => {
  const [asha, ring, chain, draft, gone] = [
    await database.addCustomer(),
    await database.addProduct(),
    await database.addProduct(),
    await database.addProduct(),
    await database.addProduct(),
  ];
  await database.query('update public.products set hidden = true where id = $1', draft);
  await database.query('select public.delete_product($1)', gone);
  await keep(asha, [ring, chain, draft, gone, crypto.randomUUID()]);
  expect(await rows(asha)).toBe(2);
  await database.query('update public.products set hidden = true where id = $1', ring);
  await database.query('select public.delete_product($1)', chain);
  expect(await kept(asha)).toEqual([]);
  await database.query('update public.products set hidden = false where id = $1', ring);
  expect(await kept(asha)).toEqual([ring]);
  await database.query('delete from public.products where id = $1', chain);
  expect(await rows(asha)).toBe(1);
});

test('a clock that is hours ahead keeps its order; one that is days ahead puts nothing into the future', async () => {
  const [asha, ring, chain, bangle] = [
    await database.addCustomer(),
    await database.addProduct(),
    await database.addProduct(),
    await database.addProduct(),
  ];
  await keep(asha, [ring], -180);
  await keep(asha, [chain], -60);
  expect(await kept(asha)).toEqual([ring, chain]);
  await keep(asha, [bangle], -10_000);
  expect(await kept(asha)).toEqual([ring, chain, bangle]);
});

test('two devices at once leave a hundred, not each its own', async () => {
  const asha = await database.addCustomer();
  const products = await Promise.all(Array.from({ length: 120 }, () => database.addProduct()));
  const fill = (part: readonly string[]) => (connection: ShopDatabase) =>
    connection.query(
      'insert into public.wishlists (user_id, product_id) select $1, id from unnest($2::uuid[]) id',
      asha,
      part,
    );
  await oneAfterTheOther(database, fill(products.slice(0, 60)), fill(products.slice(60)));
  expect(await rows(asha)).toBe(100);
});

test('a wishlist goes with its account', async () => {
  const [asha, ring] = [await database.addCustomer(), await database.addProduct()];
  await keep(asha, [ring]);
  await database.query('delete from auth.users where id = $1', asha);
  expect(await rows(asha)).toBe(0);
});

// This test is the last, because it grants whole tables, as the embedded stack does.
test('with whole tables granted, nobody keeps, changes or takes anything in another’s name', async () => {
  const [asha, gita, ring] = [
    await database.addCustomer(),
    await database.addCustomer(),
    await database.addProduct(),
  ];
  await keep(asha, [ring]);
  await database.run('grant all on public.wishlists to anon, authenticated');
  expect(await keepFor(asha, gita, ring)).toBe('42501');
  await database.as(asCustomer(gita), 'update public.wishlists set user_id = $1 where true', gita);
  await database.as(asCustomer(asha), 'update public.wishlists set user_id = $1 where true', gita);
  await database.as({ role: 'anon' }, 'delete from public.wishlists where true');
  expect([await kept(asha), await kept(gita)]).toEqual([[ring], []]);
});
