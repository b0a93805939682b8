import { decodeSubject } from '#tests/functions/support/mail-server.ts';
import { orderPageSchema } from '#domain/admin/orders/orders.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { parcel, useAdminShop } from '#tests/functions/support/admin-shop.ts';
import { shop as settings } from '#settings/shop.ts';

const shop = await useAdminShop();
const customer = await shop.signUp();
beforeEach(async () => {
  await shop.setFaults();
  await shop.mailsSent();
  shop.mail.mails.length = 0;
});

async function subjects(): Promise<(string | undefined)[]> {
  await shop.mailsSent();
  return shop.mail.mails.map(({ headers }) => decodeSubject(headers['subject'] ?? ''));
}

async function bought(quantity = 2) {
  const ring = await shop.addProduct({ price: 1_000, stock: 5 });
  const order = await shop.buy(customer, [{ product_id: ring, quantity }]);
  shop.mail.mails.length = 0;
  return { ring, ...order };
}

test('an order whose payment was refunded at Razorpay is not shipped, even if its event was lost', async () => {
  const { id, paymentId, total } = await bought();
  await shop.setFaults({ webhook: { mode: 'lost' } });
  await shop.refundAtRazorpay(paymentId, 10_000);
  expect(await shop.step(id, parcel)).toMatchObject({
    status: 409,
    json: {
      error: 'not_possible',
      message: expect.stringContaining('outside the shop') as unknown,
    },
  });
  expect(await shop.read(id)).toMatchObject({ fulfilment: 'new', refundedPaise: 10_000 });
  await shop.refundAtRazorpay(paymentId, total - 10_000);
  expect(await shop.step(id, { state: 'delivered' })).toMatchObject({ status: 409 });
  expect(await shop.step(id, parcel)).toMatchObject({
    status: 409,
    json: { message: 'This order was fully refunded, so there is nothing to send.' },
  });
  // The alerts about the two refunds.
  await shop.sweep();
});

test('while Razorpay does not answer an order ships at the second press, which skips the check', async () => {
  const { id } = await bought();
  await shop.setFaults({ api: { status: 503 } });
  expect(await shop.step(id, parcel)).toMatchObject({
    status: 409,
    json: { error: 'refunds_unknown', message: expect.stringContaining('Press again') as unknown },
  });
  expect(await shop.read(id)).toMatchObject({ fulfilment: 'new' });
  expect(await shop.step(id, { ...parcel, unchecked: true })).toMatchObject({ status: 200 });
});

test('an order is paid, packed, shipped with a mail and an invoice, refunded in part, and then the rest', async () => {
  const { id, ring, paymentId, total } = await bought();
  expect(total).toBe(204_720);
  expect(await shop.step(id, { state: 'packed' })).toMatchObject({
    status: 200,
    json: { order: { fulfilment: 'packed' } },
  });
  const shipped = await shop.step(id, parcel);
  expect(shipped).toMatchObject({
    status: 200,
    json: {
      order: { fulfilment: 'shipped', carrier: 'India Post', trackingNumber: 'EM123456789IN' },
    },
  });
  expect((await shop.read(id)).invoiceNumber).toMatch(
    new RegExp(`^${settings.prefixes.invoice}/\\d{4}-\\d{2}/\\d{4}$`, 'u'),
  );
  expect(await subjects()).toEqual([`Order #${String(id)} is on its way – ${settings.name}`]);
  expect(shop.mail.mails[0]).toMatchObject({ to: ['anjali@example.com'] });
  expect(shop.mail.mails[0]?.raw).toContain('EM123456789IN');

  const restock = [{ productId: ring, quantity: 1 }];
  const part = await shop.refund(id, { amountPaise: 102_360, restock });
  expect(part).toMatchObject({
    status: 200,
    json: {
      order: {
        refundedPaise: 102_360,
        refundablePaise: 102_360,
        paymentStatus: 'PARTIALLY_REFUNDED',
        refunds: [{ state: 'processed' }],
      },
    },
  });
  expect(await shop.stockOf(ring)).toBe(4);
  expect(await shop.refund(id, { amountPaise: 102_361 })).toMatchObject({
    status: 409,
    json: { error: 'too_much', left_paise: 102_360 },
  });
  expect(
    await shop.refund(id, { amountPaise: 100, restock: [{ productId: ring, quantity: 2 }] }),
  ).toMatchObject({ status: 409 });
  const rest = await shop.refund(id, { amountPaise: 102_360, restock });
  expect(rest).toMatchObject({
    status: 200,
    json: { order: { refundedPaise: total, refundablePaise: 0, paymentStatus: 'REFUNDED' } },
  });
  expect(await shop.stockOf(ring)).toBe(5);
  expect(await shop.sentBack(paymentId)).toEqual([102_360, 102_360]);
  expect((await subjects()).slice(1)).toEqual(
    Array(2).fill(`Your refund for order #${String(id)} – ${settings.name}`),
  );
  expect(await shop.refund(id, { amountPaise: 100 })).toMatchObject({
    status: 409,
    json: { error: 'too_much' },
  });
  expect((await shop.read(id)).items).toMatchObject([{ quantity: 2, restocked: 2, image: null }]);
});

test.each([
  ['does not work', { api: { status: 500 } }],
  ['does it, but its answer is lost', { api: { dropReply: true } }],
])('when Razorpay %s, the refund is kept and made once', async (_what, faults) => {
  const { id, paymentId } = await bought();
  await shop.setFaults(faults);
  const asked = await shop.refund(id, { amountPaise: 50_000 });
  // The provider's event may report the lost answer before the answer of this call is read.
  expect(asked).toMatchObject({
    status: 200,
    json: { order: { refundedPaise: 50_000, refunds: [{ amountPaise: 50_000 }] } },
  });
  await shop.setFaults();
  await shop.sweep();
  expect(await shop.sentBack(paymentId)).toEqual([50_000]);
  expect((await shop.read(id)).refunds).toMatchObject([
    { state: 'processed', amountPaise: 50_000 },
  ]);
});

test('a refund that Razorpay did not make is not shown as made, in the order and in the list', async () => {
  const { id, total } = await bought();
  await shop.setFaults({ api: { status: 500 } });
  const cancelled = await shop.cancel(id);
  expect(cancelled).toMatchObject({
    json: {
      order: {
        refundedPaise: total,
        openRefund: 'waiting',
        refunds: [{ state: 'due', lastError: expect.any(String) as string }],
      },
    },
  });
  const listed = async () =>
    orderPageSchema
      .parse((await shop.admin.ask('GET', '/api/admin/orders?filter=refunds')).json)
      .orders.find((order) => order.id === id);
  expect(await listed()).toMatchObject({ refundedPaise: total, openRefund: 'waiting' });
  await shop.setFaults();
  await shop.sweep();
  // Refunded orders follow those whose refund waits, with their amounts.
  expect(await listed()).toMatchObject({
    openRefund: null,
    refundSums: { openPaise: 0, donePaise: total },
  });
  expect(await shop.read(id)).toMatchObject({ refundedPaise: total, openRefund: null });
});

describe('the way of an order', () => {
  test('does not begin before the order is paid, nor after all of it went back', async () => {
    const ring = await shop.addProduct({});
    const unpaid = await shop.place(await shop.signUp(), [{ product_id: ring, quantity: 1 }]);
    expect(await shop.step(unpaid.id, parcel)).toMatchObject({
      status: 409,
      json: { error: 'not_possible', message: 'This order is not paid yet.' },
    });
    expect(await shop.refund(unpaid.id, { amountPaise: 100 })).toMatchObject({
      status: 409,
      json: { error: 'not_paid' },
    });
    const paid = await bought();
    await shop.refund(paid.id, { amountPaise: paid.total });
    expect(await shop.step(paid.id, { state: 'packed' })).toMatchObject({
      status: 409,
      json: { error: 'not_possible' },
    });
  });

  test.each([
    ['no carrier', { state: 'shipped', trackingNumber: 'EM1' }],
    ['a number that is too short', { ...parcel, trackingNumber: 'EM' }],
    ['a link that is none', { ...parcel, trackingUrl: 'javascript:alert(1)' }],
    ['a state that is none', { state: 'lost' }],
  ])('refuses %s', async (_what, body) => {
    const { id } = await bought();
    expect(await shop.step(id, body)).toMatchObject({ status: 400 });
    expect(await shop.read(id)).toMatchObject({ fulfilment: 'new' });
  });

  test('says that there is no such order', async () => {
    expect(await shop.step(999_999, { state: 'packed' })).toMatchObject({ status: 404 });
    expect(await shop.refund(999_999, { amountPaise: 100 })).toMatchObject({ status: 404 });
    expect(await shop.cancel(999_999)).toMatchObject({ status: 404 });
  });
});

describe('cancelling', () => {
  test('a paid order returns its money and its stock, and sends one mail to the customer, however often and with whatever key it is pressed', async () => {
    const { id, ring, paymentId, total } = await bought();
    await shop.refund(id, { amountPaise: 4_720 });
    await shop.mailsSent();
    shop.mail.mails.length = 0;
    const key = crypto.randomUUID();
    const answers = [
      await shop.cancel(id, { key }),
      await shop.cancel(id, { key }),
      await shop.cancel(id),
    ];
    expect(answers).toMatchObject(
      Array(3).fill({
        status: 200,
        json: { order: { fulfilment: 'cancelled', refundablePaise: 0, refundedPaise: total } },
      }),
    );
    expect(await shop.sentBack(paymentId)).toEqual([4_720, 200_000]);
    expect(await shop.stockOf(ring)).toBe(5);
    expect(await subjects()).toEqual([`Order #${String(id)} is cancelled – ${settings.name}`]);
    expect(await shop.step(id, { state: 'packed' })).toMatchObject({
      status: 409,
      json: { message: 'This order is cancelled.' },
    });
  });

  test('an order that the shop takes for unpaid asks Razorpay first, so a paid one is refunded', async () => {
    const ring = await shop.addProduct({ stock: 3 });
    const order = await shop.place(await shop.signUp(), [{ product_id: ring, quantity: 1 }]);
    await shop.setFaults({ webhook: { mode: 'lost' } });
    const { razorpay_payment_id: paymentId } = await shop.pay(order);
    expect(await shop.cancel(order.id)).toMatchObject({
      status: 200,
      json: { order: { fulfilment: 'cancelled', status: 'COMPLETED' } },
    });
    expect(await shop.sentBack(paymentId)).toEqual([order.total]);
    expect(await shop.stockOf(ring)).toBe(3);
  });

  test('nothing is cancelled while Razorpay does not answer', async () => {
    const ring = await shop.addProduct({ stock: 3 });
    const order = await shop.place(await shop.signUp(), [{ product_id: ring, quantity: 1 }]);
    await shop.setFaults({ api: { status: 503 } });
    expect(await shop.cancel(order.id)).toMatchObject({
      status: 502,
      json: { error: 'payment_provider' },
    });
    expect(await shop.read(order.id)).toMatchObject({ fulfilment: 'new', status: 'PENDING' });
    expect(await shop.stockOf(ring)).toBe(2);
  });
});

describe('the hold of an unpaid order', () => {
  const lastRing = () => shop.addProduct({ price: 1_000, stock: 1 });
  const end = (id: number) => shop.admin.ask('POST', `/api/admin/orders/${String(id)}/release`, {});

  test('ends with one press, and the next customer can buy at once', async () => {
    const ring = await lastRing();
    const lines = [{ product_id: ring, quantity: 1 }];
    const { id } = await shop.place(customer, lines);
    expect((await shop.createOrder(await shop.signUp(), lines)).status).toBe(409);
    expect(await end(id)).toMatchObject({ status: 200 });
    expect(await shop.orderRow(id)).toMatchObject({
      status: 'FAILED',
      hold_state: 'released',
      release_reason: 'ended_by_admin',
    });
    expect((await shop.createOrder(await shop.signUp(), lines)).status).toBe(200);
    expect(await end(id)).toMatchObject({ status: 200 });
    expect((await end(999_999)).status).toBe(404);
  });

  test('does not end when it was paid meanwhile, or when Razorpay does not answer', async () => {
    const lines = [{ product_id: await lastRing(), quantity: 1 }];
    const order = await shop.place(customer, lines);
    await shop.setFaults({ api: { status: 500 } });
    expect(await end(order.id)).toMatchObject({ status: 502 });
    expect(await shop.orderRow(order.id)).toMatchObject({ hold_state: 'held' });
    await shop.setFaults({ webhook: { mode: 'lost' } });
    await shop.pay(order);
    expect(await end(order.id)).toMatchObject({
      status: 409,
      json: { message: 'The customer has just paid this order, so its pieces are sold.' },
    });
    expect(await shop.orderRow(order.id)).toMatchObject({ status: 'COMPLETED' });
  });
});
