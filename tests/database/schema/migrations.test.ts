import { describe, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';

/* What Supabase's advisors would say about the migrated database. */
const postgres = await useDatabase();

const names = (sql: string): Promise<string[]> => postgres.column(sql);

describe('the advisors find', () => {
  test.each([
    [
      'table without row level security',
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity`,
      `create table public.mistake (id int)`,
    ],
    [
      'view that runs with its owner’s rights',
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
       and not coalesce(reloptions::text like '%security_invoker=%', false)`,
      `create view public.mistake as select 1 as one`,
    ],
    [
      'function whose search path the caller could choose',
      `select p.oid::regprocedure::text as name from pg_proc p where p.pronamespace::regnamespace::text in ('public', 'private')
       and not coalesce('search_path=""' = any (p.proconfig), false)`,
      `create function public.mistake() returns int language sql as 'select 1'`,
    ],
    [
      'function in public that a browser may execute',
      `select p.oid::regprocedure::text || ' by ' || r.role as name from pg_proc p, unnest(array['anon', 'authenticated', 'authenticator', 'public']) r (role)
       where p.pronamespace = 'public'::regnamespace and has_function_privilege(r.role, p.oid, 'execute')`,
      `create function public.mistake() returns int language sql as 'select 1'; grant execute on function public.mistake() to anon`,
    ],
    [
      'function in public that the service may not execute',
      `select p.oid::regprocedure::text as name from pg_proc p
       where p.pronamespace = 'public'::regnamespace and not has_function_privilege('service_role', p.oid, 'execute')`,
      `create function public.mistake() returns int language sql as 'select 1'; revoke all on function public.mistake() from public, service_role`,
    ],
    [
      'foreign key without an index that begins with it',
      `select c.conrelid::regclass || ' ' || c.conname as name from pg_constraint c
       where c.contype = 'f' and c.connamespace = 'public'::regnamespace and not exists (
         select 1 from pg_index i where i.indrelid = c.conrelid and i.indpred is null
           and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey)`,
      `create table public.mistake (id bigint references public.orders)`,
    ],
    [
      'second policy for the same table, role and action',
      `select tablename || ' ' || role || ' ' || cmd as name from pg_policies, unnest(roles) role where schemaname = 'public'
       group by tablename, role, cmd having count(*) > 1`,
      `create policy mistake_1 on public.orders for select to authenticated using (true); create policy mistake_2 on public.orders for select to authenticated using (true)`,
    ],
    [
      'table that is granted to everyone',
      `select table_name || ' ' || privilege_type as name from information_schema.role_table_grants where table_schema = 'public' and grantee = 'PUBLIC'`,
      `grant select on public.orders to public`,
    ],
  ])('no %s', async (_name, query, mistake) => {
    expect(await names(query)).toEqual([]);
    await postgres.run('begin');
    try {
      await postgres.run(mistake);
      expect(await names(query), `found: ${mistake}`).not.toEqual([]);
    } finally {
      await postgres.run('rollback');
    }
  });

  test('one function in private that a customer’s policy needs, and no other', async () => {
    expect(
      await names(
        `select p.oid::regprocedure::text as name from pg_proc p, unnest(array['anon', 'authenticated', 'public']) r (role)
       where p.pronamespace = 'private'::regnamespace and has_function_privilege(r.role, p.oid, 'execute')`,
      ),
    ).toEqual(['private.own_order_ids()']);
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
});
