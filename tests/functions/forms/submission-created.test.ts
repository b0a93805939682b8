import { beforeEach, expect, test } from 'vitest';
import submissionCreated from '#netlify/functions/submission-created.ts';
import { useStack, type Answer } from '#tests/functions/support/stack.ts';
import { eachRow } from '#tests/each-row.ts';

const stack = await useStack();

beforeEach(() => stack.sql('truncate public.form_entries, public.costs restart identity'));

const submit = (payload: unknown, ip = '203.0.113.9'): Promise<Answer> =>
  stack.post(
    submissionCreated,
    '/.netlify/functions/submission-created',
    { payload },
    { context: { ip } },
  );
const submitOrder = (data: Readonly<Record<string, unknown>>, ip?: string): Promise<Answer> =>
  submit({ form_name: 'order', data }, ip);
const entries = (): Promise<Record<string, unknown>[]> =>
  stack.sql('select form, fields from public.form_entries order by id');
/** Uses up a limit of the order forms. */
test("the fields of an order form are stored, without the platform's data about the visitor", async () => {
  const fields = { name: 'Anjali', products: 'Ring × 1', total: '1023.60' };
  const added = { ip: '203.0.113.9', user_agent: 'x', referrer: 'y' };
  expect(await submitOrder({ ...fields, ...added })).toMatchObject({
    status: 200,
    json: { stored: true },
  });
  expect(await entries()).toEqual([{ form: 'order', fields }]);
});

test('a robot that fills the trap is thanked, and nothing is stored', async () => {
  expect(await submitOrder({ name: 'x', 'bot-field': 'y' })).toMatchObject({
    json: { stored: false },
  });
  expect(await entries()).toEqual([]);
});

test('files, nested values and fields that the form does not have are left out', async () => {
  await submitOrder({ name: 'kept', notes: { url: 'https://x' }, city: [1], field7: 'x' });
  expect(await entries()).toEqual([{ form: 'order', fields: { name: 'kept' } }]);
});

test('a field is cut at 2,000 characters and a form at 8,000, so that a long cart keeps its form', async () => {
  const long = 'x'.repeat(6_000);
  await submitOrder({
    name: 'Devika',
    address: long,
    city: long,
    notes: long,
    total: long,
    products: long,
  });
  const [entry] = (await entries()) as { fields: Record<string, string> }[];
  const lengths = Object.entries(entry?.fields ?? {}).map(([name, { length }]) => [name, length]);
  expect(Object.fromEntries(lengths)).toEqual({
    name: 6,
    address: 2_000,
    city: 2_000,
    notes: 2_000,
    total: 1_994,
  });
  expect(entry?.fields['address']).toMatch(/x…$/u);
});

test('a caller is their network, whatever address the body claims', async () => {
  for (let count = 0; count < 20; count += 1)
    expect((await submitOrder({ name: 'x' })).json).toEqual({ stored: true });
  expect((await submitOrder({ name: 'x', ip: '198.51.100.7' })).json).toEqual({ stored: false });
  expect((await submitOrder({ name: 'x' }, '198.51.100.7')).json).toEqual({ stored: true });
});

test("a payload that is not one of the shop's forms is refused", () =>
  eachRow(
    [
      null,
      {},
      { form_name: 'order' },
      { form_name: 'contact', data: {} },
      { form_name: 'made-up', data: { name: 'x' } },
      { form_name: '../order', data: {} },
      { form_name: '', data: {} },
      { form_name: 'order', data: [] },
      { form_name: 'order', data: { name: 'a\u0000' } },
      { form_name: 'order', data: { notes: 'half \ud83d' } },
    ],
    async (payload) => {
      expect(await submit(payload)).toMatchObject({ status: 400 });
      expect(await entries()).toEqual([]);
    },
  ));
