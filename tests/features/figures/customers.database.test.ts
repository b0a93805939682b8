import { beforeEach, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId } from '#tests/database/support/shop-database.ts';

const database = await useDatabase();
let ring = '';
beforeEach(async () => {
  await database.run(
    'truncate public.orders, public.products, auth.users restart identity cascade',
  );
  ring = await database.addProduct({ price: 1_000, stock: 100 });
});

interface Customer {
  name: string;
  orders: number;
  paise: number;
  account: boolean;
  lastOrderId: number;
}
const list = (
  sort = 'recent',
  { all = [] as string[], any = [] as string[], offset = 0, limit = 50 } = {},
): Promise<{ total: number; customers: Customer[] }> =>
  database.value('select public.list_customers($1, $2, $3, $4, $5)', all, any, sort, offset, limit);
const place = async (id: number): Promise<unknown> => {
  const answer = await database.value<{ customer: unknown }>('select public.read_order($1)', id);
  return answer.customer;
};
async function bought(
  customer: string,
  details: Record<string, string>,
  quantity = 1,
): Promise<{ id: number; total_paise: number; payment: string }> {
  const order = await database.placeOpen(customer, [{ product_id: ring, quantity }], { details });
  const payment = newPaymentId();
  expect(await database.markPaid(order, payment)).toBe('paid');
  return { ...order, payment };
}
const summary = ({ customers }: { customers: Customer[] }) =>
  customers.map(({ name, orders, paise }) => [name, orders, paise]);

test('an account is one customer whatever phone and address its orders have, and two accounts with one phone are two', async () => {
  const [anjali, devika] = [await database.addCustomer(), await database.addCustomer()];
  const first = await bought(anjali, { name: 'Anjali', phone: '+91 98470 12345' });
  const second = await bought(
    anjali,
    { name: 'Anjali', phone: '0484 2345678', email: 'mother@example.com' },
    2,
  );
  const other = await bought(devika, { name: 'Devika', phone: '9847012345' });
  expect(summary(await list('spent'))).toEqual([
    ['Anjali', 2, 307_080],
    ['Devika', 1, 102_360],
  ]);
  expect([await place(first.id), await place(second.id), await place(other.id)]).toEqual([
    { nth: 1, orders: 2 },
    { nth: 2, orders: 2 },
    { nth: 1, orders: 1 },
  ]);
});

test('an order without an account belongs to the customer of its phone, else of its e-mail address', async () => {
  const asha = { name: 'Asha', phone: '98470 12345', email: 'asha@example.com' };
  const bala = { name: 'Bala', phone: '94460 00001', email: 'bala@example.com' };
  for (const person of [asha, bala]) await bought(await database.addCustomer(), person);
  const imported: number[] = [];
  for (const [name, phone, email] of [
    ['Asha', '+919847012345', bala.email],
    ['Asha', '', 'Asha@Example.com'],
    ['Gita', '94460 00002', 'gita@example.com'],
    ['Gita', '094460 00002', ''],
    ['Hema', '', 'hema@example.com'],
    ['Hema', '', 'HEMA@example.com'],
  ] as const) {
    const { id } = await bought(await database.addCustomer(), { name });
    await database.query(
      'update public.orders set user_id = null, customer_phone = $2, customer_email = $3 where id = $1',
      ...[id, phone, email],
    );
    imported.push(id);
  }
  expect(summary(await list())).toEqual([
    ['Hema', 2, 204_720],
    ['Gita', 2, 204_720],
    ['Asha', 3, 307_080],
    ['Bala', 1, 102_360],
  ]);
  const places = [];
  for (const id of imported) places.push(await place(id));
  expect(places).toEqual([
    { nth: 2, orders: 3 },
    { nth: 3, orders: 3 },
    { nth: 1, orders: 2 },
    { nth: 2, orders: 2 },
    { nth: 1, orders: 2 },
    { nth: 2, orders: 2 },
  ]);
});

test('refunds are subtracted; cancelled, unpaid and wholly refunded orders count as none', async () => {
  const customer = await database.addCustomer();
  const kept = await bought(customer, {});
  const back = await bought(customer, {});
  const gone = await bought(customer, {});
  const { id: open } = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
  await database.requestRefund(kept.id, 10_000);
  await database.requestRefund(back.id, back.total_paise);
  await database.finishRefund((await database.refundsOf(back.payment))[0]?.id ?? 0, 'rfnd_all');
  await database.cancel(gone.id);
  expect(await list()).toMatchObject({
    total: 1,
    customers: [{ orders: 1, paise: 92_360, account: true, lastOrderId: kept.id }],
  });
  expect([await place(kept.id), await place(back.id), await place(open)]).toEqual([
    { nth: 1, orders: 1 },
    { nth: null, orders: 1 },
    { nth: null, orders: 1 },
  ]);
});

test('customers are searched by what their orders say, sorted, and read page by page with each of them once', async () => {
  for (let n = 0; n < 7; n += 1) {
    const customer = await database.addCustomer();
    const details = { name: `Customer ${String(n)}`, phone: `98470 0000${String(n)}` };
    for (let times = 0; times <= n % 3; times += 1) await bought(customer, details, 1 + (n % 2));
  }
  const names = (page: { customers: Customer[] }) => page.customers.map(({ name }) => name);
  const pages = [];
  for (const offset of [0, 3, 6]) pages.push(await list('spent', { offset, limit: 3 }));
  expect(pages.flatMap(names)).toEqual(names(await list('spent')));
  expect(names(await list('recent'))[0]).toBe('Customer 6');
  expect(summary(await list('spent'))[0]).toEqual(['Customer 5', 3, 614_160]);
  expect(await list('recent', { all: ['%customer 5%'] })).toMatchObject({
    total: 1,
    customers: [{ name: 'Customer 5', orders: 3 }],
  });
  expect(names(await list('recent', { any: ['%00004$', '%#999999 %'] }))).toEqual(['Customer 4']);
  expect(await list('recent', { all: ['%nobody%'] })).toEqual({ total: 0, customers: [] });
});
