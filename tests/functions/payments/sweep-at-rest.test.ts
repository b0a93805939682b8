import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { eachRow } from '#tests/each-row.ts';
import { serveFetch, type Served } from '#tests/functions/support/serve-fetch.ts';
import { useStack } from '#tests/functions/support/stack.ts';

const stack = await useStack();
/** The deployed site, up to date with the catalogue. */
let site: Served;

const liveVersion = (): Promise<number> =>
  stack.value('select version::int from public.catalogue_version');
const deploy = async (): Promise<void> => {
  built = { version: await liveVersion(), builtAt: new Date().toISOString() };
};
let built: { version: number; builtAt: string | null } = { version: 0, builtAt: '' };

beforeAll(async () => {
  site = await serveFetch(() => Response.json(built));
});
afterAll(async () => {
  await site.close();
});
const reset = async (): Promise<void> => {
  await stack.database.reset();
  await stack.sql(
    `insert into public.reconciliations (from_at, to_at, payments) values (now(), now(), 0)`,
  );
  vi.stubEnv('URL', site.url);
  stack.mail.reset();
  stack.razorpay.reset();
};
beforeEach(reset);

const { sweep } = stack;

interface Call {
  url: string;
  body: Readonly<Record<string, unknown>>;
}

/** What a sweep fetches. */
async function callsOfSweep(): Promise<Call[]> {
  const fetched = vi.spyOn(globalThis, 'fetch');
  await sweep();
  const calls = fetched.mock.calls.map(([input, init]) => ({
    url: input instanceof Request ? input.url : String(input),
    body: typeof init?.body === 'string' ? (JSON.parse(init.body) as Call['body']) : {},
  }));
  fetched.mockRestore();
  return calls;
}

/** A shop in which every product is live and nothing waits. Resolves to the calls of a sweep of it. */
async function settle(): Promise<Call[]> {
  await deploy();
  await sweep();
  return callsOfSweep();
}

const lastSweep = (): Promise<string> =>
  stack.value(`select last_at::text from public.heartbeats where name = 'sweep'`);

test('a sweep with nothing due makes one call to the database and none elsewhere, and is recorded', async () => {
  const product = await stack.addProduct();
  await deploy();
  // The first one compares, deletes, and looks at the live site.
  expect((await callsOfSweep()).length).toBeGreaterThan(10);
  const before = await lastSweep();
  stack.razorpay.calls.length = 0;
  const calls = await callsOfSweep();
  expect(calls.map(({ url }) => url.replace(stack.database.url, ''))).toEqual([
    '/rest/v1/rpc/begin_sweep',
  ]);
  expect(stack.razorpay.calls).toEqual([]);
  expect(stack.mail.mails).toEqual([]);
  expect(await lastSweep()).not.toBe(before);
  // A change ends the rest.
  await stack.sql('update public.products set stock = 0, name = $1 where id = $2', 'New', product);
  expect((await callsOfSweep()).length).toBeGreaterThan(1);
});

test('while a change waits that needs no build, a sweep makes one call', async () => {
  const product = await stack.addProduct({ price: 100 });
  await deploy();
  await stack.sql('update public.products set price = 90 where id = $1', product);
  await sweep();
  expect(await callsOfSweep()).toHaveLength(1);
});

const payment = `insert into public.payments (payment_id, razorpay_order_id, amount_paise, currency, state, reason, created_at) values
  ('pay_00000000000001', 'order_00000000000001', 100, 'INR', 'unmatched',`;
const refund = `insert into public.refunds (payment_id, order_id, amount_paise, reason, idempotency_key, state) values
  ('pay_00000000000001', (select max(id) from public.orders), 100, 'x', 'key_0000000001',`;
const rest = (key: string, value: string): string =>
  `update public.heartbeats set rest = jsonb_set(rest, '{${key}}', ${value}) where name = 'sweep'`;

/** What makes each part of a sweep due in a shop at rest, and what the part calls then. */
const due: readonly (readonly [part: string, calls: string, ...make: string[]])[] = [
  [
    'silence',
    'shop_health',
    `update public.heartbeats set last_at = now() - interval '16 minutes' where name = 'sweep'`,
  ],
  ['silence', 'shop_health', `${payment} 'x', now() - interval '2 hours')`],
  [
    'mail server',
    'probe_mail_server',
    `select public.note_mail('ECONNREFUSED', 'connection', 'a-hash')`,
  ],
  [
    'disputes',
    'queue_dispute_reminders',
    `${payment} 'x', now())`,
    `update public.payments set dispute = 'created', disputes = '{"disp_1":"created"}',
       dispute_facts = jsonb_build_object('disp_1', jsonb_build_object('respond_by', now() + interval '5 hours', 'at', now() - interval '1 day'))`,
  ],
  ['settings', 'set_shop_settings', `update public.shop_settings set invoice_prefix = 'OLD'`],
  [
    'back in stock',
    'queue_back_in_stock',
    `insert into public.stock_alerts (product_id, email, confirmed_at)
        select id, 'a@example.com', now() from public.products where stock > 0 limit 1`,
  ],
  [
    'cash orders',
    'end_unconfirmed_orders',
    `update public.orders set cash_paise = 100, hold_state = 'reserved', hold_expires_at = now()`,
  ],
  [
    'outbox',
    'claim_outbox',
    `insert into public.outbox (kind, recipient, dedupe_key) values ('contact_copy', 'a@example.com', 'waiting')`,
  ],
  ['refunds', 'claim_refunds', `${payment} 'x', now())`, `${refund} 'due')`],
  ['poll refunds', 'refunds_to_poll', `${payment} 'x', now())`, `${refund} 'requested')`],
  [
    'poll refunds',
    'refunds_to_poll',
    `${payment} 'x', now())`,
    `${refund} 'failed')`,
    'update public.refunds set unanswered = 1',
  ],
  ['payment origins', 'payments_of_unknown_origin', `${payment} 'origin_unknown', now())`],
  ['sweep', 'orders_to_check', 'update public.orders set next_check_at = now()'],
  [
    'reconcile',
    'next_reconciliation',
    `update public.reconciliations set finished_at = now() - interval '25 hours'`,
  ],
  ['reconcile', 'next_reconciliation', 'update public.provider_health set reconcile = true'],
  [
    'reconcile',
    'next_reconciliation',
    `insert into public.reconciliations (from_at, to_at, finished_at) values (now(), now(), null)`,
  ],
  [
    'catalogue',
    'unpublished_changes',
    `insert into public.builds (requested_by, state) values ('deploy', 'published')`,
  ],
  ['catalogue', 'unpublished_changes', rest('until', `to_jsonb(now() - interval '1 second')`)],
  // The hour is in it.
  ['catalogue', 'unpublished_changes', rest('state', `'"another"'`)],
  [
    'catalogue',
    'unused_pictures',
    `insert into public.pictures (path, uploaded_at) values ('products/a.webp', now() - interval '2 days')`,
  ],
  [
    'catalogue',
    'end_deleted_products',
    'update public.products set deleted_at = now()',
    `alter table public.products disable trigger user`,
    `update public.products set deleted_at = now() - interval '31 days'`,
    `alter table public.products enable trigger user`,
  ],
  [
    'credit notes',
    'credit_notes_due',
    `insert into public.invoices (number, order_id, financial_year, serial, issued_at, document)
        select 'KSV/1', max(id), '2026-27', 1, now(), '{}' from public.orders`,
    `update public.orders set invoice_number = 'KSV/1', payment_id = 'pay_00000000000001' where id = (select max(id) from public.orders)`,
    `${payment} 'x', now())`,
    `${refund} 'processed')`,
  ],
  [
    'claim files',
    'take_due_claim_files',
    `insert into public.claim_files (path, order_id, kind, created_at)
        select '1/a.webp', max(id), 'photo', now() - interval '3 days' from public.orders`,
  ],
  [
    'review requests',
    'queue_review_requests',
    `update public.orders set fulfilment = 'delivered', delivered_at = now() - interval '8 days', status = 'COMPLETED',
       payment_status = 'COMPLETED', items = (select jsonb_agg(jsonb_build_object('product_id', id)) from public.products)`,
  ],
  [
    'cart mails',
    'queue_cart_mails',
    `insert into auth.users (id, email, email_confirmed_at) values (gen_random_uuid(), 'left@example.com', now())`,
    `update public.orders set user_id = (select id from auth.users where email = 'left@example.com'),
       customer_email = 'left@example.com', hold_state = 'released', status = 'FAILED', payment_status = 'FAILED',
       release_reason = 'expired', ended_by = 'customer', released_at = now() - interval '4 hours',
       items = (select jsonb_agg(jsonb_build_object('product_id', id, 'quantity', 1)) from public.products)
       where id = (select max(id) from public.orders)`,
  ],
  [
    'forget',
    'forget',
    `update public.heartbeats set last_at = now() - interval '21 hours' where name = 'forget'`,
  ],
];

test('whatever is due has its part run', async () => {
  await eachRow(due, async ([part, calls, ...make]) => {
    await reset();
    await stack.addProduct();
    await stack.sql(
      `insert into public.orders (merchant_transaction_id, customer_name, customer_email, customer_phone, customer_address,
        customer_city, customer_postal_code, items, subtotal_paise, fee_paise, total_paise, fee_bps, razorpay_order_id)
        values ('KSV-1', 'A', 'a@example.com', '1', 'A', 'A', '680001', '[]', 100, 0, 100, 0, 'order_00000000000001')`,
    );
    const [begin] = await settle();
    const parts = begin?.body['p_steps'] as string[];
    const idle = (): Promise<string[]> =>
      stack.value(
        'select private.idle_steps($1, $2, $3, $4)',
        JSON.stringify(begin?.body['p_settings']),
        begin?.body['p_claim_days'],
        begin?.body['p_review_days'],
        begin?.body['p_cart_hours'],
      );
    // Every part has its rule; one without would run each time. And every rule is looked at here.
    expect((await idle()).toSorted()).toEqual(parts.toSorted());
    expect(due.map(([name]) => name)).toEqual(expect.arrayContaining(parts));
    for (const statement of make) await stack.sql(statement);
    expect(await idle()).not.toContain(part);
    const called = (await callsOfSweep()).map(({ url }) => url.slice(url.lastIndexOf('/') + 1));
    expect(called).toContain(calls);
    expect(called).toContain('note_sweep');
  });
});
