import { describe, expect, test } from 'vitest';
import { sqlState } from '#tests/database/support/database.ts';
import { useDatabase, type Asker } from '#tests/database/support/postgres.ts';

const database = await useDatabase();
const a = await database.addCustomer('a@example.com');
const ring = await database.addProduct();
await database.placeOpen(a, [{ product_id: ring, quantity: 1 }]);

const visitor: Asker = { role: 'anon' };
const customer: Asker = { role: 'authenticated', claims: { sub: a } };

const columnsOf = (table: string): Promise<string[]> =>
  database.column(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1`,
    table,
  );

describe('columns', () => {
  const inside = [
    'idempotency_key cart_fingerprint fee_bps razorpay_key_id network held_since released_at release_reason',
    'ended_by next_check_at checks cancel_reason admin_note restocked replaces channel pay_token admin_key paid',
    'stage search_text phone_key last_units kept_paise erase_pending link_version asked_about review_request',
    'confirm_seconds',
    'cart_mailed_at cart_mail_of',
  ].flatMap((names) => names.split(' '));

  test('a customer reads their order without its internal columns', async () => {
    for (const column of await columnsOf('orders')) {
      const state = await sqlState(database.as(customer, `select ${column} from public.orders`));
      expect(`${column} ${state}`).toBe(`${column} ${inside.includes(column) ? '42501' : 'none'}`);
    }
    expect(await sqlState(database.as(customer, 'select * from public.orders'))).toBe('42501');
  });

  test('a customer edits the five fields of the profile form and no other', async () => {
    const editable = ['full_name', 'phone', 'address', 'city', 'postal_code'];
    for (const column of await columnsOf('profiles')) {
      const state = await sqlState(
        database.as(customer, `update public.profiles set ${column} = ${column}`),
      );
      expect(`${column} ${state}`).toBe(
        `${column} ${editable.includes(column) ? 'none' : '42501'}`,
      );
    }
  });
});

test('a function and a table that a later migration forgets to close are closed to browsers all the same', async () => {
  await database.run(
    'create function public.forgotten() returns int language sql as $$ select 1 $$; create table public.forgotten (id int)',
  );
  for (const asker of [visitor, customer]) {
    expect(await sqlState(database.as(asker, 'select public.forgotten()'))).toBe('42501');
    expect(await sqlState(database.as(asker, 'select * from public.forgotten'))).toBe('42501');
  }
  await database.run('drop function public.forgotten(); drop table public.forgotten');
});

test('product images have a public bucket that takes files of up to 8 MB', async () => {
  expect(await database.one(`select * from storage.buckets where id = 'product-images'`)).toEqual({
    id: 'product-images',
    name: 'product-images',
    public: true,
    file_size_limit: 8 * 1024 * 1024,
    allowed_mime_types: ['image/jpeg', 'image/png', 'image/webp', 'image/avif'],
  });
});
