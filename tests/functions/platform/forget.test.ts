import { expect, test } from 'vitest';
import { forgetWhenDue } from '#core/scheduled/forget.ts';
import { useStack } from '#tests/functions/support/stack.ts';

const stack = await useStack();

const entries = (): Promise<unknown[]> =>
  stack.column('select form from public.form_entries order by id');
const addOld = (rows: number): Promise<unknown> =>
  stack.sql(
    `insert into public.form_entries (form, created_at) select 'old', now() - interval '91 days' from generate_series(1, $1)`,
    rows,
  );
const makeDue = (): Promise<unknown> =>
  stack.sql(`update public.heartbeats set last_at = null where name = 'forget'`);

test('a sweep deletes what is older than its term, once a day', async () => {
  await makeDue();
  await addOld(1);
  await stack.sql(`insert into public.form_entries (form) values ('new')`);
  await stack.sweep();
  expect(await entries()).toEqual(['new']);
  await addOld(1);
  expect(await forgetWhenDue(Date.now() + 30_000)).toEqual({});
  expect(await entries()).toEqual(['new', 'old']);
});

test('a first run on a large shop stops at its deadline, and the next one ends the rest', async () => {
  await stack.sql('delete from public.form_entries where true');
  await makeDue();
  await addOld(1_200);
  expect(await forgetWhenDue(Date.now())).toEqual({});
  expect(await entries()).toHaveLength(1_200);
  expect(await forgetWhenDue(Date.now() + 30_000)).toEqual({ order_forms: 1_200 });
  expect(await entries()).toEqual([]);
});
