import { expect, test } from 'vitest';
import { sqlCashTerms } from '#core/checkout/place-order.ts';
import { customerDetails, type Placing } from '#tests/database/support/shop-database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { sampleCash } from '#tests/sample-cash.ts';
import { cashCharges } from './cash-orders.ts';

const database = await useDatabase();
await database.run(`update public.cost_limits set most = 1000000 where effect = 'cash_order'`);

const terms = JSON.stringify(sqlCashTerms(sampleCash, 'rzp_live_1'));
const price = 1_000;
/** The amount due for one ring, with the charge for cash. */
const due = price * 100 + sampleCash.charge;

let phones = 0;
/** An order that is paid at the door, not confirmed, of a customer with a phone of their own. Returns its id. */
async function placed(): Promise<number> {
  const ring = await database.addProduct({ price, stock: 1 });
  const { order } = await database.value<Placing>(
    'select public.place_order($1, $2, $3::jsonb, $4::jsonb, $5, p_charges => $7::jsonb, p_hold_seconds => 900, p_cash => $6::jsonb)',
    await database.addCustomer(),
    crypto.randomUUID(),
    JSON.stringify([{ product_id: ring, quantity: 1 }]),
    JSON.stringify({ ...customerDetails, phone: `+91 98470 ${String(10_000 + (phones += 1))}` }),
    due,
    terms,
    JSON.stringify(cashCharges(sampleCash)),
  );
  if (!order) throw new Error('Not placed');
  return order.id;
}
async function confirmed(): Promise<number> {
  const id = await placed();
  await database.query('select public.confirm_cash_order($1, 3)', id);
  return id;
}
async function sent(carrier: string, number = `D${crypto.randomUUID().slice(0, 8)}`) {
  const id = await confirmed();
  const { outcome } = await database.setFulfilment(id, 'shipped', { carrier, number });
  expect(outcome).toBe('changed');
  return { id, number };
}

interface Row {
  row?: number;
  tracking_number?: string;
  order_id?: number | null;
  order_reference?: string;
  amount_paise?: number;
  reference?: string;
}
interface Recorded {
  rows: { row: number; order_id: number | null; outcome: string; due_paise: number | null }[];
  missing: { order_id: number; carrier: string; due_paise: number; at: string }[];
}
const record = (rows: readonly Row[], save = true): Promise<Recorded> =>
  database.value(
    'select public.record_remittance($1::jsonb, $2)',
    JSON.stringify(
      rows.map((row, at) => ({
        row: at + 2,
        tracking_number: '',
        order_id: null,
        amount_paise: due,
        order_reference: '',
        reference: 'UTR1',
        ...row,
      })),
    ),
    save,
  );
const outcomes = async (rows: readonly Row[], save = true): Promise<string[]> =>
  (await record(rows, save)).rows.map(({ outcome }) => outcome);

test('a list records the cash of its parcels, by tracking number, or by order number where the list has no other', async () => {
  const [a, b] = [await sent('Delhivery'), await sent('Delhivery')];
  expect(
    (await record([{ tracking_number: a.number, order_id: b.id }, { order_id: b.id }])).rows,
  ).toEqual([
    { row: 2, order_id: a.id, outcome: 'received', due_paise: due },
    { row: 3, order_id: b.id, outcome: 'received', due_paise: due },
  ]);
  expect(await database.orderRow(a.id)).toMatchObject({
    status: 'COMPLETED',
    payment_id: `hand_${String(a.id)}`,
    payment_method: 'cash',
    payment_reference: 'UTR1',
  });
  expect(
    await database.query(
      'select amount_paise::int as amount, state from public.payments where order_id = $1',
      a.id,
    ),
  ).toEqual([{ amount: due, state: 'accepted' }]);
});

test('a tracking number is the same in any letters, with spaces and without', async () => {
  const first = await sent('India Post', 'EM 123456785 IN');
  const second = await sent('India Post', 'em223456785in');
  expect(
    await outcomes([
      { tracking_number: 'em123456785in' },
      { tracking_number: 'EM\u00a0223456785 IN' },
    ]),
  ).toEqual(['received', 'received']);
  for (const { id } of [first, second])
    expect(await database.orderRow(id)).toMatchObject({ payment_method: 'cash' });
});

test('an order number pays no order that was sent with another tracking number, and one of an order without', async () => {
  const [{ id }, without] = [await sent('Delhivery'), await sent('By hand', '')];
  expect(
    await outcomes([
      { tracking_number: 'X99', order_id: id },
      { tracking_number: 'X98', order_id: without.id },
    ]),
  ).toEqual(['not_found', 'received']);
  expect(await database.orderRow(id)).toMatchObject({ payment_id: null });
});

test('a reference of another shop pays no order, and its own in any letters does', async () => {
  const { id } = await sent('Delhivery');
  const reference = String((await database.orderRow(id))['merchant_transaction_id']);
  expect(
    await outcomes([
      { order_id: id, order_reference: `OTH-${String(id)}-zzzzzz` },
      { order_id: id, order_reference: `${reference}0` },
      { order_id: id, order_reference: reference.toLowerCase() },
    ]),
  ).toEqual(['not_found', 'not_found', 'received']);
});

test('each row pays its own order of a parcel with several, and one without an order number pays none', async () => {
  const parcel = async (): Promise<[number, number, number, string]> => {
    const { id, number } = await sent('Two in one');
    const others = [await sent('Two in one', number), await sent('Two in one', number)];
    return [id, others[0]?.id ?? 0, others[1]?.id ?? 0, number];
  };
  const [a, b, c, number] = await parcel();
  const row = { tracking_number: number };
  expect(await record([row, { ...row, order_id: 1 }])).toMatchObject({
    rows: [
      { order_id: null, outcome: 'several_orders', due_paise: null },
      { order_id: null, outcome: 'several_orders', due_paise: null },
    ],
  });
  const { rows, missing } = await record([{ ...row, order_id: b }, row, { ...row, order_id: a }]);
  expect(rows).toMatchObject([
    { order_id: b, outcome: 'received' },
    { order_id: null, outcome: 'several_orders' },
    { order_id: a, outcome: 'received' },
  ]);
  // The list may hold its cash.
  expect(missing).toEqual([]);
  // A list that is read again pays nothing else.
  expect(await outcomes([row])).toEqual(['already']);
  // The admin records the last one, whose cash may be that of a row that was read before.
  expect(await outcomes([{ ...row, reference: 'UTR2' }])).toEqual(['several_orders']);
  expect(await outcomes([{ ...row, order_id: c, reference: 'UTR2' }])).toEqual(['received']);
});

test('a list that is read again does not pay the second order of a parcel with the cash of the first, which the admin recorded', async () => {
  const first = await sent('Delhivery');
  const second = await sent('Delhivery', first.number);
  const row = { tracking_number: first.number };
  expect(await outcomes([row])).toEqual(['several_orders']);
  await database.value('select public.receive_cash($1, $2, $3)', first.id, due, 'On Friday');
  expect(await outcomes([row])).toEqual(['several_orders']);
  expect(await database.orderRow(second.id)).toMatchObject({ payment_id: null });
});

test('a row of a parcel whose number the courier used before pays the order of today', async () => {
  const { id: before, number } = await sent('Delhivery');
  await database.query(
    `update public.orders set shipped_at = now() - interval '90 days' where id = $1`,
    before,
  );
  const row = { tracking_number: number, reference: '' };
  expect(await outcomes([row])).toEqual(['received']);
  const { id } = await sent('Delhivery', number);
  expect((await record([{ ...row, reference: 'UTR9' }])).rows).toMatchObject([
    { order_id: id, outcome: 'received' },
  ]);
});

test('two open orders with one number are one parcel within 30 days, and not after them', async () => {
  for (const [days, outcome] of [
    [29, 'several_orders'],
    [31, 'received'],
  ] as const) {
    const { id, number } = await sent('Delhivery');
    await database.query(
      `update public.orders set shipped_at = now() - $2 * interval '1 day' where id = $1`,
      ...[id, days],
    );
    await sent('Delhivery', number);
    expect([days, await outcomes([{ tracking_number: number }])]).toEqual([days, [outcome]]);
  }
});

test('an order number alone pays no order that was not sent', async () => {
  const id = await confirmed();
  expect(await outcomes([{ tracking_number: 'X99', order_id: id }, { order_id: id }])).toEqual([
    'not_found',
    'not_found',
  ]);
  expect(await database.orderRow(id)).toMatchObject({ payment_id: null });
});

test('a list that is read twice changes nothing, and another list with the same parcel says that it was paid twice', async () => {
  const { id, number } = await sent('Delhivery');
  const row = { tracking_number: number };
  expect(await outcomes([row, row])).toEqual(['received', 'already']);
  expect(await outcomes([row])).toEqual(['already']);
  expect(await outcomes([{ ...row, reference: ' UTR1 ' }])).toEqual(['already']);
  expect(await outcomes([{ ...row, reference: 'UTR2' }])).toEqual(['paid_twice']);
  expect(await database.orderRow(id)).toMatchObject({ payment_reference: 'UTR1' });
});

test('a list without references can be read twice, too', async () => {
  const { number } = await sent('Delhivery');
  const row = { tracking_number: number, reference: '' };
  expect(await outcomes([row])).toEqual(['received']);
  expect(await outcomes([row])).toEqual(['already']);
});

test('another amount, a parcel that came back and an order without cash are not recorded, and keep no other row from it', async () => {
  const [little, much, back, good] = [
    await sent('Delhivery'),
    await sent('Delhivery'),
    await sent('Delhivery'),
    await sent('Delhivery'),
  ];
  await database.query(`select public.refuse_cash_order($1, 'Nobody there', true, true)`, back.id);
  const unconfirmed = await placed();
  const prepaid = await database.buy([
    { product_id: await database.addProduct({ price, stock: 1 }), quantity: 1 },
  ]);
  expect(
    await outcomes([
      { tracking_number: little.number, amount_paise: due - 100 },
      { tracking_number: much.number, amount_paise: due + 100 },
      { tracking_number: back.number },
      { order_id: back.id },
      { order_id: unconfirmed },
      { order_id: prepaid.id },
      { tracking_number: 'unknown' },
      { tracking_number: good.number },
    ]),
  ).toEqual([
    'too_little',
    'too_much',
    'refused',
    'refused',
    'not_found',
    'not_found',
    'not_found',
    'received',
  ]);
  for (const { id } of [little, much, back])
    expect(await database.orderRow(id)).toMatchObject({ payment_id: null });
});

test('a preview answers what would be recorded and stores nothing', async () => {
  const { id, number } = await sent('Delhivery');
  const before = await database.orderRow(id);
  const rows = [{ tracking_number: number }, { tracking_number: number }];
  expect(await outcomes(rows, false)).toEqual(['received', 'already']);
  expect(await database.orderRow(id)).toEqual(before);
  expect(await database.query('select 1 from public.payments where order_id = $1', id)).toEqual([]);
  expect(await outcomes(rows)).toEqual(['received', 'already']);
});

test('cash is missing that the same courier has not brought of parcels sent no later than the last of the list', async () => {
  const carrier = 'Missing Couriers';
  const at = (id: number, day: number) =>
    database.query(
      'update public.orders set shipped_at = $2 where id = $1',
      id,
      `2026-11-${String(day)}T10:00:00Z`,
    );
  // People write its name in several ways.
  const [early, listed, late, other] = [
    await sent(' missing couriers'),
    await sent(carrier),
    await sent(carrier),
    await sent('Other Couriers'),
  ];
  await at(early.id, 10);
  await at(listed.id, 11);
  await at(late.id, 12);
  await at(other.id, 10);
  for (const save of [false, true])
    expect((await record([{ tracking_number: listed.number }], save)).missing).toEqual([
      {
        order_id: early.id,
        carrier: ' missing couriers',
        due_paise: due,
        at: expect.stringMatching(/^2026-11-10T10:00:00/u) as unknown,
      },
    ]);
  expect((await record([{ tracking_number: 'unknown' }])).missing).toEqual([]);
});
