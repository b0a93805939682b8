import { afterAll, beforeAll, expect, test } from 'vitest';
import sweepEndpoint from '../../../netlify/functions/payment-sweep.ts';
import { forgetWhenDue } from '../../../netlify/server/scheduled/forget.ts';
import { startStack, type Stack } from '../support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const entries = async (): Promise<unknown[]> =>
  (
    await stack.database.sql<{ form: string }>('select form from public.form_entries order by id')
  ).map(({ form }) => form);
const addOld = (rows: number): Promise<unknown> =>
  stack.database.sql(
    `insert into public.form_entries (form, created_at) select 'old', now() - interval '91 days' from generate_series(1, $1)`,
    rows,
  );
const makeDue = (): Promise<unknown> =>
  stack.database.sql(`update public.heartbeats set last_at = null where name = 'forget'`);

test('a sweep deletes what is older than its term, once a day', async () => {
  await makeDue();
  await addOld(1);
  await stack.database.sql(`insert into public.form_entries (form) values ('new')`);
  await stack.call(sweepEndpoint, '/.netlify/functions/payment-sweep', { method: 'POST' });
  expect(await entries()).toEqual(['new']);
  await addOld(1);
  expect(await forgetWhenDue(Date.now() + 30_000)).toEqual({});
  expect(await entries()).toEqual(['new', 'old']);
});

test('a first run on a large shop stops at its deadline, and the next one ends the rest', async () => {
  await stack.database.sql('delete from public.form_entries where true');
  await makeDue();
  await addOld(1_200);
  expect(await forgetWhenDue(Date.now())).toEqual({});
  expect(await entries()).toHaveLength(1_200);
  expect(await forgetWhenDue(Date.now() + 30_000)).toEqual({ order_forms: 1_200 });
  expect(await entries()).toEqual([]);
});
