import { beforeEach, expect, test } from 'vitest';
import { parcel, useAdminShop } from '#tests/functions/support/admin-shop.ts';
import { useSampleTax } from '#tests/sample-tax.ts';

useSampleTax();

const shop = await useAdminShop();
const customer = await shop.signUp();
beforeEach(async () => {
  await shop.setFaults();
  await shop.mailsSent();
  shop.mail.mails.length = 0;
});

async function ring() {
  return [{ product_id: await shop.addProduct({ price: 1_000, stock: 5 }), quantity: 1 }];
}
const bought = async (body = {}) => shop.buy(customer, await ring(), body);
const numbers = (...ids: number[]) =>
  ids.map((id, at) => ({
    row: at + 2,
    order: String(id),
    trackingNumber: `D${String(id)}00${String(at)}`,
    carrier: 'Delhivery',
  }));
const send = (rows: unknown, more = {}) =>
  shop.admin.ask('POST', '/api/admin/parcels', { rows, save: true, ...more });
const get = (path: string) => shop.admin.ask('GET', `/api/admin/${path}`);

test('a file of tracking numbers ships its orders, each with a mail and an invoice without a gap', async () => {
  const [a, b] = [await bought(), await bought()];
  shop.mail.mails.length = 0;
  const rows = numbers(b.id, a.id);
  expect(await send(rows, { save: false })).toMatchObject({
    status: 200,
    json: { saved: false, faults: [], parcels: [{ row: 2, order: b.id, same: false }, {}] },
  });
  expect(await shop.read(a.id)).toMatchObject({ fulfilment: 'new', invoiceNumber: null });
  expect((await send(rows)).json).toMatchObject({ saved: true, faults: [] });
  const serials = [];
  for (const [id, number] of [
    [b.id, rows[0]?.trackingNumber],
    [a.id, rows[1]?.trackingNumber],
  ] as const) {
    const order = await shop.read(id);
    expect(order).toMatchObject({
      fulfilment: 'shipped',
      carrier: 'Delhivery',
      trackingNumber: number,
      trackingUrl: `https://www.delhivery.com/track/package/${String(number)}`,
    });
    serials.push(Number(order.invoiceNumber?.slice(-4)));
  }
  expect(serials[1]).toBe(Number(serials[0]) + 1);
  await shop.mailsSent();
  expect(shop.mail.mails).toHaveLength(2);
  // The same file again changes nothing.
  expect((await send(rows)).json).toMatchObject({ saved: true, parcels: [{ same: true }, {}] });
  await shop.mailsSent();
  expect(shop.mail.mails).toHaveLength(2);
});

test('one fault, and nothing of the file is saved: every fault has its row', async () => {
  const good = await bought();
  const unpaid = await shop.place(customer, await ring());
  const other = await bought();
  await shop.step(other.id, parcel);
  const cancelled = await bought();
  await shop.cancel(cancelled.id);
  await shop.mailsSent();
  const mails = shop.mail.mails.length;
  const rows = numbers(good.id, unpaid.id, other.id, cancelled.id, 999_999);
  const answer = await send([...rows, { ...rows[0], row: 7, order: 'x', trackingNumber: '' }]);
  expect(answer).toMatchObject({
    status: 200,
    json: {
      saved: false,
      faults: [
        { row: 3, message: 'This order is not paid yet.', found: String(unpaid.id) },
        { row: 4, message: expect.stringContaining('another number') as unknown },
        { row: 5, message: 'This order is cancelled.' },
        { row: 6, message: 'There is no such order.', found: '999999' },
        { row: 7, column: 'Order' },
        { row: 7, column: 'Tracking number' },
      ],
    },
  });
  expect(await shop.read(good.id)).toMatchObject({ fulfilment: 'new', invoiceNumber: null });
  await shop.mailsSent();
  expect(shop.mail.mails).toHaveLength(mails);
});

test('a reference is taken whatever prefix its order has, and one of another shop holds the file back', async () => {
  const order = await bought();
  await shop.sql(
    `update public.orders set merchant_transaction_id = 'ZZ9-' || id || '-3f9a2c' where id = ${String(order.id)}`,
  );
  const [row] = numbers(order.id);
  const typed = (prefix: string) => [{ ...row, order: `${prefix}-${String(order.id)}-3F9A2C` }];
  expect((await send(typed('YY8'))).json).toMatchObject({
    saved: false,
    faults: [
      {
        row: 2,
        column: 'Order',
        message: `Order #${String(order.id)} has the reference ZZ9-${String(order.id)}-3f9a2c. Is this file of another shop?`,
      },
    ],
  });
  expect((await send(typed('zz9'))).json).toMatchObject({ saved: true, faults: [] });
});

test('a refund at Razorpay that nobody reported holds the whole file back, and one that cannot be queried needs a second press', async () => {
  const [a, b] = [await bought(), await bought()];
  await shop.setFaults({ webhook: { mode: 'lost' } });
  await shop.refundAtRazorpay(a.paymentId, 10_000);
  expect((await send(numbers(b.id, a.id))).json).toMatchObject({
    saved: false,
    faults: [{ row: 3, message: expect.stringContaining('outside the shop') as unknown }],
  });
  expect(await shop.read(b.id)).toMatchObject({ fulfilment: 'new' });
  await shop.setFaults({ api: { status: 503 } });
  expect(await send(numbers(b.id))).toMatchObject({
    status: 409,
    json: { error: 'refunds_unknown' },
  });
  expect((await send(numbers(b.id), { unchecked: true })).json).toMatchObject({ saved: true });
  await shop.setFaults();
  await shop.sweep();
});

test('the file for a courier is of the chosen orders, as long as they wait', async () => {
  const [a, , c] = [await bought(), await bought(), await bought()];
  const columns = JSON.stringify([{ key: 'order', heading: 'Order' }]);
  const query = (...ids: number[]) =>
    new URLSearchParams({ columns, stage: 'to_pack', orders: ids.join(',') }).toString();
  const file = await get(`parcels.csv?${query(a.id, c.id)}`);
  expect(file.text.trim().split('\r\n').slice(1)).toEqual([String(a.id), String(c.id)]);
  await shop.step(a.id, { state: 'packed' });
  expect(await get(`parcels.csv?${query(a.id)}`)).toMatchObject({
    status: 404,
    json: { message: 'None of the chosen orders waits there any more. Load the list again.' },
  });
  for (const orders of ['', 'x', '1,', '1;2'])
    expect(
      await get(`parcels.csv?${new URLSearchParams({ columns, orders }).toString()}`),
    ).toMatchObject({ status: 400, json: { message: 'Choose up to 100 orders.' } });
});

test('the file for a courier has the orders to pack in the chosen columns, and a wrong choice is refused in a sentence', async () => {
  const { id } = await bought();
  const path = (columns: unknown, stage = 'to_pack'): string =>
    `parcels.csv?${new URLSearchParams({ columns: JSON.stringify(columns), stage }).toString()}`;
  const order = { key: 'order', heading: 'Reference' };
  const file = await get(path([order, { key: 'payment', heading: 'Mode' }]));
  expect(file.status).toBe(200);
  expect(file.text).toContain('Reference,Mode\r\n');
  expect(file.text).toContain(`${String(id)},Prepaid\r\n`);
  for (const [columns, message] of [
    [null, 'Choose a column.'],
    [[], 'Choose a column.'],
    [[{ key: 'secret', heading: 'x' }], 'Choose a column.'],
    [[{ ...order, heading: ' ' }], 'A column has no heading.'],
    [[order, { key: 'name', heading: 'reference' }], 'Two columns have the same heading.'],
  ] as const)
    expect(await get(path(columns))).toMatchObject({ status: 400, json: { message } });
  expect((await get(path([order], 'unpaid'))).status).toBe(400);
  expect((await get('parcels.csv')).status).toBe(400);
});
