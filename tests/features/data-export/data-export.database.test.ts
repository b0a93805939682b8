import { beforeEach, describe, expect, test } from 'vitest';
import { usePeople } from '#tests/database/support/people.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { tablesWith } from '#tests/database/support/tables-with.ts';

const database = await useDatabase();
const { addPerson, forgetEverybody } = await usePeople(database);
beforeEach(forgetEverybody);

type Data = Readonly<Record<string, unknown>>;
const ownData = (customer: string): Promise<Data> =>
  database.value('select public.own_data($1)', customer);
const dataOf = (email: string): Promise<Data | null> =>
  database.value('select public.data_of_address($1)', email);
/** Where the rows of each table are in what a person is shown. A table that a person can be in and that is not here fails below. */
const parts: Readonly<Record<string, string>> = {
  'auth.users': 'account',
  'public.profiles': 'profile',
  'public.orders': 'orders',
  'public.order_changes': 'order_changes',
  'public.claims': 'claims',
  'public.reviews': 'reviews',
  'public.invoices': 'invoices',
  'public.outbox': 'mails',
  'public.contact_messages': 'messages',
  'public.subscribers': 'newsletter',
  'public.stock_alerts': 'stock_alerts',
  'public.form_entries': 'order_forms',
};

describe('the stored data about a person', () => {
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
      `update public.orders set admin_note = 'Difficult', cancel_reason = 'Lied', pay_token = repeat('t', 32) where id = $1`,
      paid,
    );
    await database.query(
      `insert into public.order_changes (order_id, field, old_value, new_value) values ($1, 'admin_note', 'A liar', 'Difficult')`,
      paid,
    );
    const tokens = await database.query<{ token: string }>(
      'select token::text from public.subscribers union all select asked_token::text from public.subscribers',
    );
    const text = JSON.stringify(await ownData(id));
    for (const hidden of [
      'Difficult',
      'A liar',
      'Lied',
      'admin_note',
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

/** Columns of tables with personal data that no export shows, and why. A new column is shown or stands here. */
const inside: Readonly<Record<string, readonly string[]>> = {
  // The row's owner, the shop's own needs, and the admin's notes.
  orders: [
    'user_id idempotency_key cart_fingerprint razorpay_key_id is_test admin_key pay_token network asked_about',
    'hold_state hold_expires_at released_at release_reason ended_by next_check_at checks restocked stage paid sold state kind',
    'search_text phone_key last_units erase_pending link_version admin_note cancel_reason review_request',
    'confirm_seconds',
    'cart_mailed_at cart_mail_of',
  ].flatMap((names) => names.split(' ')),
  order_changes: ['id'],
  profiles: ['id', 'edited_at'],
  claims: ['id', 'late', 'answer_key', 'amount_paise', 'replacement_id'],
  reviews: ['id', 'product_id'],
  contact_messages: ['id', 'read_at'],
  subscribers: ['id', 'token', 'asked_token'],
};

test('every column of a table with personal data is in the export, or decided to stay inside', async () => {
  const { id, paid } = await addPerson();
  await database.query(
    `insert into public.order_changes (order_id, field, old_value, new_value) values ($1, 'customer_phone', '1', '2')`,
    paid,
  );
  const data = await ownData(id);
  const parts: Readonly<Record<string, string>> = {
    orders: 'orders',
    order_changes: 'order_changes',
    profiles: 'profile',
    claims: 'claims',
    reviews: 'reviews',
    contact_messages: 'messages',
    subscribers: 'newsletter',
  };
  for (const [table, hidden] of Object.entries(inside)) {
    const columns = await database.column(
      `select column_name::text as name from information_schema.columns where table_schema = 'public' and table_name = $1`,
      table,
    );
    const part = data[parts[table] ?? ''];
    const [row] = Array.isArray(part) ? (part as unknown[]) : [part];
    const shown = Object.keys(row as object);
    expect(columns.length, table).toBeGreaterThan(3);
    expect(columns.toSorted(), table).toEqual(
      [...shown.filter((name) => columns.includes(name)), ...hidden].toSorted(),
    );
  }
});
