import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import type { OpenOrder } from '#tests/database/support/shop-database.ts';
import { eachRow } from '#tests/each-row.ts';

const database = await useDatabase();

let ring = '';
let customer = '';
beforeEach(async () => {
  ring = await database.addProduct({ stock: 500 });
  customer = await database.addCustomer();
});

const right = {
  name: 'Anjali Menon',
  phone: '+91 98470 12345',
  address: '14 Temple Road, West',
  city: 'Thrissur',
  postal_code: '680001',
};
const wrong = { ...right, address: '1 Old Street, Gone', postal_code: '68201' };
/** What the profile holds of an order with these details. */
const rowOf = ({ name, ...details }: typeof right): Record<string, string> => ({
  full_name: name,
  ...details,
});
let quantity = 0;
/** An order of another cart each time, so that none is taken up again. */
function place(details: Readonly<Record<string, string>>): Promise<OpenOrder> {
  quantity = (quantity % 20) + 1;
  return database.placeOpen(customer, [{ product_id: ring, quantity }], {
    details,
    holdSeconds: 300,
  });
}
async function buy(details: Readonly<Record<string, string>>): Promise<void> {
  expect(await database.markPaid(await place(details))).toBe('paid');
}
const profile = (): Promise<Record<string, unknown>> =>
  database.one(
    'select full_name, phone, address, city, postal_code from public.profiles where id = $1',
    customer,
  );
const edit = (set: string): Promise<unknown> =>
  database.as(
    { role: 'authenticated', claims: { sub: customer } },
    `update public.profiles set ${set} where id = '${customer}'`,
  );
const nothing = { full_name: null, phone: null, address: null, city: null, postal_code: null };

describe('the profile takes the details of an order', () => {
  test('when it is paid, and of the newest one', async () => {
    await place(wrong);
    expect(await profile()).toEqual(nothing);
    await buy(wrong);
    expect(await profile()).toEqual(rowOf(wrong));
    await buy(right);
    expect(await profile()).toEqual(rowOf(right));
    await place(wrong);
    expect(await profile()).toEqual(rowOf(right));
  });

  test('that was placed last, also when an earlier one is paid after it', async () => {
    const early = await place(wrong);
    await buy(right);
    expect(await database.markPaid(early)).toBe('paid');
    expect(await profile()).toEqual(rowOf(right));
  });

  test('unless the customer edited the profile after placing it', async () => {
    const order = await place(wrong);
    await edit(`address = 'By hand 1, Kochi'`);
    await database.markPaid(order);
    expect(await profile()).toEqual({ ...nothing, address: 'By hand 1, Kochi' });
    await buy(right);
    expect(await profile()).toEqual(rowOf(right));
  });

  test('without those too long for it, which are left empty: the older ones are not the customer’s any more', () =>
    eachRow(
      [
        ['address', 'x'.repeat(200), 'x'.repeat(200)],
        ['address', 'x'.repeat(201), null],
        ['phone', '+91-98470-12345', '+91-98470-12345'],
        ['phone', '+91 - 98470 - 12345', '9847012345'],
        ['phone', 'ask my neighbour', null],
      ] as const,
      async ([field, typed, stored]) => {
        customer = await database.addCustomer();
        await buy(wrong);
        await buy({ ...right, [field]: typed });
        expect(await profile()).toEqual({ ...rowOf(right), [field]: stored });
      },
    ));
});
