import { beforeEach, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';

const database = await useDatabase();
beforeEach(async () => {
  await database.query('delete from public.stock_alerts where true');
  await database.query('delete from public.outbox where true');
});

const ask = (
  product: string,
  size: string | null = null,
  email = 'Asha@Example.com',
): Promise<unknown> =>
  database.value(`select public.ask_stock_alert($1, $2, $3) ->> 'outcome'`, product, size, email);
const confirmAll = (): Promise<unknown> =>
  database.query('select public.confirm_stock_alert(token) from public.stock_alerts');
const queue = (perHour = 100): Promise<number> =>
  database.value('select public.queue_back_in_stock($1)', perHour);
/** Recipients and products of the mails about stock, after those that are due were queued. */
const mails = async (): Promise<string[]> => {
  await queue();
  return database.column(
    `select recipient || ': ' || (payload ->> 'name') as told from public.outbox where kind = 'back_in_stock' order by 1`,
  );
};
const waiting = (): Promise<number> =>
  database.value('select count(*)::int from public.stock_alerts');

const set = (id: string, fields: string): Promise<unknown> =>
  database.query(`update public.products set ${fields} where id = $1`, id);

test('stock alerts are sent once, when a product is back in stock and shown', async () => {
  const ring = await database.addProduct({ stock: 0 });
  expect([await ask(ring), await ask(ring), await ask(ring, null, 'gita@example.com')]).toEqual([
    'waiting',
    'waiting',
    'waiting',
  ]);
  await confirmAll();
  await set(ring, `name = 'Moon ring'`);
  expect(await mails()).toEqual([]);
  await set(ring, 'hidden = true, stock = 2');
  expect(await mails()).toEqual([]);
  await set(ring, 'hidden = false');
  expect(await mails()).toEqual(['asha@example.com: Moon ring', 'gita@example.com: Moon ring']);
  expect(await waiting()).toBe(0);
  await set(ring, 'stock = 0');
  await set(ring, 'stock = 5');
  expect(await mails()).toHaveLength(2);
});

test('stock alerts for a size are sent for that size only', async () => {
  const ring = await database.addProduct({ sizes: { '12': 0, '14': 3 } });
  expect([
    await ask(ring, '12'),
    await ask(ring, '14'),
    await ask(ring, '16'),
    await ask(ring),
  ]).toEqual(['waiting', 'available', 'unknown', 'available']);
  await confirmAll();
  await set(ring, `sizes = '[{"size": "12", "stock": 0}, {"size": "14", "stock": 9}]'`);
  expect(await mails()).toEqual([]);
  await set(ring, `sizes = '[{"size": "12", "stock": 1}, {"size": "14", "stock": 9}]'`);
  expect(await mails()).toEqual(['asha@example.com: Temple ring · Size 12']);
});

test('hidden and deleted products accept no stock alerts, and the admin deletes addresses', async () => {
  const hidden = await database.addProduct({ stock: 0 });
  await set(hidden, 'hidden = true');
  expect([await ask(hidden), await ask(crypto.randomUUID())]).toEqual(['unknown', 'unknown']);
  await set(hidden, 'hidden = false, deleted_at = now()');
  expect(await ask(hidden)).toBe('unknown');
  const ring = await database.addProduct({ stock: 0 });
  await ask(ring, null, 'gita@example.com');
  await confirmAll();
  const all = await database.value<{ id: number; email: string }[]>(
    'select public.list_stock_alerts()',
  );
  expect(all).toMatchObject([{ email: 'gita@example.com', name: 'Temple ring', productId: ring }]);
  await database.query(
    'select public.delete_stock_alerts($1)',
    all.map(({ id }) => id),
  );
  expect(await waiting()).toBe(0);
});

test('the address is deleted once its mail is sent, and not before', async () => {
  const ring = await database.addProduct({ stock: 0 });
  await ask(ring);
  await confirmAll();
  await set(ring, 'stock = 1');
  await queue();
  const id = await database.value<string>(
    `select id from public.outbox where kind = 'back_in_stock'`,
  );
  await database.query(`select public.finish_outbox($1, 'EAUTH')`, id);
  expect(await mails()).toHaveLength(1);
  await database.query('select public.finish_outbox($1, null)', id);
  expect(
    await database.one(
      'select recipient, sent_at is not null as sent from public.outbox where id = $1',
      id,
    ),
  ).toEqual({ recipient: null, sent: true });
});

const asked = (): Promise<Record<string, unknown>[]> =>
  database.query(
    `select recipient, payload from public.outbox where kind = 'stock_alert_confirmation' order by id`,
  );

test('an address gets one mail that asks, and nothing else before it confirms', async () => {
  const ring = await database.addProduct({ stock: 0 });
  await ask(ring);
  await ask(ring);
  const token = await database.value<string>('select token from public.stock_alerts');
  expect(await asked()).toEqual([
    { recipient: 'asha@example.com', payload: { token, name: 'Temple ring' } },
  ]);
  await set(ring, 'stock = 3');
  expect(await mails()).toEqual([]);
  const confirm = (value: string) =>
    database.value<boolean>('select public.confirm_stock_alert($1)', value);
  expect([await confirm(crypto.randomUUID()), await confirm(token), await confirm(token)]).toEqual([
    false,
    true,
    true,
  ]);
  expect(await mails()).toEqual(['asha@example.com: Temple ring']);
  expect(await confirm(token)).toBe(false);
});

test('the confirmed address of the account that asks needs no mail; another address does', async () => {
  const customer = await database.addCustomer('asha@example.com');
  const ring = await database.addProduct({ stock: 0 });
  const askAs = (email: string) =>
    database.query('select public.ask_stock_alert($1, null, $2, $3)', ring, email, customer);
  await askAs('Asha@example.com');
  await askAs('gita@example.com');
  expect(await asked()).toMatchObject([{ recipient: 'gita@example.com' }]);
  await database.query('update auth.users set email_confirmed_at = null where id = $1', customer);
  await database.query('delete from public.stock_alerts where true');
  await askAs('asha@example.com');
  expect(await asked()).toHaveLength(2);
});

test('200 confirmed addresses may wait for a product, and an address for three products', async () => {
  const ring = await database.addProduct({ stock: 0 });
  await database.query(
    `insert into public.stock_alerts (product_id, email, confirmed_at)
     select $1, n || '@example.com', now() from generate_series(1, 199) n`,
    ring,
  );
  expect(await ask(ring, null, '200@example.com')).toBe('waiting');
  await database.query('update public.stock_alerts set confirmed_at = now() where true');
  expect([await ask(ring), await ask(ring, null, '7@example.com')]).toEqual(['full', 'waiting']);
  const outcomes: unknown[] = [];
  for (let index = 0; index < 4; index += 1)
    outcomes.push(await ask(await database.addProduct({ stock: 0 })));
  expect(outcomes).toEqual(['waiting', 'waiting', 'waiting', 'too_many']);
});

test('invented addresses close the list for nobody: the newest request without a confirmation replaces the oldest', async () => {
  const ring = await database.addProduct({ stock: 0 });
  await database.query(
    `insert into public.stock_alerts (product_id, email, confirmed_at) select $1, 'confirmed@example.com', now() - interval '1 day'`,
    ring,
  );
  await database.query(
    `insert into public.stock_alerts (product_id, email) select $1, 'invented-' || n || '@example.com' from generate_series(0, 198) n`,
    ring,
  );
  for (const index of [199, 200, 201])
    expect(await ask(ring, null, `invented-${String(index)}@example.com`)).toBe('waiting');
  const emails = await database.column<string>(
    'select email from public.stock_alerts where product_id = $1 order by id',
    ring,
  );
  expect(emails).toHaveLength(201);
  expect([emails[0], emails[1], emails.at(-1)]).toEqual([
    'confirmed@example.com',
    'invented-2@example.com',
    'invented-201@example.com',
  ]);
});

test('an edit of stock writes no mail; they are queued the longest waiting first, so many an hour', async () => {
  const ring = await database.addProduct({ stock: 0 });
  await database.query(
    `insert into public.stock_alerts (product_id, email, confirmed_at)
     select $1, n || '@example.com', now() - make_interval(mins => n) from generate_series(1, 30) n`,
    ring,
  );
  await set(ring, 'stock = 5');
  expect([
    await waiting(),
    await database.one('select count(*)::int as n from public.outbox'),
  ]).toEqual([30, { n: 0 }]);
  expect([await queue(20), await queue(20), await queue(25)]).toEqual([20, 0, 5]);
  expect(await database.query(`select recipient from public.outbox order by id limit 2`)).toEqual([
    { recipient: '30@example.com' },
    { recipient: '29@example.com' },
  ]);
  await database.query(
    `update public.outbox set created_at = now() - interval '61 minutes' where true`,
  );
  expect(await queue(20)).toBe(5);
});

test('orders, money and the admin are mailed before links, links before messages of strangers, and these before news of stock', async () => {
  const kinds = [
    ...['admin_alert', 'order_confirmation', 'newsletter_confirmation'],
    ...['stock_alert_confirmation', 'contact_message', 'back_in_stock'],
  ];
  // Written in another order than they are sent in.
  for (const kind of kinds.toSorted())
    await database.query(
      `insert into public.outbox (kind, recipient, dedupe_key, next_attempt_at)
       values ($1, 'a@example.com', $1, now() - interval '1 hour')`,
      kind,
    );
  const claimed: string[] = [];
  while (claimed.length < kinds.length)
    claimed.push(await database.value(`select public.claim_outbox(1, 60) ->> 'kind'`));
  expect(claimed).toEqual(kinds);
});
