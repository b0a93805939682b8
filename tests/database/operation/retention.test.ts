import { beforeEach, describe, expect, test } from 'vitest';
import { dataWeKeep, retention, retentionDays } from '#domain/retention.ts';
import { cashOnDelivery } from '#settings/cash-on-delivery.ts';
import { cartMailAfterHours } from '#settings/cart-mail.ts';
import { askAfterDays } from '#settings/reviews.ts';
import { eachRow } from '#tests/each-row.ts';
import { sqlState } from '#tests/database/support/database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';

const database = await useDatabase();
const ring = await database.addProduct({ stock: 1_000 });

type Subject = keyof typeof retention;
interface Outcome {
  outcome: string;
  forgotten: Record<string, number>;
}

const goOnForgetting = (terms: unknown = retentionDays, limit = 500): Promise<Outcome> =>
  database.value('select public.forget($1::jsonb, $2)', JSON.stringify(terms), limit);
/** A day's run. */
const forget = async (terms: unknown = retentionDays): Promise<Outcome> => {
  await database.run(`update public.heartbeats set last_at = null where name = 'forget'`);
  return goOnForgetting(terms);
};
const count = (sql: string): Promise<number> => database.value(`select count(*)::int from ${sql}`);

beforeEach(() =>
  database.run(`
    update public.heartbeats set last_at = null where name = 'forget';
    truncate public.outbox, public.form_entries, public.contact_messages, public.subscribers, public.stock_alerts,
      public.admin_sessions, public.push_subscriptions, public.webhook_events, public.reconciliations, public.product_changes,
      public.invoices, public.credit_notes, public.refunds, public.payments, public.order_changes, public.claim_files,
      public.claims, public.reviews, public.cash_refusals, public.costs, public.orders
      restart identity`),
);

test('the term of own_cancellations, which the site of 1.3.2 passes, is accepted', async () => {
  expect(await sqlState(forget({ ...retentionDays, own_cancellations: 30 }))).toBe('none');
});

test('terms that are missing, unknown or shorter than a day are refused, and nothing is deleted', async () => {
  await database.run(
    `insert into public.contact_messages (name, email, message, created_at) values ('D', 'd@example.org', 'Hi', now() - interval '9 years')`,
  );
  const { unpaid_orders: unpaid, ...others } = retentionDays;
  await eachRow(
    [
      {},
      others,
      { ...retentionDays, cats: 1 },
      { ...retentionDays, unpaid_orders: 0 },
      { ...retentionDays, unpaid_orders: -Number(unpaid) },
      [],
      null,
    ],
    async (terms) => {
      expect(await sqlState(forget(terms))).toBe('22023');
    },
  );
  expect(await sqlState(goOnForgetting(retentionDays, 0))).toBe('22023');
  expect(await count('public.contact_messages')).toBe(1);
});

/** The rows of each subject with an age (an SQL expression), and what counts those that are left. */
const rows: Readonly<
  Record<
    Exclude<
      Subject,
      'unpaid_orders' | 'paid_orders' | 'erased_orders' | 'delivered_orders' | 'claim_files'
    >,
    [string, string]
  >
> = {
  claim_words: [
    `with o as (insert into public.orders (merchant_transaction_id) values ('ABC-' || gen_random_uuid()) returning id)
     insert into public.claims (order_id, message, late, answer, answered_at) select id, 'Broken', false, 'refund', AT from o`,
    `public.claims where message <> ''`,
  ],
  unpublished_reviews: [
    `insert into public.reviews (product_id, stars, words, name, state, created_at) select id, 5, 'Shines', 'Devika', 'hidden', AT from public.products`,
    'public.reviews',
  ],
  cash_refusals: [
    `with o as (insert into public.orders (merchant_transaction_id) values ('ABC-' || gen_random_uuid()) returning id)
     insert into public.cash_refusals (order_id, created_at) select id, AT from o`,
    'public.cash_refusals',
  ],
  order_networks: [
    `insert into public.orders (merchant_transaction_id, network, created_at) values ('ABC-' || gen_random_uuid(), 'n', AT)`,
    'public.orders where network is not null',
  ],
  unconfirmed_accounts: [
    `insert into auth.users (email, created_at) values (gen_random_uuid() || '@unconfirmed.example', AT)`,
    `auth.users where email like '%@unconfirmed.example'`,
  ],
  auth_log: [
    `create table if not exists auth.audit_log_entries (id uuid primary key default gen_random_uuid(), payload json, created_at timestamptz);
     insert into auth.audit_log_entries (payload, created_at) values ('{"actor_username": "d@example.org"}', AT)`,
    'auth.audit_log_entries',
  ],
  order_forms: [
    `insert into public.form_entries (form, fields, created_at) values ('order', '{"name": "Devika"}', AT)`,
    'public.form_entries',
  ],
  contact_messages: [
    `insert into public.contact_messages (name, email, message, created_at) values ('Devika', 'd@example.org', 'Hi', AT)`,
    'public.contact_messages',
  ],
  newsletter_requests: [
    `insert into public.subscribers (email, consent_text, asked_text, asked_at) values (gen_random_uuid() || '@example.org', 'Yes', 'Yes', AT)`,
    'public.subscribers',
  ],
  stock_alert_requests: [
    `insert into public.stock_alerts (product_id, email, created_at) select id, gen_random_uuid() || '@example.org', AT from public.products`,
    'public.stock_alerts',
  ],
  stock_alerts: [
    `insert into public.stock_alerts (product_id, email, confirmed_at, created_at)
     select id, gen_random_uuid() || '@example.org', now(), AT from public.products`,
    'public.stock_alerts',
  ],
  sent_mails: [
    `insert into public.outbox (kind, recipient, payload, dedupe_key, sent_at) values ('refund_notice', 'd@example.org', '{"a": 1}', gen_random_uuid(), AT)`,
    `public.outbox where recipient is not null and payload <> '{}'`,
  ],
  mail_records: [
    `insert into public.outbox (kind, dedupe_key, sent_at) values ('refund_notice', gen_random_uuid(), AT)`,
    'public.outbox',
  ],
  unsent_mails: [
    `insert into public.outbox (kind, recipient, attempts, dedupe_key, created_at) values ('refund_notice', 'd@example.org', 20, gen_random_uuid(), AT)`,
    'public.outbox',
  ],
  notifications: [
    `insert into public.outbox (kind, recipient, dedupe_key, created_at) values ('push', '1', gen_random_uuid(), AT)`,
    'public.outbox',
  ],
  devices: [
    `insert into public.push_subscriptions (endpoint, p256dh, auth, created_at)
     values ('https://push.example.com/' || gen_random_uuid(), repeat('a', 87), repeat('a', 22), AT)`,
    'public.push_subscriptions',
  ],
  admin_sessions: [
    `insert into public.admin_sessions (token_hash, password_fingerprint, expires_at)
     values (md5(random()::text) || md5(random()::text), repeat('b', 64), AT)`,
    'public.admin_sessions',
  ],
  failed_payments: [
    `insert into public.webhook_events (event_id, event, received_at) values (gen_random_uuid(), 'payment.failed', AT)`,
    'public.webhook_events',
  ],
  payment_events: [
    `insert into public.webhook_events (event_id, received_at) values (gen_random_uuid(), AT)`,
    'public.webhook_events',
  ],
  comparisons: [
    `insert into public.reconciliations (from_at, to_at, payments, finished_at) values (now(), now(), 0, AT)`,
    'public.reconciliations',
  ],
  catalogue_changes: [
    `insert into public.product_changes (version, product_id, name, kind, at)
     select coalesce(max(version), 0) - 1, gen_random_uuid(), 'Ring', 'changed', AT from public.product_changes`,
    'public.product_changes',
  ],
};

describe.each(Object.keys(rows) as (keyof typeof rows)[])('%s', (subject) => {
  test('end after their term and not before', async () => {
    await database.run(
      `insert into public.builds (requested_by, state, version) values ('admin', 'published', 100)`,
    );
    const [insert, left] = rows[subject];
    const { days } = retention[subject];
    await database.run(insert.replace('AT', `now() - interval '${String(days + 1)} days'`));
    await database.run(insert.replace('AT', `now() - interval '${String(days - 1)} days'`));
    expect(await count(left)).toBe(2);
    expect((await forget()).forgotten[subject]).toBe(1);
    expect(await count(left)).toBe(1);
  });
});

const personal = `customer_name, customer_email, customer_phone, customer_address, customer_city, customer_postal_code, notes`;
const person = (id: number): Promise<Record<string, unknown>> =>
  database.one(
    `select num_nonnulls(${personal}, user_id) as facts from public.orders where id = $1`,
    id,
  );
const age = (days: number): Promise<unknown> =>
  database.run(
    `update public.orders set created_at = created_at - interval '${String(days)} days', next_check_at = null where true`,
  );

test('an order that nobody paid loses its person after 90 days, and keeps what was ordered', async () => {
  const customer = await database.addCustomer();
  const order = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
  await database.release(order.id);
  await age(89);
  await forget();
  expect(await person(order.id)).toEqual({ facts: 8 });
  await age(2);
  expect(await forget()).toMatchObject({ forgotten: { unpaid_orders: 1 } });
  expect(await person(order.id)).toEqual({ facts: 0 });
  expect(await database.orderRow(order.id)).toMatchObject({
    total_paise: order.total_paise,
    items: [{ product_id: ring }],
    hold_state: 'released',
  });
  expect(await forget()).toEqual({ outcome: 'done', forgotten: {} });
});

test('phone, notes, gift note and recipient of an order end 180 days after its delivery, in its documents too', async () => {
  const details = { gift_note: 'For Asha', recipient_name: 'Asha', recipient_phone: '9847054321' };
  const customer = await database.addCustomer();
  const lines = [{ product_id: ring, quantity: 1 }];
  const order = await database.placeOpen(customer, lines, { details });
  await database.markPaid(order);
  await database.query(
    `select public.assign_invoice($1, '{"buyer": {"name": "Devika", "phone": "9847012345"}}')`,
    order.id,
  );
  for (const step of ['packed', 'shipped', 'delivered'])
    await database.setFulfilment(order.id, step);
  const moveBack = (days: number): Promise<unknown> =>
    database.query(
      `update public.orders set paid_at = now() - d, shipped_at = now() - d, delivered_at = delivered_at - d
       from (select make_interval(days => $1) as d) t`,
      days,
    );
  const kept = async (): Promise<number> => {
    const row = await database.orderRow(order.id);
    const { ends: columns } = retention.delivered_orders;
    return columns.filter((name) => row[name.replace('orders.', '')] !== null).length;
  };
  await moveBack(179);
  await forget();
  expect(await kept()).toBe(5);
  await moveBack(2);
  expect(await forget()).toMatchObject({ forgotten: { delivered_orders: 1 } });
  expect(await kept()).toBe(0);
  expect((await database.orderRow(order.id))['customer_address']).toEqual(expect.any(String));
  expect(await database.value(`select document -> 'buyer' from public.invoices`)).toEqual({
    name: 'Devika',
    phone: '',
  });
});

test('an order that is shipped and never marked as delivered ends as well, and one with an open report of damage does not', async () => {
  const place = async (): Promise<number> => {
    const order = await database.buy([{ product_id: ring, quantity: 1 }]);
    for (const step of ['packed', 'shipped']) await database.setFulfilment(order.id, step);
    return order.id;
  };
  const [shipped, damaged] = [await place(), await place()];
  await database.run(
    `update public.orders set shipped_at = now() - interval '181 days' where true`,
  );
  await database.query(
    `insert into public.claims (order_id, message, late) values ($1, 'Broken', false)`,
    damaged,
  );
  expect(await forget()).toMatchObject({ forgotten: { delivered_orders: 1 } });
  expect(await database.orderRow(shipped)).toMatchObject({ customer_phone: null });
  expect(await database.orderRow(damaged)).toMatchObject({
    customer_phone: expect.any(String) as unknown,
  });
});

test('an account that confirmed its address stays', async () => {
  const account = await database.addCustomer('confirmed@example.org');
  const old = `update auth.users set created_at = now() - interval '2 years' where id = $1`;
  await database.query(old, account);
  await forget();
  expect(await count(`auth.users where email = 'confirmed@example.org'`)).toBe(1);
});

test('orders that hold stock, are still checked, or had a payment keep their data', async () => {
  const customer = await database.addCustomer();
  const line = [{ product_id: ring, quantity: 1 }];
  const held = await database.openOrder(ring);
  const paid = await database.placeOpen(customer, line);
  await database.markPaid(paid);
  const late = await database.openOrder(ring);
  await database.markPaid(late, undefined, { amount: 1 });
  const asked = await database.openOrder(ring);
  await database.release(asked.id);
  await database.run(`update public.orders set created_at = now() - interval '2 years' where true`);
  await database.query('update public.orders set next_check_at = now() where id = $1', asked.id);
  await forget();
  for (const { id } of [held, paid, late, asked]) expect(await person(id)).toEqual({ facts: 8 });
});

test('a paid order and its documents lose their customer after nine years, and keep numbers and amounts', async () => {
  const order = await database.openOrder(ring);
  await database.markPaid(order);
  const document = {
    buyer: { name: 'Devika', gstin: '32AABCU9603R1ZW' },
    totalPaise: order.total_paise,
  };
  await database.query(
    'select public.assign_invoice($1, $2::jsonb)',
    order.id,
    JSON.stringify(document),
  );
  await database.run(
    `update public.orders set created_at = now() - interval '3289 days', paid_at = now() - interval '3289 days' where true`,
  );
  expect(await forget()).toMatchObject({ forgotten: { paid_orders: 1 } });
  expect(await person(order.id)).toEqual({ facts: 0 });
  expect(await database.one('select document from public.invoices')).toMatchObject({
    document: { buyer: { name: '', gstin: '32AABCU9603R1ZW' }, totalPaise: order.total_paise },
  });
});

test('confirmed and ended newsletter subscriptions stay, as proof', async () => {
  await database.run(`insert into public.subscribers (email, consent_text, asked_text, asked_at, confirmed_at, unsubscribed_at) values
    ('reader@example.org', 'Yes', 'Yes', now() - interval '3 years', now() - interval '3 years', null),
    ('left@example.org', 'Yes', 'Yes', now() - interval '3 years', null, now() - interval '2 years')`);
  await forget();
  expect(await count('public.subscribers')).toBe(2);
});

test('unpublished changes are kept, and so is the newest reconciliation', async () => {
  await database.run(`delete from public.builds where true;
    insert into public.product_changes (version, product_id, name, kind, at) values (-5, gen_random_uuid(), 'Ring', 'deleted', now() - interval '2 years');
    insert into public.reconciliations (from_at, to_at, payments, finished_at) values (now(), now(), 0, now() - interval '2 years')`);
  expect((await forget()).forgotten).toEqual({});
});

test('a large shop is cleared in small batches, each call going on where the last one stopped, once a day', async () => {
  await database.run(`insert into public.form_entries (form, created_at)
    select 'order', now() - interval '2 years' from generate_series(1, 25)`);
  const next = () => goOnForgetting(retentionDays, 10);
  expect([await next(), await next(), await next()]).toEqual([
    { outcome: 'more', forgotten: { order_forms: 10 } },
    { outcome: 'more', forgotten: { order_forms: 10 } },
    { outcome: 'done', forgotten: { order_forms: 5 } },
  ]);
  expect(await next()).toEqual({ outcome: 'not_due', forgotten: {} });
});

test('the privacy page says each term that concerns a person', () => {
  const reviews =
    askAfterDays === null
      ? ''
      : '\nReviews: as long as the product is in the shop, or until you ask us to erase them; 12 months when we do not show them';
  const refusals =
    cashOnDelivery === null
      ? ''
      : `\nParcels that nobody paid: ${String(cashOnDelivery.refusedForDays)} days`;
  const cartMail =
    cartMailAfterHours === null
      ? ''
      : '\nE-mail about a cart: as an order that you did not pay; when you want no such e-mail, a scrambled form of your e-mail for good';
  const times = dataWeKeep.map(({ what, time }) => `${what}: ${time}`).join('\n');
  expect(times).toBe(
    `Orders: up to 9 years, as tax law asks; phone, notes, gift note and who gets a gift 180 days after the delivery; when you did not pay, 90 days
Damage: photos and video 180 days after our answer, your words 12 months${reviews}${refusals}
Order form: 90 days, at Netlify too
Account: until you delete the account, 30 days when you do not confirm it. Of your orders only the paid ones stay then, as above, and of these only what tax law asks for: name, address, e-mail, items and amounts
Logins: 30 days
E-mails to you: 30 days after it was sent, 60 days when it could not be sent${cartMail}
Contact form: 24 months
Newsletter: 30 days when you do not confirm; otherwise until you ask us to erase it. When you leave, we write no more
Back in stock: 7 days when you do not confirm; otherwise until that e-mail is sent, 12 months at most
Protection from abuse: 2 days at most; ${cashOnDelivery === null ? '' : 'of orders with cash on delivery 7 days; '}of such refunds 30 days`,
  );
});
