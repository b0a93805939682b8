import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Target } from '#local/doctor/check.ts';
import { databaseChecks } from '#local/doctor/database-checks.ts';
import { readMigratedSchema } from '#local/doctor/schema-of-migrations.ts';
import { unknownNetwork } from '#core/platform/costs.ts';
import { shop } from '#settings/shop.ts';
import { eachRow } from '#tests/each-row.ts';
import { publishableKey, secretKey } from '#tests/functions/support/database-server.ts';
import { useStack } from '#tests/functions/support/stack.ts';
import { expectFault, expectHealthy, targetOf, untried } from './doctor-target.ts';

/* Faults made in a real database, behind the API that a hosted project has. */
const stack = await useStack();
let target: () => Target;
const values = (): Record<string, string> => ({
  SUPABASE_URL: stack.database.url,
  PUBLIC_SUPABASE_URL: stack.database.url,
  SUPABASE_SECRET_KEY: secretKey,
  PUBLIC_SUPABASE_PUBLISHABLE_KEY: publishableKey,
});

beforeAll(async () => {
  await readMigratedSchema();
  await stack.addProduct();
  await stack.sql(codeFrom('a-network'));
  target = () => targetOf({ env: values() });
}, 240_000);

// The embedded API tells the console of every refusal.
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

const { prefixes } = shop;
const run = async (sql: string): Promise<void> => {
  await stack.sql(sql);
};

interface Row {
  check: string;
  /** Statements that make the fault, and those that fix it. */
  make: readonly string[];
  fix: readonly string[];
  words: RegExp;
}

const codeFrom = (key: string): string =>
  `insert into costs (effect, scope, key) values ('code_mail', 'shared', '${key}')`;

const asMigrated = 'The database is as the migrations make it';
const reached = 'Supabase can be reached, and takes both keys';
const rows: readonly Row[] = [
  {
    check: 'Auth names the network of whoever requests a code',
    make: [codeFrom(unknownNetwork(secretKey))],
    fix: [`delete from costs where key = '${unknownNetwork(secretKey)}'`],
    words: /1 of the last 2 codes came from no network/u,
  },
  {
    check: 'The migrations are applied',
    make: ['alter function public.describe_schema() rename to describe_schema_before'],
    fix: ['alter function public.describe_schema_before() rename to describe_schema'],
    words: /no migration is applied/u,
  },
  {
    check: 'The migrations are applied',
    make: ['alter table public.invoices rename to invoices_before'],
    fix: ['alter table public.invoices_before rename to invoices'],
    words: /Tables are missing: invoices/u,
  },
  {
    check: 'The migrations are applied',
    make: [`delete from supabase_migrations.schema_migrations where version = '20261129000420'`],
    fix: [
      `insert into supabase_migrations.schema_migrations (version, name) values ('20261129000420', 'disputed_money')`,
    ],
    words: /^The database is at .+, this code expects one at .+ Not applied: 20261129000420/u,
  },
  {
    check: 'The migrations are applied',
    make: [
      `update supabase_migrations.schema_migrations set version = '20261120000100' where version = '20261129000300'`,
    ],
    fix: [
      `update supabase_migrations.schema_migrations set version = '20261129000300' where version = '20261120000100'`,
    ],
    words: /Not applied: 20261120000200, .+ It is older than 1\.2\.0\. Upgrade to 1\.2\.0 first/u,
  },
  {
    check: 'The database is not newer than this checkout',
    make: [
      `insert into supabase_migrations.schema_migrations (version, name) values ('29990101000000', 'later')`,
    ],
    fix: [`delete from supabase_migrations.schema_migrations where version = '29990101000000'`],
    words: /^The database is at .*29990101000000.*, this code expects one at /u,
  },
  {
    check: asMigrated,
    make: [
      'alter function private.backoff(integer) rename to backoff_before',
      `create function private.backoff(p_attempts integer) returns interval language sql immutable set search_path = '' as $$ select interval '0' $$`,
    ],
    fix: [
      'drop function private.backoff(integer)',
      'alter function private.backoff_before(integer) rename to backoff',
    ],
    words: /private\.backoff/u,
  },
  {
    check: asMigrated,
    make: ['alter table public.profiles disable row level security'],
    fix: ['alter table public.profiles enable row level security'],
    words: /profiles without row level security/u,
  },
  {
    check: asMigrated,
    make: ['create table public.notes_of_somebody (id int)'],
    fix: ['drop table public.notes_of_somebody'],
    words: /notes_of_somebody/u,
  },
  {
    check: asMigrated,
    make: ['create policy "Everyone reads" on public.payments for select to anon using (true)'],
    fix: ['drop policy "Everyone reads" on public.payments'],
    words: /Besides: policy payments: Everyone reads/u,
  },
  {
    check: asMigrated,
    make: [
      'alter policy "Everyone sees the visible products" on public.products rename to "Somebody"',
      'drop policy "Somebody" on public.products',
    ],
    fix: [
      'create policy "Everyone sees the visible products" on public.products for select to anon, authenticated using (not hidden and deleted_at is null)',
    ],
    words: /Missing or changed: policy products/u,
  },
  {
    check: asMigrated,
    make: ['grant insert on public.orders to authenticated'],
    fix: ['revoke insert on public.orders from authenticated'],
    words: /Besides: grant authenticated insert orders/u,
  },
  {
    check: asMigrated,
    make: ['grant select (network) on public.orders to authenticated'],
    fix: ['revoke select (network) on public.orders from authenticated'],
    words: /Besides: grant authenticated select orders\(network\)/u,
  },
  {
    check: asMigrated,
    make: ['revoke update (phone) on public.profiles from authenticated'],
    fix: ['grant update (phone) on public.profiles to authenticated'],
    words: /Missing or changed: grant authenticated update profiles\(phone\)/u,
  },
  {
    check: 'The database has the prefixes of this checkout',
    make: [`update public.shop_settings set order_prefix = 'XX', invoice_prefix = 'XY'`],
    fix: [
      `update public.shop_settings set order_prefix = '${prefixes.order}', invoice_prefix = '${prefixes.invoice}'`,
    ],
    words: /order_prefix is XX instead of \w+, invoice_prefix is XY/u,
  },
  {
    check: asMigrated,
    make: ['grant execute on function public.note_sweep(integer) to anon'],
    fix: ['revoke execute on function public.note_sweep(integer) from anon'],
    words: /note_sweep/u,
  },
  {
    check: 'A visitor reads the catalogue, and there is something in it',
    make: [
      'create table public.kept as select * from public.products',
      'delete from public.products',
    ],
    fix: ['drop table public.kept'],
    words: /no product/u,
  },
  {
    check: asMigrated,
    make: [`update storage.buckets set file_size_limit = null where id = 'product-images'`],
    fix: [`update storage.buckets set file_size_limit = 8388608 where id = 'product-images'`],
    words: /bucket product-images/u,
  },
  {
    check: asMigrated,
    make: [`update storage.buckets set public = false where id = 'product-images'`],
    fix: [`update storage.buckets set public = true where id = 'product-images'`],
    words: /product-images .*"public":false/u,
  },
  {
    check: asMigrated,
    make: [`update storage.buckets set public = true where id = 'claims'`],
    fix: [`update storage.buckets set public = false where id = 'claims'`],
    words: /claims .*"public":true/u,
  },
];

/** Faults of the keys and of the way to the project. */
const callRows = [
  {
    check: reached,
    env: () => ({ PUBLIC_SUPABASE_URL: 'http://127.0.0.1:9259' }),
    words: /cannot be reached \(ECONNREFUSED\)/u,
  },
  {
    check: reached,
    env: () => ({ PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_of_another_project' }),
    words: /refuses PUBLIC_SUPABASE_PUBLISHABLE_KEY/u,
  },
  {
    check: reached,
    env: () => ({ SUPABASE_SECRET_KEY: 'sb_secret_of_another_project' }),
    words: /refuses SUPABASE_SECRET_KEY/u,
  },
] as const;

test('a migrated database passes every check', async () => {
  expect(await expectHealthy(databaseChecks, target())).toEqual([]);
});

test('the doctor’s own run of the migrations makes the tables, functions and policies of a migrated database', async () => {
  const { tables, functions, policies, grants } = await readMigratedSchema();
  const [described] = await stack.sql<{ schema: object }>(
    'select public.describe_schema() as schema',
  );
  expect(described?.schema).toMatchObject({ tables, functions, policies });
  expect(Object.keys(functions).length).toBeGreaterThan(100);
  expect(grants).toEqual(
    expect.arrayContaining([
      'anon select products',
      'authenticated update profiles(full_name)',
      'authenticated select orders(total_paise)',
    ]),
  );
});

test('each fault of the database is found, with what to do', async () => {
  expect(untried(databaseChecks, [...rows, ...callRows])).toEqual([]);
  await eachRow(rows, async ({ check, make, fix, words }) => {
    for (const statement of make) await run(statement);
    try {
      await expectFault(databaseChecks, check, target(), words);
    } finally {
      for (const statement of fix) await run(statement);
    }
  });
});

test('a key of another project, and a project that does not answer, are found', async () => {
  await eachRow(callRows, ({ check, env, words }) =>
    expectFault(databaseChecks, check, targetOf({ env: { ...values(), ...env() } }), words),
  );
});
