import { beforeEach, expect, test } from 'vitest';
import { logIn } from '#tests/functions/admin/admin-client.ts';
import { openProductRequests } from '#tests/functions/admin/products/product-requests.ts';

const { stack, stored, list } = await openProductRequests();
const admin = await logIn(stack);
beforeEach(() => stack.sql('delete from public.products'));

const ask = (action: 'delete' | 'restore', body: unknown) =>
  admin.ask('POST', `/api/admin/catalogue/${action}`, body);

test('products are deleted and brought back together', async () => {
  const ids = [(await stored()).id, (await stored()).id];
  expect(await ask('delete', { ids: [...ids, crypto.randomUUID()] })).toMatchObject({
    status: 200,
    json: { ids: [...ids].sort() },
  });
  expect((await list()).total).toBe(0);
  expect(await ask('restore', { ids })).toMatchObject({
    status: 200,
    json: { ids: [...ids].sort() },
  });
  expect((await list()).total).toBe(2);
});

test('a request without products, or with an id that is none, is refused', async () => {
  expect((await ask('delete', { ids: [] })).status).toBe(400);
  expect((await ask('restore', { ids: ['x'] })).status).toBe(400);
});
