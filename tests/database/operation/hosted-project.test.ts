import { expect, test } from 'vitest';
import type { ShopDatabase } from '#tests/database/support/shop-database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';

/*
 * The particulars of a hosted project (`local/emulators/supabase/database/hosted-project.sql` has its roles and privileges): all tests of the database
 * run the migrations as its postgres, who is no superuser. PostgreSQL 18 alone: the package of 17 is not installed.
 */
const [exposed, explicit] = [await useDatabase(), await useDatabase('explicitGrants')];

/** The rights on each schema, table, column, sequence and function of the shop, but the owner's, one line each. */
const privileges = (database: ShopDatabase): Promise<string[]> =>
  database.column(`with objects as (
         select oid::regnamespace::text as name, nspacl as acl from pg_namespace where nspname in ('public', 'private')
         union all
         select oid::regclass::text, relacl from pg_class where relnamespace::regnamespace::text in ('public', 'private')
         union all
         select attrelid::regclass || '.' || attname, attacl from pg_attribute where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
         union all
         select oid::regprocedure::text, proacl from pg_proc where pronamespace::regnamespace::text in ('public', 'private')
       )
       select name || ' ' || privilege_type || ' ' || grantee::regrole as line from objects, aclexplode(acl)
       where grantee::regrole::text <> 'postgres' order by 1`);

test('a project that hands new tables to the API ends with the privileges of one that does not, as all since 30 October 2026', async () => {
  const [before, since] = [await privileges(exposed), await privileges(explicit)];
  expect(since.length).toBeGreaterThan(100);
  expect(since).toEqual(before);
});

/** The text without what is in parentheses, comments and quotes: the clauses of the statement itself. */
function outermost(statement: string): string {
  let text = statement.replaceAll(/--.*$/gmu, '').replaceAll(/'(?:[^']|'')*'/gu, "''");
  for (let before = ''; before !== text;)
    [before, text] = [text, text.replaceAll(/\([^()]*\)/gu, ' ')];
  return text;
}
const changing =
  /\b(?:delete\s+from|update\s+(?!skip\b|of\b)[\w."]+(?:\s+(?:as\s+)?\w+)?\s+set)\b/iu;
const isRefused = (statement: string): boolean =>
  changing.test(outermost(statement)) && !/\bwhere\b/iu.test(outermost(statement));

test('no statement in a function of the shop changes every row without a condition, which safeupdate of the Data API refuses', async () => {
  const functions = await exposed.query<{ name: string; source: string }>(
    `select oid::regprocedure::text as name, prosrc as source from pg_proc where pronamespace::regnamespace::text in ('public', 'private')`,
  );
  const statements = functions.flatMap(({ name, source }) =>
    source.split(';').map((statement) => ({ name, statement })),
  );
  expect(
    statements.filter(({ statement }) => changing.test(outermost(statement))).length,
  ).toBeGreaterThan(30);
  expect(
    statements
      .filter(({ statement }) => isRefused(statement))
      .map(({ name, statement }) => `${name}: ${statement.trim()}`),
  ).toEqual([]);
});
