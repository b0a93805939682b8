import { beforeEach, describe, expect, test } from 'vitest';
import { lineKey, sizedName } from '#domain/catalogue/sizes.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import type { Line } from '#tests/database/support/shop-database.ts';
import { eachRow } from '#tests/each-row.ts';

const database = await useDatabase();

let customer = '';
let ring = '';
let chain = '';
beforeEach(async () => {
  customer = await database.addCustomer();
  ring = await database.addProduct({ sizes: { '12': 2, '14': 1, '16': 0 } });
  chain = await database.addProduct({ stock: 4 });
});
const setSizes = (
  id: string,
  sizes: Readonly<Record<string, number>>,
  stock = 0,
): Promise<unknown> =>
  database.query(
    'update public.products set sizes = $2::jsonb, stock = case when $3 > 0 then $3 else stock end where id = $1',
    ...[
      id,
      JSON.stringify(Object.entries(sizes).map(([size, count]) => ({ size, stock: count }))),
      stock,
    ],
  );

describe('an order of a size', () => {
  test('takes from that size, and its items say which; two sizes are two lines', async () => {
    const lines = [
      { product_id: ring, size: '12', quantity: 2 },
      { product_id: chain, quantity: 1 },
      { product_id: ring, size: '14', quantity: 1 },
    ];
    const order = await database.placeOpen(customer, lines);
    expect(order.total_paise).toBe(409_440);
    expect([await database.sizesOf(ring), await database.sizesOf(chain)]).toEqual([
      '12:0 14:0 16:0 = 0',
      ' = 3',
    ]);
    const { items } = await database.orderRow(order.id);
    expect(items).toMatchObject([
      { name: 'Temple ring · Size 12', size: '12' },
      { name: 'Temple ring' },
      { name: sizedName('Temple ring', '14'), size: '14' },
    ]);
    expect((items as object[])[1]).not.toHaveProperty('size');
    const keys = await database.query<{ key: string }>(
      'select private.line_key(i) as key from jsonb_array_elements($1::jsonb) i',
      JSON.stringify(items),
    );
    expect(keys.map(({ key }) => key)).toEqual([
      lineKey(ring, '12'),
      lineKey(chain),
      lineKey(ring, '14'),
    ]);
  });

  test('is another cart than one of another size, and the same one in another order of lines', async () => {
    const [twelve, fourteen] = ['12', '14'].map((size) => ({
      product_id: ring,
      size,
      quantity: 1,
    }));
    if (!twelve || !fourteen) throw new Error('two lines');
    const first = await database.placeOpen(customer, [twelve, fourteen]);
    expect(await database.place(customer, [fourteen, twelve])).toMatchObject({
      outcome: 'reused',
      order: { id: first.id },
    });
    expect((await database.place(customer, [{ ...twelve, quantity: 2 }])).outcome).toBe('placed');
    expect(await database.sizesOf(ring)).toBe('12:0 14:1 16:0 = 1');
  });

  test('is refused where the size is missing, wrong or short', () => {
    const short = { name: 'Temple ring · Size 14', size: '14', requested: 2, available: 1 };
    return eachRow(
      [
        [{ product_id: ring }, 'choose_size', { name: 'Temple ring', size: null }],
        [{ product_id: chain, size: '12' }, 'choose_size', { name: 'Temple ring', size: '12' }],
        [{ product_id: ring, size: '18' }, 'choose_size', { name: 'Temple ring', size: '18' }],
        // Others are there.
        [{ product_id: ring, size: '14' }, 'out_of_stock', short],
      ] as const,
      async ([line, outcome, item]) => {
        const quantity = outcome === 'out_of_stock' ? 2 : 1;
        expect(await database.place(customer, [{ ...line, quantity }])).toMatchObject({
          outcome,
          items: [item],
        });
        expect(await database.sizesOf(ring)).toBe('12:2 14:1 16:0 = 3');
      },
    );
  });

  test('raises for the same size twice, and for one that is empty, too long or no text', () =>
    eachRow([['12', '12'], [''], ['x'.repeat(41)], [12]], async (sizes) => {
      const lines = sizes.map((size) => ({ product_id: ring, quantity: 1, size }) as Line);
      await expect(database.place(customer, lines)).rejects.toThrow(/size/u);
    }));
});

describe('returned stock', () => {
  const held = () =>
    database.placeOpen(customer, [
      { product_id: ring, size: '14', quantity: 1 },
      { product_id: ring, size: '12', quantity: 1 },
    ]);

  test('goes to its size; a late payment takes it from there again', async () => {
    const order = await held();
    await database.release(order.id);
    expect(await database.sizesOf(ring)).toBe('12:2 14:1 16:0 = 3');
    expect(await database.markPaid(order)).toBe('paid');
    expect(await database.sizesOf(ring)).toBe('12:1 14:0 16:0 = 1');
  });

  test('adds a size back at the end that was removed in the meantime, which is a change of the page', async () => {
    const order = await held();
    await setSizes(ring, { '16': 3 });
    const version = () => database.value<string>('select version from public.catalogue_version');
    const before = await version();
    await database.release(order.id);
    expect(await database.sizesOf(ring)).toBe('16:3 12:1 14:1 = 5');
    expect(await version()).not.toBe(before);
  });

  test('goes to the product when it has no sizes any more, and a late payment takes all of it or none', async () => {
    const order = await held();
    await setSizes(ring, {}, 7);
    await database.release(order.id);
    expect(await database.sizesOf(ring)).toBe(' = 9');
    await setSizes(ring, {}, 1);
    expect(await database.markPaid(order)).toBe('refund_due');
    expect(await database.sizesOf(ring)).toBe(' = 1');
  });

  test('is left to the admin when it was sold before there were sizes', async () => {
    const order = await database.placeOpen(customer, [{ product_id: chain, quantity: 1 }]);
    await setSizes(chain, { S: 2 });
    await database.release(order.id);
    expect(await database.sizesOf(chain)).toBe('S:2 = 2');
  });

  test('returned stock of a paid order is counted by size', async () => {
    const order = await held();
    await database.markPaid(order, 'pay_sizes_back');
    const refund = (restock: Readonly<Record<string, number>>) => {
      const sql = `select public.request_refund($1, gen_random_uuid(), 10000, '', $2::jsonb, $2::jsonb) as answer`;
      return database.value<unknown>(sql, order.id, JSON.stringify(restock));
    };
    const key = lineKey(ring, '14');
    expect(await refund({ [key]: 1 })).toEqual({ outcome: 'refunding' });
    expect(await database.sizesOf(ring)).toBe('12:1 14:1 16:0 = 2');
    expect(await refund({ [key]: 1 })).toEqual({ outcome: 'too_many_items', line_key: key });
    expect(await refund({ [ring]: 1 })).toEqual({ outcome: 'too_many_items', line_key: ring });
    const mail = `select payload -> 'items' as items from public.outbox where order_id = $1 and kind = 'refund_notice'`;
    expect(await database.value(mail, order.id)).toEqual([
      { name: 'Temple ring · Size 14', quantity: 1 },
    ]);
    await database.query(`select public.cancel_order($1, gen_random_uuid(), '', true)`, order.id);
    expect(await database.sizesOf(ring)).toBe('12:2 14:1 16:0 = 3');
  });
});

describe('the table', () => {
  const write = (sizes: unknown) =>
    database.query(
      'update public.products set sizes = $2::jsonb where id = $1',
      ring,
      JSON.stringify(sizes),
    );
  test('refuses what is no list of sizes', () => {
    const of = (...sizes: object[]) => sizes.map((size) => ({ size: '1', stock: 1, ...size }));
    return eachRow(
      [
        { size: '1', stock: 1 },
        [1],
        of({}, { stock: 2 }),
        ...[{ size: ' 1' }, { size: '' }, { size: 'x'.repeat(41) }].map((entry) => of(entry)),
        ...[{ stock: -1 }, { stock: 1.5 }, { price: 2 }].map((entry) => of(entry)),
        of({ stock: 100_000 }, { size: '2' }),
      ],
      async (sizes) => {
        await expect(write(sizes)).rejects.toThrow(/products_(?:known_sizes|stock_check)/u);
      },
    );
  });

  test('takes a sum from nobody', async () => {
    await expect(
      database.query('update public.products set stock = 9 where id = $1', ring),
    ).rejects.toThrow(/sum of its sizes/u);
    await database.query(
      'update public.products set stock = 9, sizes = $2::jsonb where id = $1',
      ring,
      '[{"size":"12","stock":4}]',
    );
    expect(await database.sizesOf(ring)).toBe('12:4 = 4');
  });
});
