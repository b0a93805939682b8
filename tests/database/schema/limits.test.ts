import { describe, expect, test } from 'vitest';
import { sqlState } from '#tests/database/support/database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { eachRow } from '#tests/each-row.ts';

const database = await useDatabase();

describe('the other functions refuse', () => {
  test('arguments that are missing or out of bounds', () =>
    eachRow(
      [
        `public.mark_paid(null, 'pay_1', 100, 'INR')`,
        `public.mark_paid('order_1', null, 100, 'INR')`,
        `public.mark_paid('order_1', 'pay 1', 100, 'INR')`,
        `public.mark_paid('order_1', 'pay_1', 0, 'INR')`,
        `public.mark_paid('order_1', 'pay_1', -100, 'INR')`,
        `public.mark_paid('order_1', 'pay_1', 100, null)`,
        `public.attach_razorpay_order(1, '')`,
        `public.attach_razorpay_order(1, null)`,
        `public.orders_to_check(0, 60)`,
        `public.claim_outbox(null, 60)`,
        `public.claim_refunds(10, 100000)`,
      ],
      async (call) => {
        expect(await sqlState(database.run(`select ${call}`))).toBe('22023');
      },
    ));

  test('a value that is of nothing', () =>
    eachRow(
      [
        `public.attach_razorpay_order(7, 'order_1')`,
        `public.release_order(7, 'expired')`,
        `public.release_order(null, 'expired')`,
        `public.finish_outbox(7)`,
        `public.finish_refund(7, 'rfnd_1')`,
      ],
      async (call) => {
        expect(await sqlState(database.run(`select ${call}`))).toBe('P0002');
      },
    ));
});

describe('a product is refused with', () => {
  const insert = (columns: Readonly<Record<string, string>>): Promise<string> => {
    const all = { name: `'Ring'`, category: `'rings'`, price: '1000', ...columns };
    return sqlState(
      database.run(
        `insert into public.products (${Object.keys(all).join()}) values (${Object.values(all).join()})`,
      ),
    );
  };

  test('a column out of bounds', () =>
    eachRow<Record<string, string>>(
      [
        { name: `' '` },
        { category: `''` },
        { category: `'Rings'` },
        { category: `'toe rings'` },
        { category: `repeat('a', 61)` },
        { price: '0' },
        { price: '1000000.01' },
        { price: `'NaN'` },
        { '"offerPrice"': '0' },
        { '"offerPrice"': '1000' },
        { '"offerPrice"': `'NaN'` },
        { stock: '-1' },
        { stock: '100001' },
        { images: `'{a,b,c,d}'` },
        { images: `array['a', null]` },
        { attributes: `'[]'` },
        { attributes: `'{"colour":"red"}'` },
        { attributes: `'{"metal":7}'` },
        { attributes: `'{"weight_g":"7"}'` },
        { attributes: `'{"height_mm":"7"}'` },
        { attributes: `'{"width_mm":null}'` },
      ],
      async (columns) => {
        expect(await insert(columns)).toBe('23514');
      },
    ));

  test('nothing wrong is taken', async () => {
    expect(
      await insert({
        '"offerPrice"': '999.99',
        stock: '100000',
        images: `'{a,b,c}'`,
        attributes: `'{"metal":"brass","weight_g":7.5,"height_mm":49,"width_mm":21}'`,
      }),
    ).toBe('none');
  });
});
