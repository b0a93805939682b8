import { expect, test } from 'vitest';
import { eachRow } from '../../each-row.ts';
import { useDatabase } from '../support/postgres.ts';

const database = await useDatabase();
const keyOf = (phone: string | null): Promise<string | null> =>
  database.value('select private.phone_key($1)', phone);

test('one phone is one customer, however it is written and whatever stands before it', () =>
  eachRow(
    [
      '9847012345',
      '+91 98470 12345',
      '0091 98470-12345',
      '09847012345',
      '1 98470 12345',
      '+910 98470 12345',
      '0098470 12345',
    ],
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

test('the key of an order follows its phone', async () => {
  expect(
    await database.value(
      `insert into public.orders (merchant_transaction_id, customer_phone) values ('KSV-1-phone', '+91 98470 12345') returning phone_key`,
    ),
  ).toBe('9847012345');
});
