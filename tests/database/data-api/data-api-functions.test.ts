import { expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { findCalls } from './calls-in-sources.ts';

/*
 * The SQL functions that the shop calls through the Data API, on a project that grants nothing by itself. The functions' tests call
 * each with its arguments.
 */
const database = await useDatabase('explicitGrants');

test('the database has every function that the shop calls, for the service alone', async () => {
  const called = findCalls().flatMap((call) => (call.startsWith('rpc ') ? [call.slice(4)] : []));
  expect(called.length).toBeGreaterThan(100);
  const functions = await database.query<{ name: string; roles: string[] }>(
    `select p.proname::text as name, array_agg(distinct r.role) as roles
     from pg_proc p, unnest(array['anon', 'authenticated', 'service_role']) r (role)
     where p.pronamespace = 'public'::regnamespace and has_function_privilege(r.role, p.oid, 'execute') group by 1`,
  );
  const callers = new Map(functions.map(({ name, roles }) => [name, roles.join()]));
  expect(called.filter((name) => callers.get(name) !== 'service_role')).toEqual([]);
});
