import { expect, test } from 'vitest';
import { useAdminShop } from '#tests/functions/support/admin-shop.ts';
import { sampleCash } from '#tests/sample-cash.ts';

const shop = await useAdminShop();
await shop.sql(`update public.cost_limits set most = 1000000 where effect = 'cash_order'`);

const due = 100_000 + sampleCash.charge;

/** An order that is paid at the door, confirmed and sent. */
async function sent(): Promise<{ id: number; number: string }> {
  const ring = await shop.addProduct({ price: 1_000, stock: 5 });
  const placed = await shop.createOrder(await shop.signUp(), [{ product_id: ring, quantity: 1 }], {
    body: { payment_way: 'door', total_amount: due / 100 },
  });
  const id = Number((placed.json['order'] as { number: unknown } | undefined)?.number);
  if (!Number.isInteger(id)) throw new Error(`Not placed: ${placed.text}`);
  await shop.confirmCash(id);
  const number = `D${String(id)}00`;
  const shipped = await shop.step(id, {
    state: 'shipped',
    carrier: 'Delhivery',
    trackingNumber: number,
    trackingUrl: '',
  });
  if (shipped.status !== 200) throw new Error(shipped.text);
  return { id, number };
}
const row = (trackingNumber: string, more = {}) => ({
  row: 2,
  trackingNumber,
  orderId: null,
  amountPaise: due,
  reference: 'UTR1',
  ...more,
});
const send = (rows: unknown, save = true) =>
  shop.admin.ask('POST', '/api/admin/cash/remittance', { rows, save });

test('a courier’s list is shown first and recorded then; what stays has its reason, and what is missing its parcel', async () => {
  const [early, a, b] = [await sent(), await sent(), await sent()];
  const rows = [
    row(a.number),
    row('', { row: 3, orderId: b.id, amountPaise: due - 100 }),
    row('D0', { row: 4 }),
  ];
  const answered = [
    { row: 2, orderId: a.id, outcome: 'received', duePaise: due, amountPaise: due },
    { row: 3, orderId: b.id, outcome: 'too_little', duePaise: due, amountPaise: due - 100 },
    { row: 4, orderId: null, outcome: 'not_found', duePaise: null, amountPaise: due },
  ];
  const missing = [
    {
      orderId: early.id,
      carrier: 'Delhivery',
      duePaise: due,
      at: expect.any(String) as unknown,
    },
  ];
  const preview = await send(rows, false);
  expect(preview).toMatchObject({ status: 200, json: { rows: answered, missing } });
  expect(await shop.read(a.id)).toMatchObject({ paymentId: null, cash: { state: 'due' } });
  expect((await send(rows)).json).toEqual({ rows: answered, missing });
  expect(await shop.read(a.id)).toMatchObject({
    paymentMethod: 'cash',
    paymentReference: 'UTR1',
    cash: { state: 'paid' },
  });
  expect((await send([row(a.number)])).json).toMatchObject({ rows: [{ outcome: 'already' }] });
  expect((await send([row(a.number, { reference: 'UTR2' })])).json).toMatchObject({
    rows: [{ outcome: 'paid_twice' }],
  });
});

test('the list of another shop pays no order of this one that has the same number', async () => {
  const { id } = await sent();
  const foreign = row('', { orderId: id, orderReference: `OTH-${String(id)}-zzzzzz` });
  expect((await send([foreign])).json).toMatchObject({ rows: [{ outcome: 'not_found' }] });
  const own = { ...foreign, orderReference: (await shop.read(id)).reference };
  expect((await send([own])).json).toMatchObject({ rows: [{ outcome: 'received' }] });
});

test('a parcel with several orders is named when the list does not say which of them a row pays', async () => {
  const [a, b] = [await sent(), await sent()];
  await shop.sql('update public.orders set tracking_number = $2 where id = $1', b.id, a.number);
  expect((await send([row(a.number)])).json).toMatchObject({
    rows: [{ orderId: null, outcome: 'several_orders' }],
  });
});

test('a list has up to 2,000 rows with amounts, and only the admin can send one', async () => {
  const full = Array.from({ length: 2_000 }, (_, at) =>
    row(`X${'9'.repeat(90)}${String(at)}`, { row: at + 2, reference: 'R'.repeat(100) }),
  );
  const { status, json } = await send(full, false);
  expect(status).toBe(200);
  expect(json['rows']).toHaveLength(2_000);
  for (const rows of [
    [],
    [...full, row('D1')],
    [row('D1', { amountPaise: 0 })],
    [row('D1', { amountPaise: 10.5 })],
    [row('D1', { orderId: 'KSV-1001-ab12cd' })],
    [row('D1', { reference: 'R'.repeat(101) })],
  ])
    expect(await send(rows)).toMatchObject({ status: 400 });
});
