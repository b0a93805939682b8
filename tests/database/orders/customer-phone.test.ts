import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPhone } from '#domain/checkout/phone.ts';
import { eachRow } from '#tests/each-row.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';

const database = await useDatabase();
const keyOf = (phone: string | null): Promise<string | null> =>
  database.value('select private.phone_key($1)', phone);

test('one phone is one customer, however it is written and whatever stands before it', () =>
  eachRow(
    ['9847012345', '+91 98470 12345', '0091 98470-12345', '1 98470 12345', '+910 98470 12345'],
    async (phone) => {
      expect(await keyOf(phone)).toBe('9847012345');
    },
  ));

test('a number that begins with 91 keeps it, and too few digits are nobody', async () => {
  expect(await keyOf('9198470123')).toBe('9198470123');
  expect(await keyOf('+91 9198470123')).toBe('9198470123');
  expect(await keyOf('984701234')).toBeNull();
  expect(await keyOf('call the house')).toBeNull();
  expect(await keyOf(null)).toBeNull();
});

test('SQL and the forms agree on what can be called in India, and on its digits', async () => {
  const typed = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'0123456789+-–— ().x\t'.split('')), maxLength: 20 }),
    fc
      .tuple(
        fc.constantFrom('', '+91', '0091', '91', '0', '+910', '+', '00'),
        fc.stringMatching(/^[0-9]{9,11}$/u),
        fc.constantFrom('', ' ', '-', ' ext'),
      )
      .map(
        ([prefix, number, between]) =>
          prefix + between + number.slice(0, 5) + between + number.slice(5),
      ),
  );
  const texts = fc.sample(typed, 2_000);
  const rows = await database.query<{ usable: boolean; key: string | null }>(
    'select private.is_indian_phone(t) as usable, private.phone_key(t) as key from unnest($1::text[]) with ordinality u (t, n) order by n',
    texts,
  );
  const known = texts.map((text) => readPhone(text));
  expect(known.some((digits) => digits !== null)).toBe(true);
  expect(rows.map(({ usable, key }) => (usable ? key : null))).toEqual(known);
});

test('the key of an order follows its phone', async () => {
  expect(
    await database.value(
      `insert into public.orders (merchant_transaction_id, customer_phone) values ('ABC-1-phone', '+91 98470 12345') returning phone_key`,
    ),
  ).toBe('9847012345');
});
