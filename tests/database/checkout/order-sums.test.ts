import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chargesOf } from '#domain/sums/charges.ts';
import { rowsPaise, sumRows, type Charge, type SumRow } from '#domain/sums/sum-rows.ts';
import { eachRow } from '#tests/each-row.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { sqlState } from '#tests/database/support/database.ts';
import { sampleCash } from '#tests/sample-cash.ts';

/* An order's total is the sum of its rows, which SQL and TypeScript compute alike. */
const database = await useDatabase();

const amounts = (rows: readonly Pick<SumRow, 'kind' | 'paise'>[]): string[] =>
  rows.filter(({ paise }) => paise !== 0).map(({ kind, paise }) => `${kind} ${String(paise)}`);
const rowsOf = (orderId: number | undefined): Promise<SumRow[]> =>
  database.value('select sum_rows from public.orders where id = $1', orderId);

/** A charge that the shop does not have, of which nothing but its row knows. */
const wrapping: Charge = {
  kind: 'gift_wrap',
  label: 'Gift wrapping',
  tax: 'goods',
  refund: 'last',
  paise: 4_900,
};
const usual = chargesOf({ way: 'now' }, { platformFeeBps: 236, cash: null });

const anyCharge = fc
  .record({
    kind: fc.stringMatching(/^[a-z]{1,9}$/u).filter((kind) => kind !== 'goods'),
    label: fc.constant('A charge'),
    tax: fc.constantFrom('goods' as const, 'fee' as const),
    refund: fc.constantFrom('share' as const, 'last' as const),
  })
  .chain((charge) =>
    fc.oneof(
      fc.integer({ min: 0, max: 10_000 }).map((bps) => ({ ...charge, bps })),
      fc.integer({ min: 0, max: 999_999_999 }).map((paise) => ({ ...charge, paise })),
    ),
  );
/** Charges as the site gives them: each kind once, and rounding last. */
const anyCharges: fc.Arbitrary<Charge[]> = fc
  .tuple(
    fc.uniqueArray(anyCharge, { maxLength: 5, selector: ({ kind }) => kind }),
    fc.option(fc.constantFrom(1, 5, 100, 1_000, 9_999)),
  )
  .map(([charges, to]) =>
    to === null ? charges : [...charges, { ...wrapping, kind: 'rounding_up', to }],
  );

test('the rows are the same in SQL and in TypeScript, for any goods, discount and charges', async () => {
  const cart = fc.record({
    goods: fc.integer({ min: 0, max: 100_000_000_000 }),
    percent: fc.integer({ min: 0, max: 100 }),
    charges: anyCharges,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(cart, { minLength: 100, maxLength: 100 }), async (carts) => {
      const all = carts
        .map(({ goods, percent, charges }) => ({
          goods,
          off: Math.floor((goods * percent) / 100),
          charges,
        }))
        // Halves are where rounding differs.
        .concat(
          [0, 1, 21, 22, 106, 107, 625, 1_875].map((goods) => ({
            goods,
            off: 0,
            charges: [{ ...wrapping, kind: 'fee', bps: 800 }],
          })),
          [4_949, 4_950, 4_951].map((goods) => ({
            goods,
            off: 0,
            charges: [{ ...wrapping, kind: 'rounding', to: 100 }],
          })),
        );
      const rows = await database.query<{ rows: SumRow[]; total: string }>(
        `select r as rows, private.rows_paise(r) as total
         from unnest($1::bigint[], $2::bigint[], $3::text[]) with ordinality t (goods, off, charges, i),
           lateral private.sum_rows(goods, jsonb_build_object('label', 'ONAM', 'paise', off), charges::jsonb) r
         order by i`,
        all.map(({ goods }) => goods),
        all.map(({ off }) => off),
        all.map(({ charges }) => JSON.stringify(charges)),
      );
      const own = all.map(({ goods, off, charges }) =>
        sumRows(goods, { label: 'ONAM', paise: off }, charges),
      );
      expect(rows.map((row) => amounts(row.rows))).toEqual(own.map(amounts));
      expect(rows.map(({ total }) => Number(total))).toEqual(own.map((list) => rowsPaise(list)));
      // What was charged is charged again when nothing has changed.
      const again = await database.column<SumRow[]>(
        `select private.sum_rows(
           private.rows_paise(r, 'goods'), jsonb_build_object('label', 'ONAM', 'paise', -private.rows_paise(r, 'discount')), r
         ) from unnest($1::text[]) t (x), lateral (select x::jsonb as r) j`,
        rows.map((row) => JSON.stringify(row.rows)),
      );
      expect(again).toEqual(rows.map((row) => row.rows));
    }),
    { numRuns: 20 },
  );
});

test('an order of this site has rows with words and tax, and the columns that the site of before reads', async () => {
  const ring = await database.addProduct({ price: 1_000, stock: 9 });
  const { order } = await database.place(
    await database.addCustomer(),
    [{ product_id: ring, quantity: 2 }],
    { charges: [...usual, wrapping] },
  );
  expect(await rowsOf(order?.id)).toEqual([
    { kind: 'goods', paise: 200_000 },
    { ...usual[0], paise: 4_720 },
    wrapping,
  ]);
  expect(
    await database.one(
      `select subtotal_paise::int as goods, fee_paise::int as fee, fee_bps as bps, total_paise::int as total
       from public.orders where id = $1`,
      order?.id,
    ),
  ).toEqual({ goods: 200_000, fee: 4_720, bps: 236, total: 209_620 });
});

test('an order of release 1.3.2 gets the rows of the fee and the charge that it gives', async () => {
  const ring = await database.addProduct({ price: 1_000, stock: 9 });
  const cash = JSON.stringify({
    charge_paise: sampleCash.charge,
    min_paise: 100,
    max_paise: 10_000_000,
    confirm_seconds: 600,
    refused_days: 1,
  });
  const placed = await database.value<{ order: { id: number } }>(
    'select public.place_order($1, gen_random_uuid(), $2::jsonb, $3::jsonb, $4, 236, 900, p_cash => $5::jsonb)',
    ...[await database.addCustomer(), JSON.stringify([{ product_id: ring, quantity: 1 }])],
    ...[JSON.stringify(details), 102_360 + sampleCash.charge, cash],
  );
  expect(amounts(await rowsOf(placed.order.id))).toEqual([
    'goods 100000',
    'fee 2360',
    'cash_charge 5000',
  ]);
});

const details = {
  name: 'Anjali Menon',
  email: 'anjali@example.com',
  phone: '+91 98470 12345',
  address: 'House 12',
  city: 'Kochi',
  postal_code: '682001',
  notes: '',
};

test('a charge is refused that is none', () =>
  eachRow<[unknown]>(
    [
      [{}],
      [['gift_wrap']],
      [[{ ...wrapping, kind: 'goods' }]],
      [[{ ...wrapping, kind: 'Gift wrap' }]],
      [[{ ...wrapping, label: '' }]],
      [[{ ...wrapping, tax: 'lines' }]],
      [[{ ...wrapping, refund: undefined }]],
      [[{ ...wrapping, paise: undefined }]],
      [[{ ...wrapping, bps: 236 }]],
      [[{ ...wrapping, paise: -1 }]],
      [[{ ...wrapping, paise: 49.5 }]],
      [[{ ...wrapping, paise: 1e9 }]],
      [[{ ...wrapping, paise: undefined, bps: 10_001 }]],
      [[{ ...wrapping, paise: undefined, to: 0 }]],
      [[wrapping, wrapping]],
      [
        [
          { ...wrapping, paise: undefined, to: 100 },
          { ...wrapping, kind: 'later' },
        ],
      ],
    ],
    async ([charges]) => {
      const check = (value: unknown): Promise<unknown> =>
        database.value('select private.check_charges($1::jsonb)', JSON.stringify(value));
      expect(await sqlState(check(charges))).toBe('22023');
      expect(await sqlState(check([...usual, wrapping]))).toBe('none');
    },
  ));

test('a cart that is ordered again is the same order only while each of its rows is the same', async () => {
  const ring = await database.addProduct({ price: 1_000, stock: 9 });
  const customer = await database.addCustomer();
  const lines = [{ product_id: ring, quantity: 1 }];
  const first = await database.place(customer, lines, { charges: [...usual, wrapping] });
  const again = await database.place(customer, lines, { charges: [...usual, wrapping] });
  expect([again.outcome, again.order?.id]).toEqual(['reused', first.order?.id]);
  // Another charge of the same amount is another order, though the total is equal.
  const other = await database.place(customer, lines, {
    charges: [...usual, { ...wrapping, kind: 'express', label: 'Express' }],
  });
  expect(other.outcome).toBe('placed');
  expect(other.order?.id).not.toBe(first.order?.id);
  expect(amounts(await rowsOf(other.order?.id))).toContain('express 4900');
});

test('an attempt goes on only while its rows are the same', async () => {
  const ring = await database.addProduct({ price: 1_000, stock: 9 });
  const customer = await database.addCustomer();
  const lines = [{ product_id: ring, quantity: 1 }];
  const key = crypto.randomUUID();
  const charges = [...usual, wrapping];
  expect((await database.place(customer, lines, { key, charges })).outcome).toBe('placed');
  expect((await database.place(customer, lines, { key, charges })).outcome).toBe('reused');
  const express = { ...wrapping, kind: 'express' };
  const other = await database.place(customer, lines, { key, charges: [...usual, express] });
  expect(other.outcome).toBe('expired');
});

test('a late payment buys at the charges that its order was placed with', async () => {
  const ring = await database.addProduct({ price: 1_000, stock: 9 });
  const lines = [{ product_id: ring, quantity: 1 }];
  const charges = [...usual, wrapping];
  const refusal = async (price: number): Promise<string | null> => {
    const { order } = await database.place(await database.addCustomer(), lines, { charges });
    await database.run(`update public.products set price = ${String(price)} where id = '${ring}'`);
    const found = await database.value<string | null>(
      'select private.late_refusal(o, null) from public.orders o where id = $1',
      order?.id,
    );
    await database.run(`update public.products set price = 1000 where id = '${ring}'`);
    return found;
  };
  expect(await refusal(1_000)).toBeNull();
  expect(await refusal(999)).toBeNull();
  expect(await refusal(1_000.01)).toBe('price_changed');
});

test('rows that do not add up to the total are refused', async () => {
  const ring = await database.addProduct({ price: 1_000, stock: 9 });
  const { order } = await database.place(await database.addCustomer(), [
    { product_id: ring, quantity: 1 },
  ]);
  const set = (paise: number): Promise<unknown> =>
    database.query(
      `update public.orders set sum_rows = jsonb_build_array(jsonb_build_object('kind', 'goods', 'paise', $2::int)) where id = $1`,
      order?.id,
      paise,
    );
  expect(await sqlState(set(1))).toBe('23514');
  expect(await sqlState(set(102_360))).toBe('none');
});

test('the rows of an order of before come from its columns, and an order that does not add up has none', async () => {
  const rows = (...columns: readonly (number | string | null)[]): Promise<SumRow[] | null> =>
    database.value('select private.rows_of_columns($1, $2, $3, $4, $5, $6, $7)', ...columns);
  expect(amounts((await rows(97_124, 100_000, 'ONAM', 10_000, 2_124, 236, 5_000)) ?? [])).toEqual([
    'goods 100000',
    'discount -10000',
    'fee 2124',
    'cash_charge 5000',
  ]);
  // Without its share in hundredths of a percent the fee stays what it was.
  expect(amounts((await rows(102_360, 100_000, null, 0, 2_360, null, 0)) ?? [])).toEqual([
    'goods 100000',
    'fee 2360',
  ]);
  // A free replacement.
  expect(amounts((await rows(0, 100_000, null, 100_000, 0, 0, 0)) ?? [])).toEqual([
    'goods 100000',
    'discount -100000',
  ]);
  expect(await rows(97_125, 100_000, 'ONAM', 10_000, 2_124, 236, 5_000)).toBeNull();
  expect(await rows(null, null, null, 0, null, null, 0)).toBeNull();
});
