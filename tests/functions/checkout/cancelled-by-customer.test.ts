import { expect, test } from 'vitest';
import cancelEndpoint from '../../../netlify/functions/order-cancel.ts';
import { useAdminShop } from '../support/admin-shop.ts';
import type { Answer, Shopper } from '../support/stack.ts';

const shop = await useAdminShop();
const shopper = await shop.signUp();

const cancel = (id: number, paid: boolean, by: Shopper | null = shopper): Promise<Answer> =>
  shop.post(
    cancelEndpoint,
    `/api/orders/${String(id)}/cancel`,
    { key: crypto.randomUUID(), paid },
    { ...(by === null ? {} : { token: by.token }) },
  );
const lines = async () => [
  { product_id: await shop.addProduct({ price: 1_000, stock: 5 }), quantity: 2 },
];

test('a customer cancels a paid order before it is packed: it is refunded, and customer and admin are mailed', async () => {
  const order = await shop.buy(shopper, await lines());
  shop.mail.mails.length = 0;
  expect(await cancel(order.id, true)).toMatchObject({ status: 200 });
  expect(await shop.sentBack(order.paymentId)).toEqual([order.total]);
  expect(await shop.read(order.id)).toMatchObject({ fulfilment: 'cancelled' });
  await shop.mailsSent();
  expect(shop.mail.mails.map(({ to }) => to[0]).sort()).toEqual([
    'anjali@example.com',
    'owner@kasavu.example',
  ]);
  expect(await cancel(order.id, true)).toMatchObject({ status: 200 });
  expect(await shop.sentBack(order.paymentId)).toEqual([order.total]);
});

test('a packed order is not cancelled, and the customer is told to ask', async () => {
  const order = await shop.buy(shopper, await lines());
  await shop.step(order.id, { state: 'packed' });
  expect(await cancel(order.id, true)).toMatchObject({
    status: 409,
    json: { error: 'not_possible', message: expect.stringContaining('ask us') as unknown },
  });
  expect(await shop.sentBack(order.paymentId)).toEqual([]);
});

test('an unpaid order is given up and its stock is free', async () => {
  const wanted = await lines();
  const order = await shop.place(shopper, wanted);
  expect(await cancel(order.id, false)).toMatchObject({ status: 200 });
  expect(await shop.stockOf(wanted[0]?.product_id ?? '')).toBe(5);
  expect(await shop.orderRow(order.id)).toMatchObject({
    status: 'FAILED',
    fulfilment: 'cancelled',
  });
});

test('an order whose payment the shop has not heard of is found paid, and not given up', async () => {
  const order = await shop.place(shopper, await lines());
  await shop.setFaults({ webhook: { mode: 'lost' } });
  await shop.pay(order);
  expect(await cancel(order.id, false)).toMatchObject({
    status: 409,
    json: { message: expect.stringContaining('is paid now') as unknown },
  });
  expect(await shop.orderRow(order.id)).toMatchObject({
    status: 'COMPLETED',
    fulfilment: 'new',
  });
  await shop.setFaults();
});

test('while the payment service does not answer nothing is given up', async () => {
  const order = await shop.place(shopper, await lines());
  await shop.setFaults({ api: { status: 503 } });
  expect(await cancel(order.id, false)).toMatchObject({
    status: 502,
    json: { error: 'payment_provider' },
  });
  expect(await shop.orderRow(order.id)).toMatchObject({ hold_state: 'held' });
  await shop.setFaults();
});

test('nobody cancels the order of another customer, or without an account', async () => {
  const order = await shop.place(shopper, await lines());
  expect(await cancel(order.id, false, await shop.signUp())).toMatchObject({ status: 404 });
  expect(await cancel(order.id, false, null)).toMatchObject({ status: 401 });
  expect(await shop.orderRow(order.id)).toMatchObject({ hold_state: 'held' });
});
