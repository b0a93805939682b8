import { afterAll, beforeEach, expect, test } from 'vitest';
import ordersEndpoint from '../../../../netlify/functions/admin-orders.ts';
import type { OldOrder } from '../../../../src/domain/admin/orders/old-orders.ts';
import { eachRow } from '../../../each-row.ts';
import { startStack } from '../../support/stack.ts';
import { logIn, setAdminPassword } from '../admin-client.ts';

const stack = await startStack();
await setAdminPassword();
const admin = await logIn(stack);
afterAll(() => {
  stack.close();
});
beforeEach(() => stack.database.sql('delete from public.old_orders'));

const order = (number: string, changes: Partial<OldOrder> = {}): OldOrder => ({
  ...{
    number,
    placedOn: '2024-08-31',
    name: 'Anjali Menon',
    phone: '98470 12345',
    email: '',
    items: '1 × Palakka ring',
    totalPaise: 149_900,
    paid: true,
    ...changes,
  },
});
const ask = (method: string, body?: unknown, query = '') =>
  admin.ask(ordersEndpoint, method, `/api/admin/old-orders${query}`, body);
const take = (orders: readonly unknown[], save = true) => ask('POST', { orders, save });

test('old orders are looked at first, taken in, found by any word, corrected by their number, and forgotten', async () => {
  const [first, second] = [
    order('2024-1'),
    order('2024-2', {
      placedOn: '2025-01-05',
      name: 'Devika',
      items: '50% off bangle',
      paid: null,
    }),
  ];
  expect(await take([first, second], false)).toMatchObject({
    status: 200,
    json: { added: 2, changed: 0, same: 0, saved: false },
  });
  expect((await ask('GET')).json).toEqual({ total: 0, orders: [] });
  expect(await take([first, second])).toMatchObject({ json: { added: 2, saved: true } });
  expect((await ask('GET')).json).toEqual({ total: 2, orders: [second, first] });
  expect((await ask('GET', undefined, '?q=ANJALI')).json).toEqual({ total: 1, orders: [first] });
  expect((await ask('GET', undefined, `?q=${encodeURIComponent('50% off')}`)).json).toEqual({
    total: 1,
    orders: [second],
  });
  const corrected = order('2024-1', { totalPaise: 139_900 });
  expect(await take([corrected, second])).toMatchObject({
    json: { added: 0, changed: 1, same: 1 },
  });
  expect((await ask('GET', undefined, '?offset=1')).json).toEqual({
    total: 2,
    orders: [corrected],
  });
  expect((await ask('DELETE', { numbers: ['2024-1', 'none'] })).json).toEqual({ removed: 1 });
  expect((await ask('GET')).json).toEqual({ total: 1, orders: [second] });
});

test('they move neither stock nor money, and two thousand are taken in at once', async () => {
  await stack.addProduct({ name: 'Palakka ring' });
  const rest = () =>
    stack.database
      .sql(`select (select jsonb_agg(p) from public.products p) as products, (select count(*) from public.orders) as orders,
    (select count(*) from public.payments) as payments, (select count(*) from public.outbox) as outbox, (select count(*) from public.invoices) as invoices`);
  const before = await rest();
  expect(
    await take(Array.from({ length: 2_000 }, (_, index) => order(`2024-${String(index)}`))),
  ).toMatchObject({ json: { added: 2_000 } });
  expect(await rest()).toEqual(before);
});

test('what is no old order is refused, and nothing is taken in', async () => {
  await eachRow<[string, unknown]>(
    [
      ['POST', { orders: [], save: true }],
      ['POST', { orders: [order('1'), order('1')], save: true }],
      ['POST', { orders: [order('1'), order('2', { placedOn: '31-08-2024' })], save: true }],
      ['POST', { orders: [order('1'), order('2', { totalPaise: -1 })], save: true }],
      ['POST', { orders: [order('1\0')], save: true }],
      ['POST', { orders: [order('1')] }],
      ['DELETE', { numbers: [] }],
    ],
    async ([method, body]) => {
      expect((await ask(method, body)).status).toBe(400);
    },
  );
  expect((await ask('GET', undefined, '?offset=x')).status).toBe(400);
  expect((await ask('GET')).json).toEqual({ total: 0, orders: [] });
});
