import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { lineKey, sizedName } from '../../../src/domain/catalogue/sizes.ts';
import { useDatabase } from '../support/postgres.ts';
import type { OpenOrder, Line } from '../support/shop-database.ts';
import { eachRow } from '../../each-row.ts';

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

  test('is refused where the size is missing, wrong or short', () =>
    eachRow(
      [
        [
          'without a size of a product that has some',
          () => [{ product_id: ring, quantity: 1 }],
          { outcome: 'choose_size', items: [{ name: 'Temple ring', size: null }] },
        ],
        [
          'with a size of a product that has none',
          () => [{ product_id: chain, size: '12', quantity: 1 }],
          { outcome: 'choose_size', items: [{ name: 'Temple ring', size: '12' }] },
        ],
        [
          'with a size that the product has not',
          () => [{ product_id: ring, size: '18', quantity: 1 }],
          { outcome: 'choose_size', items: [{ name: 'Temple ring', size: '18' }] },
        ],
        [
          'when the size is short though others are there',
          () => [
            { product_id: ring, size: '14', quantity: 2 },
            { product_id: ring, size: '16', quantity: 1 },
          ],
          {
            outcome: 'out_of_stock',
            items: [
              { name: 'Temple ring · Size 14', size: '14', requested: 2, available: 1 },
              { size: '16', available: 0 },
            ],
          },
        ],
      ] as const,
      async ([, lines, answer]) => {
        expect(await database.place(customer, [...lines()])).toMatchObject(answer);
        expect(await database.sizesOf(ring)).toBe('12:2 14:1 16:0 = 3');
      },
    ));

  test('raises for bad lines', () =>
    eachRow(
      [
        ['the same size twice', [{ size: '12' }, { size: '12' }]],
        ['an empty size', [{ size: '' }]],
        ['a size that is too long', [{ size: 'x'.repeat(21) }]],
        ['a size that is no text', [{ size: 12 }]],
      ] as const,
      async ([, sizes]) => {
        const lines = sizes.map(
          (size) => ({ product_id: ring, quantity: 1, ...size }) as unknown as Line,
        );
        await expect(database.place(customer, lines)).rejects.toThrow(/size/u);
      },
    ));
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

  test('is refunded when the size was sold in the meantime', async () => {
    const order = await held();
    await database.release(order.id);
    await database.placeOpen(await database.addCustomer(), [
      { product_id: ring, size: '14', quantity: 1 },
    ]);
    expect(await database.markPaid(order)).toBe('refund_due');
    expect(await database.sizesOf(ring)).toBe('12:2 14:0 16:0 = 2');
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

  test('never exceeds what a product may have', async () => {
    const order = await held();
    await setSizes(ring, { '12': 60_000, '14': 39_999 });
    await database.release(order.id);
    expect(await database.sizesOf(ring)).toBe('12:60001 14:39999 = 100000');
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

test('products.stock is the sum of the sizes, whatever happens in whatever order', async () => {
  const sizes = ['12', '14', '16'];
  const step = fc.record({
    kind: fc.constantFrom('place', 'release', 'pay', 'edit', 'remove'),
    size: fc.constantFrom(...sizes),
    quantity: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const [id, customer] = [
        await database.addProduct({ sizes: { '12': 3, '14': 2, '16': 1 } }),
        await database.addCustomer(),
      ];
      const orders: OpenOrder[] = [];
      for (const { kind, size, quantity } of steps) {
        const last = orders.at(-1);
        if (kind === 'place') {
          const { order } = await database.place(customer, [{ product_id: id, size, quantity }]);
          if (!order) continue;
          const razorpay = `order_${String(order.id)}`;
          await database.query('select public.attach_razorpay_order($1, $2)', order.id, razorpay);
          orders.push({ ...order, razorpay_order_id: razorpay });
        } else if (kind === 'release' && last) await database.release(last.id);
        else if (kind === 'pay' && last) await database.markPaid(last);
        else if (kind === 'edit')
          await setSizes(id, { '12': quantity, [size === '12' ? '14' : size]: 1 });
        else if (kind === 'remove') await setSizes(id, { '16': quantity });
        const [list = '', stock = ''] = (await database.sizesOf(id)).split(' = ');
        const counts = list.split(' ').map((entry) => Number(entry.split(':')[1]));
        expect(counts.every((count) => count >= 0)).toBe(true);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(Number(stock));
      }
    }),
    { numRuns: 12 },
  );
});

describe('the table', () => {
  const write = (sizes: unknown) =>
    database.query(
      'update public.products set sizes = $2::jsonb where id = $1',
      ring,
      JSON.stringify(sizes),
    );
  test('refuses what is no list of sizes', () =>
    eachRow(
      [
        ['no list', { size: '1', stock: 1 }],
        ['an entry that is no object', [1]],
        [
          'a size twice',
          [
            { size: '1', stock: 1 },
            { size: '1', stock: 2 },
          ],
        ],
        ['spaces around a size', [{ size: ' 1', stock: 1 }]],
        ['an empty size', [{ size: '', stock: 1 }]],
        ['a size that is too long', [{ size: 'x'.repeat(21), stock: 1 }]],
        ['stock below 0', [{ size: '1', stock: -1 }]],
        ['half a unit', [{ size: '1', stock: 1.5 }]],
        ['an unknown key', [{ size: '1', stock: 1, price: 2 }]],
        [
          'more than a product may have',
          [
            { size: '1', stock: 100_000 },
            { size: '2', stock: 1 },
          ],
        ],
      ] as const,
      async ([, sizes]) => {
        await expect(write(sizes)).rejects.toThrow(/products_(?:known_sizes|stock_check)/u);
      },
    ));

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
