import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import sweepEndpoint from '../../../netlify/functions/payment-sweep.ts';
import { eachRow } from '../../each-row.ts';
import { serveFetch, type Served } from '../support/serve-fetch.ts';
import { useStack, type Answer } from '../support/stack.ts';

const stack = await useStack();
/** The deployed site, up to date with the catalogue. */
let site: Served;

const liveVersion = (): Promise<number> =>
  stack.value('select version::int from public.catalogue_version');
const deploy = async (): Promise<void> => {
  built = { version: await liveVersion(), builtAt: new Date().toISOString() };
};
let built = { version: 0, builtAt: '' };

beforeAll(async () => {
  site = await serveFetch(() => Response.json(built));
});
afterAll(async () => {
  await site.close();
});
beforeEach(async () => {
  await stack.database.reset();
  await stack.sql(
    `insert into public.reconciliations (from_at, to_at, payments) values (now(), now(), 0)`,
  );
  vi.stubEnv('URL', site.url);
  stack.mail.reset();
  stack.razorpay.reset();
});

const sweep = (): Promise<Answer> =>
  stack.call(sweepEndpoint, '/.netlify/functions/payment-sweep', { method: 'POST', body: '{}' });

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

const lastSweep = (): Promise<Date> =>
  stack.value(`select last_at from public.heartbeats where name = 'sweep'`);

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
  expect((await lastSweep()).getTime()).toBeGreaterThan(before.getTime());
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

/** What makes each part of a sweep due, one after the other in a shop at rest. */
const due: readonly { part: string; make: string; undo?: string }[] = [
  {
    part: 'silence',
    make: `update public.heartbeats set last_at = now() - interval '16 minutes' where name = 'sweep'`,
  },
  {
    part: 'silence',
    make: `insert into public.payments (payment_id, razorpay_order_id, amount_paise, currency, state, created_at)
      values ('pay_00000000000001', 'order_00000000000001', 100, 'INR', 'unmatched', now() - interval '2 hours')`,
    undo: 'delete from public.payments',
  },
  {
    part: 'settings',
    make: `update public.shop_settings set invoice_prefix = 'OLD'`,
  },
  {
    part: 'back in stock',
    make: `insert into public.stock_alerts (product_id, email, confirmed_at)
      select id, 'a@example.com', now() from public.products where stock > 0 limit 1`,
  },
  {
    part: 'outbox',
    make: `insert into public.outbox (kind, recipient, dedupe_key) values ('contact_copy', 'a@example.com', 'waiting')`,
    undo: 'delete from public.outbox',
  },
  {
    part: 'refunds',
    make: `insert into public.payments (payment_id, razorpay_order_id, amount_paise, currency, state)
        values ('pay_00000000000001', 'order_00000000000001', 100, 'INR', 'unmatched');
      insert into public.refunds (payment_id, amount_paise, reason, idempotency_key) values ('pay_00000000000001', 100, 'x', 'key')`,
  },
  {
    part: 'poll refunds',
    make: `update public.refunds set state = 'requested', next_attempt_at = now()`,
    undo: 'delete from public.refunds; delete from public.payments',
  },
  {
    part: 'payment origins',
    make: `insert into public.payments (payment_id, razorpay_order_id, amount_paise, currency, state, reason)
      values ('pay_00000000000001', 'order_00000000000001', 100, 'INR', 'unmatched', 'origin_unknown')`,
    undo: 'delete from public.payments',
  },
  {
    part: 'reconcile',
    make: `update public.reconciliations set finished_at = now() - interval '25 hours'`,
  },
  {
    part: 'reconcile',
    make: 'update public.provider_health set reconcile = true',
  },
  {
    part: 'catalogue',
    make: `insert into public.builds (requested_by, state) values ('deploy', 'published')`,
  },
  {
    part: 'catalogue',
    make: `update public.heartbeats set rest = jsonb_set(rest, '{until}', to_jsonb(now() - interval '1 second')) where name = 'sweep'`,
  },
  {
    part: 'catalogue',
    // The hour is in it.
    make: `update public.heartbeats set rest = jsonb_set(rest, '{state}', '"another"') where name = 'sweep'`,
  },
  {
    part: 'catalogue',
    make: `insert into public.pictures (path, uploaded_at) values ('products/a.webp', now() - interval '2 days')`,
  },
  {
    part: 'forget',
    make: `update public.heartbeats set last_at = now() - interval '21 hours' where name = 'forget'`,
  },
];

test('whatever is due has its part run', async () => {
  await stack.addProduct();
  const [begin] = await settle();
  const parts = begin?.body['p_steps'] as string[];
  const args = [begin?.body['p_settings'], begin?.body['p_claim_days']];
  const idle = (): Promise<string[]> =>
    stack.value('select private.idle_steps($1, $2)', JSON.stringify(args[0]), args[1]);
  // Every part has its rule; one without would run each time.
  expect((await idle()).toSorted()).toEqual(parts.toSorted());
  await eachRow(due, async ({ part, make, undo }) => {
    await settle();
    expect(await idle()).toContain(part);
    for (const statement of make.split(';')) await stack.sql(statement);
    expect(await idle()).not.toContain(part);
    await sweep();
    for (const statement of undo?.split(';') ?? []) await stack.sql(statement);
  });
});
