import { beforeEach, describe, expect, test } from 'vitest';
import { dayMs, isoDay } from '#domain/calendar-day.ts';
import { eachRow } from '#tests/each-row.ts';
import { sqlState } from '#tests/database/support/database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';

const database = await useDatabase();

let customer = '';
let ring = '';
beforeEach(async () => {
  await database.query('delete from public.shop_notice');
  customer = await database.addCustomer();
  ring = await database.addProduct({ stock: 5 });
});

const today = await database.value<string>(
  'select private.india_date(clock_timestamp())::text as today',
);
const dayFromToday = (days: number): string => isoDay(Date.parse(today) + days * dayMs);
/** A notice from and to so many days from today, as a row: one that is over can only stand in the table. */
const put = (from: number, to: number, extraDays = 0): Promise<unknown> =>
  database.query(
    `insert into public.shop_notice (message, first_day, last_day, closes_checkout, extra_days) values ('Away', $1, $2, $3, $4)`,
    ...[dayFromToday(from), dayFromToday(to), extraDays === 0, extraDays],
  );
const lines = (quantity = 1) => [{ product_id: ring, quantity }];

test('a day begins at midnight in India', () =>
  eachRow(
    [
      ['2026-12-05T18:29:59Z', '2026-12-05'],
      ['2026-12-05T18:30:00Z', '2026-12-06'],
      ['2026-12-31T20:00:00Z', '2027-01-01'],
    ],
    async ([moment, date]) => {
      expect(await database.value('select private.india_date($1)::text as date', moment)).toEqual(
        date,
      );
    },
  ));

describe('a notice that closes checkout', () => {
  test('refuses orders from its first day to its last, both included, and ends by itself', () =>
    eachRow(
      [
        [-3, -1, 'placed'],
        [-3, 0, 'closed'],
        [0, 0, 'closed'],
        [0, 3, 'closed'],
        [1, 3, 'placed'],
      ] as const,
      async ([from, to, outcome]) => {
        await database.query('delete from public.shop_notice');
        await put(from, to);
        const answer = await database.place(await database.addCustomer(), lines());
        expect(answer).toMatchObject(
          outcome === 'closed' ? { outcome, until: dayFromToday(to) } : { outcome },
        );
      },
    ));

  test('lets an open order be paid: by the same try, by another try of the same cart, and by its payment', async () => {
    const key = crypto.randomUUID();
    const order = await database.placeOpen(customer, lines(), { key });
    await put(0, 1);
    expect((await database.place(customer, lines(), { key })).outcome).toBe('reused');
    expect((await database.place(customer, lines())).outcome).toBe('reused');
    expect(await database.markPaid(order)).toBe('paid');
    expect((await database.place(customer, lines(2))).outcome).toBe('closed');
    expect(await database.stockOf(ring)).toBe(4);
  });
});

test('a notice that makes parcels later refuses nothing, and an order keeps it when the notice goes', async () => {
  await put(-1, 2, 4);
  const order = await database.placeOpen(customer, lines());
  await database.query('select public.save_notice(null)');
  const { delivery_notice: kept } = await database.orderRow(order.id);
  expect(kept).toEqual({
    first_day: dayFromToday(-1),
    last_day: dayFromToday(2),
    closes_checkout: false,
    extra_days: 4,
  });
  const later = await database.placeOpen(await database.addCustomer(), lines());
  expect((await database.orderRow(later.id))['delivery_notice']).toBeNull();
});

test('a notice is replaced, read until it is over, and refused when it says nothing or is over already', async () => {
  const notice = {
    message: 'Onam',
    first_day: today,
    last_day: today,
    closes_checkout: true,
    extra_days: 0,
  };
  const save = (value: unknown): Promise<unknown> =>
    database.value('select public.save_notice($1::jsonb)', JSON.stringify(value));
  await save({ ...notice, message: 'Vishu' });
  expect(await save(notice)).toEqual(notice);
  expect(await database.value('select count(*)::int from public.shop_notice')).toBe(1);
  await eachRow(
    [
      [{ ...notice, first_day: dayFromToday(-2), last_day: dayFromToday(-1) }, '22023'],
      [{ ...notice, last_day: dayFromToday(-1) }, '22023'],
      [{ ...notice, message: ' ' }, '23514'],
      [{ ...notice, extra_days: 2 }, '23514'],
      [{ ...notice, closes_checkout: false }, '23514'],
      [{ ...notice, last_day: dayFromToday(400) }, '23514'],
    ],
    async ([value, state]) => {
      expect(await sqlState(save(value))).toBe(state);
    },
  );
  expect(await database.value<unknown>('select public.read_notice()')).toEqual(notice);
  await database.query('delete from public.shop_notice');
  await put(-2, -1);
  expect(await database.value('select public.read_notice()')).toBe(null);
});
