import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/postgres.ts';
import { customer } from '../support/shop-database.ts';
import { tablesWith } from '../support/tables-with.ts';

const database = await useDatabase();

type Data = Readonly<Record<string, unknown>>;
const ownData = (shopper: string): Promise<Data> =>
  database.value('select public.own_data($1)', shopper);
const dataOf = (email: string): Promise<Data | null> =>
  database.value('select public.data_of_address($1)', email);
const erase = (email: string): Promise<number> =>
  database.value('select public.erase_address($1)', email);

const ring = await database.addProduct({ stock: 1_000 });
const soldOut = await database.addProduct({ stock: 0 });

/** Where the rows of each table are in what a person is shown. A table that a person can be in and that is not here fails below. */
const parts: Readonly<Record<string, string>> = {
  'auth.users': 'account',
  'public.profiles': 'profile',
  'public.orders': 'orders',
  'public.order_changes': 'order_changes',
  'public.claims': 'claims',
  'public.invoices': 'invoices',
  'public.outbox': 'mails',
  'public.contact_messages': 'messages',
  'public.subscribers': 'newsletter',
  'public.stock_alerts': 'stock_alerts',
  'public.form_entries': 'order_forms',
};

/** Somebody who used all of the shop, and whose name and address are in every table that can hold them. */
async function addPerson(email = 'canary@example.org'): Promise<{ id: string; paid: number }> {
  const id = await database.addShopper(email);
  const details = { email, name: 'Canary Devi' };
  const line = [{ product_id: ring, quantity: 1 }];
  const begun = await database.placeOpen(id, line, { details });
  await database.release(begun.id);
  await database.query('update public.orders set next_check_at = null where id = $1', begun.id);
  const paid = await database.placeOpen(id, [{ product_id: ring, quantity: 2 }], { details });
  await database.markPaid(paid);
  await database.query(
    `select public.change_order_details($1, '{"customer_city": {"from": "${customer.city}", "to": "Canary Town"}}', false)`,
    paid.id,
  );
  await database.query(
    'select public.assign_invoice($1, $2::jsonb)',
    paid.id,
    JSON.stringify({ buyer: { name: 'Canary Devi', email } }),
  );
  await database.query(
    `insert into public.claims (order_id, message, late) values ($1, 'Canary: the clasp is broken', false)`,
    paid.id,
  );
  await database.query(
    'update public.profiles set full_name = $2 where id = $1',
    id,
    'Canary Devi',
  );
  await database.query(
    'insert into public.wishlists (user_id, product_id) values ($1, $2)',
    id,
    ring,
  );
  await database.query(
    'insert into public.stock_alerts (product_id, email) values ($1, $2)',
    soldOut,
    email,
  );
  await database.query(`select public.save_contact_message('Canary', $1, '', 'Hello')`, email);
  await database.query(`select public.subscribe($1, 'Yes')`, email);
  await database.query(
    `insert into public.form_entries (form, fields) values ('order', jsonb_build_object('email', $1::text))`,
    email,
  );
  return { id, paid: paid.id };
}

beforeEach(() =>
  database.run(`
    delete from auth.users where true;
    truncate public.outbox, public.form_entries, public.contact_messages, public.subscribers, public.stock_alerts,
      public.invoices, public.credit_notes, public.refunds, public.payments, public.order_changes, public.claim_files, public.claims, public.orders restart identity`),
);

describe('what the shop holds about a person', () => {
  test('is shown from every table that they are in', async () => {
    const { id } = await addPerson();
    const tables = await tablesWith(database, 'canary');
    expect(tables.toSorted()).toEqual(Object.keys(parts).toSorted());
    const data = await ownData(id);
    for (const [table, part] of Object.entries(parts)) expect(data[part], table).toBeTruthy();
    expect(data).toMatchObject({
      account: { email: 'canary@example.org' },
      profile: { full_name: 'Canary Devi' },
      orders: [{ customer_name: 'Canary Devi' }, { status: 'COMPLETED' }],
      payments: [{ state: 'accepted' }],
      invoices: [{ buyer: { email: 'canary@example.org' } }],
      newsletter: { email: 'canary@example.org' },
      messages: [{ message: 'Hello' }],
      wishlist: [{ product: expect.any(String) as string }],
    });
  });

  test('shows no secret, no note of the admin and nothing of anybody else', async () => {
    const { id, paid } = await addPerson();
    await addPerson('other@example.org');
    await database.query(
      `update public.orders set admin_note = 'Difficult', pay_token = repeat('t', 32) where id = $1`,
      paid,
    );
    const tokens = await database.query<{ token: string }>(
      'select token::text from public.subscribers union all select asked_token::text from public.subscribers',
    );
    const text = JSON.stringify(await ownData(id));
    for (const hidden of [
      'Difficult',
      'ttttt',
      'other@example.org',
      ...tokens.map((row) => row.token),
    ])
      expect(text).not.toContain(hidden);
  });

  test('leaves out data that only an unconfirmed address would reveal', async () => {
    await addPerson();
    const id = await database.value<string>(
      `update auth.users set email_confirmed_at = null where email = 'canary@example.org' returning id`,
    );
    expect(await ownData(id)).toMatchObject({
      messages: null,
      newsletter: null,
      order_forms: null,
    });
  });

  test('is found for the admin by the address, in any spelling, with an account and without', async () => {
    await addPerson();
    expect(await dataOf('Canary@Example.org')).toMatchObject({
      account: { email: 'canary@example.org' },
    });
    await database.query(
      `select public.save_contact_message('Guest', 'guest@example.org', '', 'Hi')`,
    );
    expect(await dataOf('guest@example.org')).toMatchObject({ messages: [{ message: 'Hi' }] });
    expect(await dataOf('nobody@example.org')).toBeNull();
  });
});

describe('erasing a person', () => {
  test('by their address leaves only the paid order and its documents, and says how many stay', async () => {
    await addPerson();
    await database.run(`update public.outbox set sent_at = now() where true`);
    expect(await erase('Canary@example.org')).toBe(1);
    expect(await tablesWith(database, 'canary')).toEqual([
      'public.claims',
      'public.invoices',
      'public.order_changes',
      'public.orders',
    ]);
    expect(await erase('canary@example.org')).toBe(1);
  });

  test('works without an account, and twice', async () => {
    await database.query(
      `select public.save_contact_message('Guest', 'guest@example.org', '', 'Hi')`,
    );
    await database.run(`update public.outbox set sent_at = now() where true`);
    expect(await erase('guest@example.org')).toBe(0);
    expect(await erase('guest@example.org')).toBe(0);
    expect(await tablesWith(database, 'guest@example.org')).toEqual([]);
  });

  test('in the middle of a payment keeps the order, which completes', async () => {
    const shopper = await database.addShopper('canary@example.org');
    const open = await database.placeOpen(shopper, [{ product_id: ring, quantity: 1 }], {
      details: { email: 'canary@example.org' },
    });
    expect(await erase('canary@example.org')).toBe(1);
    expect(await database.markPaid(open)).toBe('paid');
    expect(
      await database.one('select status, customer_email from public.orders where id = $1', open.id),
    ).toEqual({ status: 'COMPLETED', customer_email: 'canary@example.org' });
  });
});

test('the link that deletes an account is mailed to its confirmed address, once for repeated requests', async () => {
  const { id } = await addPerson();
  const ask = (shopper: string) =>
    database.one('select public.ask_account_deletion($1) as answer', shopper);
  expect(await ask(id)).toEqual({ answer: { outcome: 'mailed' } });
  expect(await ask(id)).toEqual({ answer: { outcome: 'mailed_before' } });
  expect(
    await database.query(`select recipient from public.outbox where kind = 'account_deletion'`),
  ).toEqual([{ recipient: 'canary@example.org' }]);
  await database.run('update auth.users set email_confirmed_at = null where true');
  expect(await ask(id)).toEqual({ answer: { outcome: 'no_address' } });
  expect(await database.value('select public.delete_account($1)', id)).toBe(true);
  expect(await database.value('select public.delete_account($1)', id)).toBe(false);
});
