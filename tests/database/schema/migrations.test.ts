import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { platformFee } from '../../../src/domain/money.ts';
import { readMigrations } from '../support/database.ts';
import { useDatabase } from '../support/postgres.ts';

/* The migrations on a real PostgreSQL 18, and what Supabase's advisors would say about the result. */
const postgres = await useDatabase();

/** One file a subject, the grants last; each later file is one change. */
const readFirstRelease = async (): Promise<Awaited<ReturnType<typeof readMigrations>>> => {
  const files = await readMigrations();
  return files.slice(0, files.findIndex(({ name }) => name.endsWith('_grants.sql')) + 1);
};

const names = (sql: string): Promise<string[]> => postgres.column(sql);

describe('the migrations', () => {
  test('run on PostgreSQL 18, and on 17 by `npm run test:postgres-17`', async () => {
    expect(
      await postgres.value(`select current_setting('server_version_num')::int / 10000 as version`),
    ).toEqual(process.env['EMBEDDED_POSTGRES'] === undefined ? 18 : 17);
    expect(
      await names(
        `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
      ),
    ).toContain('orders');
  });

  test('have names that say their order', async () => {
    const files = (await readMigrations()).map(({ name }) => name);
    expect(files.filter((name) => !/^\d{14}_[a-z_]+\.sql$/u.test(name))).toEqual([]);
    expect(new Set(files.map((name) => name.slice(0, 14))).size).toBe(files.length);
  });

  test('refuse to run twice, and leave everything as it was; the grants may be run again', async () => {
    const state = (): Promise<unknown> =>
      postgres.query(
        `select c.oid::regclass::text as name, c.relacl::text as acl from pg_class c where c.relnamespace = 'public'::regnamespace
         union all select p.oid::regprocedure::text, p.proacl::text from pg_proc p where p.pronamespace::regnamespace::text in ('public', 'private')
         order by 1`,
      );
    const before = await state();
    for (const { name, sql } of await readFirstRelease()) {
      await postgres.run('begin');
      const again = postgres.run(sql);
      if (name.endsWith('_grants.sql')) {
        await again;
        expect(await state()).toEqual(before);
      } else {
        await expect(again).rejects.toThrow(/already exists/u);
      }
      await postgres.run('rollback');
    }
    expect(await state()).toEqual(before);
  });

  test('create every function once, and change it by `create or replace` in a later file', async () => {
    const created = new Set<string>();
    const wrong = (await readMigrations()).flatMap(({ name, sql }) =>
      [...sql.matchAll(/^create (or replace )?function (\S+?)(?=\()/gmu)].flatMap(
        ([, replaces, definition = '']) => {
          const isRight = created.has(definition) === (replaces !== undefined);
          created.add(definition);
          return isRight ? [] : [`${name}: ${definition}`];
        },
      ),
    );
    expect(created.size).toBeGreaterThan(50);
    expect(wrong).toEqual([]);
  });

  test('the migrations of the first release grant in one file, the last', async () => {
    const files = await readFirstRelease();
    const granting = files.filter(({ sql }) => /^grant /mu.test(sql)).map(({ name }) => name);
    expect(granting).toEqual(files.slice(-1).map(({ name }) => name));
  });

  test('give accounts that were there before a profile', async () => {
    const accounts = (await readMigrations()).find(({ name }) => name.endsWith('_accounts.sql'));
    const backfill =
      /insert into public\.profiles[^;]+from auth\.users[^;]+;/u.exec(accounts?.sql ?? '')?.[0] ??
      'no such statement';
    await postgres.run(
      `insert into auth.users (email, raw_user_meta_data) values ('early@example.com', '{"name": "Early"}'); delete from public.profiles;`,
    );
    await postgres.run(backfill);
    expect(await postgres.query('select email, full_name from public.profiles')).toEqual([
      { email: 'early@example.com', full_name: 'Early' },
    ]);
  });
});

/** Expects that a query finds nothing, and that it finds a mistake that is made on purpose. */
async function expectNone(query: string, mistake: string): Promise<void> {
  expect(await names(query)).toEqual([]);
  await postgres.run('begin');
  try {
    await postgres.run(mistake);
    expect(await names(query), `found: ${mistake}`).not.toEqual([]);
  } finally {
    await postgres.run('rollback');
  }
}

describe('the advisors find', () => {
  test('no table without row level security', async () => {
    await expectNone(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity`,
      `create table public.mistake (id int)`,
    );
  });

  test('no view that runs with its owner’s rights', async () => {
    await expectNone(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
       and not coalesce(reloptions::text like '%security_invoker=%', false)`,
      `create view public.mistake as select 1 as one`,
    );
  });

  test('no function whose search path the caller could choose', async () => {
    await expectNone(
      `select p.oid::regprocedure::text as name from pg_proc p where p.pronamespace::regnamespace::text in ('public', 'private')
       and not coalesce('search_path=""' = any (p.proconfig), false)`,
      `create function public.mistake() returns int language sql as 'select 1'`,
    );
  });

  test('no function in public that a browser may execute', async () => {
    await expectNone(
      `select p.oid::regprocedure::text || ' by ' || r.role as name from pg_proc p, unnest(array['anon', 'authenticated', 'authenticator', 'public']) r (role)
       where p.pronamespace = 'public'::regnamespace and has_function_privilege(r.role, p.oid, 'execute')`,
      `create function public.mistake() returns int language sql as 'select 1'; grant execute on function public.mistake() to anon`,
    );
  });

  test('no function of the shop that the service may not execute', async () => {
    await expectNone(
      `select p.oid::regprocedure::text as name from pg_proc p
       where p.pronamespace = 'public'::regnamespace and not has_function_privilege('service_role', p.oid, 'execute')`,
      `create function public.mistake() returns int language sql as 'select 1'; revoke all on function public.mistake() from public, service_role`,
    );
  });

  test('one function in private that a customer’s policy needs, and no other', async () => {
    expect(
      await names(
        `select p.oid::regprocedure::text as name from pg_proc p, unnest(array['anon', 'authenticated', 'public']) r (role)
       where p.pronamespace = 'private'::regnamespace and has_function_privilege(r.role, p.oid, 'execute')`,
      ),
    ).toEqual(['private.own_order_ids()']);
  });

  test('no foreign key without an index that begins with it', async () => {
    await expectNone(
      `select c.conrelid::regclass || ' ' || c.conname as name from pg_constraint c
       where c.contype = 'f' and c.connamespace = 'public'::regnamespace and not exists (
         select 1 from pg_index i where i.indrelid = c.conrelid and i.indpred is null
           and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey)`,
      `create table public.mistake (id bigint references public.orders)`,
    );
  });

  test('no index twice', async () => {
    await expectNone(
      `select string_agg(indexrelid::regclass::text, ' = ') as name from pg_index
       where indrelid::regclass::text not like 'pg_%' and indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
       group by indrelid, indkey::text, coalesce(pg_get_expr(indexprs, indrelid), ''), coalesce(pg_get_expr(indpred, indrelid), ''), indoption::text
       having count(*) > 1`,
      `create index mistake_1 on public.orders (customer_city); create index mistake_2 on public.orders (customer_city)`,
    );
  });

  test('no policy that asks who it is once a row, trusts user metadata, or is open to all roles', async () => {
    const policies = await postgres.query<{ name: string; text: string; roles: string }>(
      `select tablename || ': ' || policyname as name, coalesce(qual, '') || ' ' || coalesce(with_check, '') as text, roles::text
       from pg_policies where schemaname = 'public'`,
    );
    expect(policies.length).toBeGreaterThanOrEqual(4);
    const bare = /(?<!SELECT )(?:auth\.(?:uid|jwt|role)|private\.own_order_ids)\(\)/u;
    expect(
      ['(user_id = auth.uid())', '(user_id = ( SELECT auth.uid() AS uid))'].map((text) =>
        bare.test(text),
      ),
    ).toEqual([true, false]);
    expect(
      policies.filter(({ text }) => bare.test(text) || text.includes('user_metadata')),
    ).toEqual([]);
    expect(policies.filter(({ roles }) => roles === '{public}')).toEqual([]);
  });

  test('no two policies for the same table, role and action', async () => {
    await expectNone(
      `select tablename || ' ' || role || ' ' || cmd as name from pg_policies, unnest(roles) role where schemaname = 'public'
       group by tablename, role, cmd having count(*) > 1`,
      `create policy mistake_1 on public.orders for select to authenticated using (true); create policy mistake_2 on public.orders for select to authenticated using (true)`,
    );
  });

  test('no security-relevant setting left to chance: nothing is granted to everyone', async () => {
    await expectNone(
      `select table_name || ' ' || privilege_type as name from information_schema.role_table_grants where table_schema = 'public' and grantee = 'PUBLIC'`,
      `grant select on public.orders to public`,
    );
  });
});

test('the fee is the same in SQL and in the browser, for any subtotal and fee', async () => {
  const subtotals = fc.integer({ min: 0, max: 100_000_000_000 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(subtotals, fc.integer({ min: 0, max: 10_000 })), {
        minLength: 200,
        maxLength: 200,
      }),
      async (pairs) => {
        // Halves are where rounding differs: each pair is also tried at the subtotals around them.
        const all = [
          ...pairs,
          ...pairs.map(([subtotal]): [number, number] => [subtotal, 236]),
          ...[0, 1, 21, 22, 106, 107, 625, 1_875].map((n): [number, number] => [n, 800]),
          ...[4_999, 5_000, 14_999, 15_000].map((n): [number, number] => [n, 1]),
        ];
        const rows = await postgres.query<{ fee: string }>(
          'select private.platform_fee(s, b) as fee from unnest($1::bigint[], $2::int[]) with ordinality t (s, b, i) order by i',
          all.map(([subtotal]) => subtotal),
          all.map(([, bps]) => bps),
        );
        expect(rows.map(({ fee }) => Number(fee))).toEqual(
          all.map(([subtotal, bps]) => platformFee(subtotal, bps)),
        );
      },
    ),
    { numRuns: 50 },
  );
});
