import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sqlState } from '../support/database.ts';
import { useDatabase } from '../support/postgres.ts';
import { customerDetails } from '../support/shop-database.ts';
import { eachRow } from '../../each-row.ts';

/*
 * The functions check the arguments of place_order before; these are the database's own checks, for the day when
 * that check is wrong. Every refusal is SQLSTATE 22023, and nothing is written.
 */
const database = await useDatabase();
const customer = await database.addCustomer();
const ring = await database.addProduct({ price: 1_000, stock: 100 });

type Arguments = [
  user: unknown,
  key: unknown,
  lines: unknown,
  customer: unknown,
  expected: unknown,
  bps: unknown,
  hold: unknown,
];
const good = (): Arguments => [
  customer,
  crypto.randomUUID(),
  JSON.stringify([{ product_id: ring, quantity: 1 }]),
  JSON.stringify(customerDetails),
  102_360,
  236,
  900,
];
const place = (values: Arguments): Promise<string> =>
  sqlState(
    database.query(
      'select public.place_order($1, $2, $3::jsonb, $4::jsonb, $5, $6, $7)',
      ...values,
    ),
  );

const withLines = (lines: unknown): Arguments => {
  const values = good();
  // A text is sent as it is: JSON can say numbers that JavaScript cannot.
  values[2] = typeof lines === 'string' ? lines : JSON.stringify(lines);
  return values;
};
const withCustomer = (details: unknown): Arguments => {
  const values = good();
  values[3] = JSON.stringify(details);
  return values;
};
const isUntouched = async (): Promise<void> => {
  expect(await database.value('select count(*)::int from public.orders')).toBe(0);
  expect(await database.value('select stock from public.products where id = $1', ring)).toBe(100);
};

describe('place_order refuses', () => {
  const line = (quantity: string): string => `[{"product_id":"${ring}","quantity":${quantity}}]`;

  test('a quantity that is no whole number from 1 to 100,000', () =>
    eachRow(
      [
        '0',
        '-1',
        '-0.0',
        '1.5',
        '1.0',
        '1e309',
        '1e6',
        '100001',
        '99999999999999999999',
        '"1"',
        'null',
        'true',
        '[]',
        '{}',
        '[1]',
      ],
      async (quantity) => {
        expect(await place(withLines(line(quantity)))).toBe('22023');
        await isUntouched();
      },
    ));

  test('a value that is no product id', () =>
    eachRow(
      [
        '',
        'ring',
        ' ',
        '00000000',
        `${ring} `,
        `{${ring}}`,
        ring.replaceAll('-', ''),
        `${ring}'; drop table public.orders; --`,
        'urn:uuid:' + ring,
        7,
        null,
        true,
        [ring],
        { id: ring },
      ],
      async (id) => {
        expect(await place(withLines([{ product_id: id, quantity: 1 }]))).toBe('22023');
        await isUntouched();
      },
    ));

  test('lines that are not a list of different products, or more than 50', () =>
    eachRow(
      [
        ['no list', null],
        ['an object', { product_id: ring, quantity: 1 }],
        ['a text', '"ring"'],
        ['a number', '1'],
        ['an empty list', []],
        ['a list of texts', [ring]],
        ['a list of lists', [[ring, 1]]],
        ['a list with null', [null]],
        ['a line without id', [{ quantity: 1 }]],
        ['a line without quantity', [{ product_id: ring }]],
        [
          'a good line and a bad one',
          [
            { product_id: ring, quantity: 1 },
            { product_id: crypto.randomUUID(), quantity: 0 },
          ],
        ],
        [
          'a product twice',
          [
            { product_id: ring, quantity: 1 },
            { product_id: ring, quantity: 2 },
          ],
        ],
        [
          'a product twice in two spellings',
          [
            { product_id: ring, quantity: 1 },
            { product_id: ring.toUpperCase(), quantity: 1 },
          ],
        ],
        [
          '51 lines',
          Array.from({ length: 51 }, () => ({ product_id: crypto.randomUUID(), quantity: 1 })),
        ],
        ['10,000 lines', Array.from({ length: 10_000 }, () => ({ product_id: ring, quantity: 1 }))],
      ],
      async ([, lines]) => {
        expect(await place(withLines(lines))).toBe('22023');
        await isUntouched();
      },
    ));

  test('a customer with a field missing, too long or of another kind', () =>
    eachRow(
      [
        ['no object', null],
        ['a list', []],
        ['nothing in it', {}],
        ...Object.entries({
          name: 100,
          email: 255,
          phone: 20,
          address: 500,
          city: 100,
          postal_code: 10,
          notes: 1_000,
        }).flatMap(([field, longest]): [string, unknown][] => [
          [`${field} too long`, { ...customerDetails, [field]: '@'.repeat(longest + 1) }],
          [`${field} as a number`, { ...customerDetails, [field]: 7 }],
          [`${field} as a list`, { ...customerDetails, [field]: ['x@y.z'] }],
          ...(field === 'notes'
            ? []
            : ([
                [`${field} blank`, { ...customerDetails, [field]: '  ' }],
                [`${field} missing`, { ...customerDetails, [field]: null }],
              ] as [string, unknown][])),
        ]),
        ['an e-mail without @', { ...customerDetails, email: 'nobody' }],
      ],
      async ([, details]) => {
        expect(await place(withCustomer(details))).toBe('22023');
        await isUntouched();
      },
    ));

  test('anything else that is missing or out of bounds', () =>
    eachRow(
      [
        ['no customer', 0, null],
        ['no key', 1, null],
        ['no lines', 2, null],
        ['no customer', 3, null],
        ['no total', 4, null],
        ['no fee', 5, null],
        ['a negative fee', 5, -1],
        ['a fee above the price', 5, 10_001],
        ['no hold', 6, null],
        ['a hold of no time', 6, 0],
        ['a hold of two days', 6, 172_800],
      ],
      async ([, index, value]) => {
        const values = good();
        values[index] = value;
        expect(await place(values)).toBe('22023');
        await isUntouched();
      },
    ));

  test('any other JSON for lines, without failing in another way', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 4 }), async (lines) => {
        // PostgreSQL's jsonb itself refuses \u0000 and lone surrogates.
        expect(['22023', '22P02', '22P05']).toContain(await place(withLines(lines)));
      }),
      { numRuns: 150 },
    );
    await isUntouched();
  });
});

test('a customer who does not exist cannot order', async () => {
  const values = good();
  values[0] = crypto.randomUUID();
  expect(await place(values)).toBe('23503');
  await isUntouched();
});
