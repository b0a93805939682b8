import { afterAll, beforeAll, expect, test } from 'vitest';
import submissionCreated from '../../../netlify/functions/submission-created.ts';
import { startStack, type Answer, type Stack } from '../support/stack.ts';
import { eachRow } from '../../each-row.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const submit = (payload: unknown): Promise<Answer> =>
  stack.call(submissionCreated, '/.netlify/functions/submission-created', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payload }),
  });
const entries = (form: string): Promise<Record<string, unknown>[]> =>
  stack.database.sql('select fields from public.form_entries where form = $1', form);

test('the words of a form are kept, without what the platform adds about the visitor', async () => {
  const data = {
    name: 'Anjali',
    products: 'Ring × 1',
    total: '1023.60',
    ip: '203.0.113.9',
    user_agent: 'x',
    referrer: 'y',
  };
  expect(await submit({ form_name: 'checkout', data })).toMatchObject({
    status: 200,
    json: { stored: true },
  });
  expect(await entries('checkout')).toEqual([
    { fields: { name: 'Anjali', products: 'Ring × 1', total: '1023.60' } },
  ]);
});

test('a robot that filled the trap is thanked and not kept', async () => {
  expect(await submit({ form_name: 'trap', data: { name: 'x', 'bot-field': 'y' } })).toMatchObject({
    json: { stored: false },
  });
  expect(await entries('trap')).toEqual([]);
});

test('files, nested values and endless lists of fields are left out', async () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`field${String(index)}`, 'x']));
  await submit({ form_name: 'odd', data: { file: { url: 'https://x' }, list: [1], text: 'kept', ...many } });
  const [entry] = await entries('odd');
  const fields = entry?.['fields'] as Record<string, unknown>;
  expect(fields).toMatchObject({ text: 'kept' });
  expect(fields).not.toHaveProperty('file');
  expect(Object.keys(fields)).toHaveLength(40);
});

test('a flood of posts from one address leaves at most 60 entries', async () => {
  for (let index = 0; index < 65; index += 1)
    await submit({ form_name: 'flood', data: { index, ip: '198.51.100.7' } });
  // 30 in ten minutes; the test may run across the turn of one window.
  expect((await entries('flood')).length).toBeLessThanOrEqual(60);
  expect((await entries('flood')).length).toBeGreaterThanOrEqual(30);
});

test('a payload that is no form is refused', () =>
  eachRow([
    null,
    {},
    { form_name: 'x' },
    { form_name: '../x', data: {} },
    { form_name: '', data: {} },
    { form_name: 'x', data: [] },
  ], async (payload) => {
    expect(await submit(payload)).toMatchObject({ status: 400 });
  }),
);
