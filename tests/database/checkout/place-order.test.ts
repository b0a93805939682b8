import { beforeEach, describe, expect, test } from 'vitest';
import { shop } from '#settings/shop.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { customerDetails } from '#tests/database/support/shop-database.ts';
import { eachRow } from '#tests/each-row.ts';

const database = await useDatabase();

let customer = '';
let ring = '';
let chain = '';
beforeEach(async () => {
  customer = await database.addCustomer();
  ring = await database.addProduct({ price: 1_000, stock: 5 });
  chain = await database.addProduct({ price: 2_500.5, offerPrice: 1_999.99, stock: 3 });
});

const orders = (): Promise<number> =>
  database.value('select count(*)::int from public.orders where user_id = $1', customer);
const expire = (id: number): Promise<unknown> =>
  database.query(
    `update public.orders set hold_expires_at = now() - interval '1 second' where id = $1`,
    id,
  );

describe('a new order', () => {
  test('holds the stock, copies the products and prices them with the fee', async () => {
    const key = crypto.randomUUID();
    const lines = [
      { product_id: chain, quantity: 2 },
      { product_id: ring, quantity: 1 },
    ];
    const { outcome, order } = await database.place(customer, lines, { key });
    expect(outcome).toBe('placed');
    expect([await database.stockOf(ring), await database.stockOf(chain)]).toEqual([4, 1]);
    const row = await database.orderRow(order?.id ?? 0);
    const { id, merchant_transaction_id, hold_expires_at: until } = row;
    expect(order).toEqual({
      id,
      merchant_transaction_id,
      razorpay_order_id: null,
      payment_id: null,
      total_paise: 511_798,
      online_paise: 511_798,
      currency: 'INR',
      hold_expires_at: expect.any(String) as unknown,
    });
    const copy = { name: 'Temple ring', image: 'products/ring.jpg' };
    expect(row).toMatchObject({
      subtotal_paise: 499_998,
      fee_paise: 11_800,
      total_paise: 511_798,
      fee_bps: 236,
      amount: '5117.98',
      currency: 'INR',
      status: 'PENDING',
      payment_status: 'PENDING',
      items: [
        { product_id: chain, quantity: 2, price: 1_999.99, ...copy },
        { product_id: ring, quantity: 1, price: 1_000, ...copy },
      ],
      user_id: customer,
      idempotency_key: key,
      hold_state: 'held',
      customer_name: customerDetails.name,
      customer_postal_code: customerDetails.postal_code,
      notes: customerDetails.notes,
    });
    expect(merchant_transaction_id).toMatch(
      new RegExp(`^${shop.orderPrefix}${String(id)}-[0-9a-f]{6}$`, 'u'),
    );
    expect(row['next_check_at']).toEqual(until);
    expect(Math.abs(Date.parse(String(until)) - Date.now() - 15 * 60_000)).toBeLessThan(60_000);
  });

  test('keeps its copy when the product is edited or deleted, and can still be released', async () => {
    const order = await database.placeOpen(customer, [
      { product_id: ring, quantity: 2 },
      { product_id: chain, quantity: 1 },
    ]);
    const { items } = await database.orderRow(order.id);
    await database.query(
      `update public.products set name = 'Renamed', price = 1 where id = $1`,
      ring,
    );
    await database.query('delete from public.products where id = $1', chain);
    expect((await database.orderRow(order.id))['items']).toEqual(items);
    expect(await database.release(order.id)).toBe('released');
    expect(await database.stockOf(ring)).toBe(5);
  });
});

describe('nothing is placed', () => {
  const unchanged = async (): Promise<void> => {
    expect([await orders(), await database.stockOf(ring), await database.stockOf(chain)]).toEqual([
      0, 5, 3,
    ]);
  };

  test('for a product that is not sold', async () => {
    const [gone, never] = [await database.addProduct(), crypto.randomUUID()];
    await database.query('delete from public.products where id = $1', gone);
    const lines = [gone, ring, never].map((id) => ({ product_id: id, quantity: 1 }));
    expect(await database.place(customer, lines, { expected: 100 })).toEqual({
      outcome: 'unknown_product',
      product_ids: [gone, never],
    });
    await unchanged();
  });

  test('when one product is short', async () => {
    expect(
      await database.place(customer, [
        { product_id: ring, quantity: 5 },
        { product_id: chain, quantity: 4 },
      ]),
    ).toEqual({
      outcome: 'out_of_stock',
      items: [{ product_id: chain, name: 'Temple ring', requested: 4, available: 3 }],
    });
    await unchanged();
  });

  test('at another total than the cart shows, even by one paisa', async () => {
    for (const expected of [102_359, 102_361, 0, -1]) {
      expect(
        await database.place(customer, [{ product_id: ring, quantity: 1 }], { expected }),
      ).toMatchObject({
        outcome: 'price_changed',
        subtotal_paise: 100_000,
        fee_paise: 2_360,
        total_paise: 102_360,
        items: [{ product_id: ring, price: 1_000 }],
      });
    }
    await unchanged();
  });

  test('below one rupee or above ten lakh; at both limits it is', async () => {
    const priced = (price: number): Promise<string> => database.addProduct({ price, stock: 100 });
    const attempt = async (price: number, quantity: number): Promise<string> =>
      (await database.place(customer, [{ product_id: await priced(price), quantity }])).outcome;
    expect(await attempt(0.97, 1)).toBe('amount_out_of_range');
    expect(await attempt(0.98, 1)).toBe('placed');
    expect(await attempt(976_944.12, 1)).toBe('placed');
    expect(await attempt(976_944.13, 1)).toBe('amount_out_of_range');
    const [huge, stock] = [await priced(1_000_000), 100];
    expect(await database.place(customer, [{ product_id: huge, quantity: stock }])).toMatchObject({
      outcome: 'amount_out_of_range',
      total_paise: 10_236_000_000,
    });
  });
});

describe('the same try again', () => {
  test('with its key is the same order, with the newest details and a fresh hold', async () => {
    const [key, lines] = [crypto.randomUUID(), [{ product_id: ring, quantity: 2 }]];
    const { id } = await database.placeOpen(customer, lines, { key, holdSeconds: 60 });
    const held = async (): Promise<number> =>
      Date.parse(String((await database.orderRow(id))['hold_expires_at']));
    const before = await held();
    const again = await database.place(customer, lines, { key, details: { name: 'Asha' } });
    expect([again.outcome, again.order?.id]).toEqual(['reused', id]);
    expect(await database.orderRow(id)).toMatchObject({ customer_name: 'Asha' });
    expect(await held()).toBeGreaterThan(before + 600_000);
    expect([await orders(), await database.stockOf(ring)]).toEqual([1, 3]);
  });

  test('with a new key and the lines in another order is the same order; both keys of the day are remembered by the last', async () => {
    const lines = [
      { product_id: ring, quantity: 1 },
      { product_id: chain, quantity: 1 },
    ];
    const [first, key] = [await database.placeOpen(customer, lines), crypto.randomUUID()];
    const again = await database.place(customer, lines.toReversed(), { key });
    expect(again).toMatchObject({
      outcome: 'reused',
      order: { id: first.id, razorpay_order_id: first.razorpay_order_id },
    });
    await database.markPaid(first, 'pay_last_key');
    expect(await database.place(customer, lines, { key })).toMatchObject({
      outcome: 'paid',
      order: { id: first.id, payment_id: 'pay_last_key' },
    });
  });

  test('is priced anew: an old price is never renewed, whatever key it comes with', async () => {
    const [key, lines] = [crypto.randomUUID(), [{ product_id: ring, quantity: 1 }]];
    const { order: first } = await database.place(customer, lines, { key });
    const expected = first?.total_paise ?? 0;
    await database.query('update public.products set price = 1200 where id = $1', ring);
    expect((await database.place(customer, lines, { key, expected })).outcome).toBe('expired');
    expect(await database.place(customer, lines, { expected })).toMatchObject({
      outcome: 'price_changed',
      total_paise: 122_832,
    });
    expect(await database.place(customer, lines)).toMatchObject({
      outcome: 'placed',
      order: { total_paise: 122_832 },
    });
  });

  test('is not renewed once its product is hidden or deleted, whatever key it comes with', () =>
    eachRow(['hidden = true', 'deleted_at = now()'], async (edit) => {
      const product = await database.addProduct();
      const [key, lines] = [crypto.randomUUID(), [{ product_id: product, quantity: 1 }]];
      const expected = (await database.placeOpen(customer, lines, { key })).total_paise;
      await database.query(`update public.products set ${edit} where id = $1`, product);
      expect((await database.place(customer, lines, { key, expected })).outcome).toBe('expired');
      expect((await database.place(customer, lines, { expected })).outcome).toBe('unknown_product');
    }));

  test.each(['released', 'expired'])(
    'with the key of a %s order asks for a new key',
    async (ending) => {
      const [key, lines] = [crypto.randomUUID(), [{ product_id: ring, quantity: 1 }]];
      const first = await database.placeOpen(customer, lines, { key });
      await (ending === 'released' ? database.release(first.id) : expire(first.id));
      expect((await database.place(customer, lines, { key })).outcome).toBe('expired');
      const next = await database.place(customer, lines);
      expect(next.outcome).toBe('placed');
      expect(next.order?.id).not.toBe(first.id);
      expect(await database.stockOf(ring)).toBe(4);
    },
  );

  test('with the key of another customer is a new order', async () => {
    const [key, lines] = [crypto.randomUUID(), [{ product_id: ring, quantity: 1 }]];
    const first = await database.placeOpen(customer, lines, { key });
    const other = await database.place(await database.addCustomer(), lines, { key });
    expect(other.outcome).toBe('placed');
    expect(other.order?.id).not.toBe(first.id);
  });
});

describe('another cart of the same customer', () => {
  test('does not change paid orders or orders of others', async () => {
    const paid = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
    await database.markPaid(paid);
    const other = await database.addCustomer();
    await database.placeOpen(other, [{ product_id: ring, quantity: 1 }]);
    expect((await database.place(customer, [{ product_id: ring, quantity: 1 }])).outcome).toBe(
      'placed',
    );
    expect(await database.stockOf(ring)).toBe(2);
  });
});
