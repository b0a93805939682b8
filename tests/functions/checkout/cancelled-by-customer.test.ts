import { expect, test } from 'vitest';
import cancelEndpoint from '#netlify/functions/order-cancel.ts';
import { seller } from '#settings/seller.ts';
import { useAdminShop } from '#tests/functions/support/admin-shop.ts';
import type { Answer, Customer } from '#tests/functions/support/stack.ts';

const shop = await useAdminShop();
const customer = await shop.signUp();

const cancel = (id: number, paid: boolean, by: Customer | null = customer): Promise<Answer> =>
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
  const order = await shop.buy(customer, await lines());
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

test('a packed order is not cancelled, and the customer reads whom to write to', async () => {
  const order = await shop.buy(customer, await lines());
  await shop.step(order.id, { state: 'packed' });
  expect(await cancel(order.id, true)).toMatchObject({
    status: 409,
    json: { error: 'not_possible', message: expect.stringContaining('write to us') as unknown },
  });
  expect(await shop.sentBack(order.paymentId)).toEqual([]);
});

test('an unpaid order is given up and its stock is free', async () => {
  const wanted = await lines();
  const order = await shop.place(customer, wanted);
  expect(await cancel(order.id, false)).toMatchObject({ status: 200 });
  expect(await shop.stockOf(wanted[0]?.product_id ?? '')).toBe(5);
  expect(await shop.orderRow(order.id)).toMatchObject({
    status: 'FAILED',
    fulfilment: 'cancelled',
  });
});

test('an order whose payment the shop has not heard of is found paid, and not given up', async () => {
  const order = await shop.place(customer, await lines());
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
  const order = await shop.place(customer, await lines());
  await shop.setFaults({ api: { status: 503 } });
  expect(await cancel(order.id, false)).toMatchObject({
    status: 502,
    json: { error: 'payment_provider' },
  });
  expect(await shop.orderRow(order.id)).toMatchObject({ hold_state: 'held' });
  await shop.setFaults();
});

test('an order that only the shop can cancel is left as it is, and the customer reads why', async () => {
  const order = await shop.buy(customer, await lines(), { customer_phone: '+91 98333 22222' });
  const message = async () => (await cancel(order.id, true)).json['message'];
  await shop.sql(`update public.orders set fulfilment = 'packed' where id = $1`, order.id);
  expect(await message()).toMatch(/^Only we can cancel this order, because it is already packed/u);
  expect(await shop.orderRow(order.id)).toMatchObject({ fulfilment: 'packed' });
});

test('nobody cancels the order of another customer, or without an account', async () => {
  const order = await shop.place(customer, await lines());
  expect(await cancel(order.id, false, await shop.signUp())).toMatchObject({ status: 404 });
  expect(await cancel(order.id, false, null)).toMatchObject({ status: 401 });
  expect(await shop.orderRow(order.id)).toMatchObject({ hold_state: 'held' });
});

test('a customer who buys and cancels is refunded two orders; the third is left to the admin, and the customer reads that', async () => {
  const greedy = await shop.signUp();
  const wanted = await lines();
  const answers: Answer[] = [];
  for (let round = 0; round < 3; round += 1) {
    await shop.sql(`delete from public.costs where effect = 'provider_call'`);
    const { id } = await shop.buy(greedy, wanted, {
      customer_phone: `+91 98111 ${String(20_000 + round)}`,
    });
    answers.push(await cancel(id, true, greedy));
  }
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 409]);
  expect(answers[2]?.json['message']).toMatch(
    /^A person looks at this cancellation.*write to you soon\.$/u,
  );
  await shop.mailsSent();
  const subjects = shop.mail.mails.map(({ headers }) => headers['subject']);
  expect(subjects).toContain('A customer asks to cancel a paid order');
});

test('a shop that keeps the platform fee refunds the goods, and the mail says what of the fee is kept', async () => {
  const config: { returnsPlatformFee: boolean } = seller.refunds;
  config.returnsPlatformFee = false;
  try {
    const customer = await shop.signUp();
    const order = await shop.buy(customer, await lines(), { customer_phone: '+91 98222 11111' });
    shop.mail.mails.length = 0;
    expect(await cancel(order.id, true, customer)).toMatchObject({ status: 200 });
    // 2 × ₹1,000 and 2.36 % of it.
    expect([order.total, await shop.sentBack(order.paymentId)]).toEqual([204_720, [200_000]]);
    await shop.mailsSent();
    const texts = shop.mail.mails.map(({ raw }) => raw.replaceAll(/=\r\n/gu, ''));
    expect(texts.filter((text) => text.includes('47.20 is not returned'))).toHaveLength(1);
    expect(await shop.read(order.id)).toMatchObject({ fulfilment: 'cancelled', openRefund: null });
  } finally {
    config.returnsPlatformFee = true;
  }
});
