import fc from 'fast-check';
import { expect, test } from 'vitest';
import createOrderEndpoint from '#netlify/functions/payment-create-order.ts';
import { reportFigures } from '#tests/figures.ts';
import { times } from '#tests/soak.ts';
import { customerDetails, useStack, type Stack } from '#tests/functions/support/stack.ts';
import { eachRow } from '#tests/each-row.ts';

const stack = await useStack();
const customer = await stack.signUp();
const ring = await stack.addProduct({ price: 1_000, stock: 10 });

/** JSON text can say numbers that JSON.stringify cannot; '@1e309' is sent as 1e309. */
const toJson = (value: unknown): string => JSON.stringify(value).replaceAll(/"@([^"]+)"/gu, '$1');

const oddQuantities = [
  -1,
  0,
  1.5,
  '1',
  null,
  true,
  '@1e309',
  '@-0',
  2 ** 53,
  [],
  {},
  100_001,
] as const;
const quantity = fc.oneof(
  fc.constantFrom<unknown>(...oddQuantities),
  fc.integer({ max: 0 }),
  fc.integer({ min: 100_001 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }),
);
const productId = fc.constantFrom<unknown>(
  '',
  'ring',
  1,
  null,
  "'; drop table orders; --",
  '00000000',
  {},
  [],
);
const line = fc.oneof(
  quantity.map((wrong) => ({ product_id: ring, quantity: wrong })),
  productId.map((wrong) => ({ product_id: wrong, quantity: 1 })),
  fc.constantFrom<unknown>(null, 'ring', 7, [], {}),
);
const products = fc.oneof(
  // One wrong line alone, so that no other is the reason for the refusal.
  line.map((wrong) => [wrong]),
  fc.constantFrom<unknown>([], null, 'ring', {}, 1),
  // The same product twice, under one spelling or two.
  fc
    .boolean()
    .map((upper) =>
      [ring, upper ? ring.toUpperCase() : ring].map((id) => ({ product_id: id, quantity: 1 })),
    ),
  fc
    .integer({ min: 51, max: 300 })
    .map((length) =>
      Array.from({ length }, () => ({ product_id: crypto.randomUUID(), quantity: 1 })),
    ),
);
const total = fc.constantFrom<unknown>(
  -1_023.6,
  0,
  '1023.60',
  null,
  '@1e309',
  '@-1e309',
  {},
  [],
  1e300,
  true,
);
const field = fc.oneof(
  fc.constantFrom<[string, unknown]>(
    ['customer_name', 'A'],
    ['customer_name', 'A'.repeat(101)],
    ['customer_email', 'nobody'],
    ['customer_email', `a@b.example\r\nbcc: x@y.example`],
    ['customer_email', `${'a'.repeat(250)}@b.example`],
    ['customer_phone', '12345'],
    ['customer_phone', '1'.repeat(21)],
    ['customer_address', 'short'],
    ['customer_address', 'x'.repeat(501)],
    ['customer_city', ' K '],
    ['customer_postal_code', '1'],
    ['recipient_phone', '98950'],
    ['gift_note', 'x'.repeat(201)],
    ['notes', 'x'.repeat(1_001)],
    ['notes', 'Ring twice\u0000'],
    ['customer_name', 'Anjali \ud83d'],
    ['customer_address', '\udc8d House 12, Canal Road'],
  ),
  fc.tuple(
    fc.constantFrom(
      'customer_name',
      'customer_email',
      'customer_phone',
      'customer_address',
      'customer_city',
    ),
    fc.constantFrom<unknown>(null, 7, {}, [], ''),
  ),
);

/** One thing wrong with an order that would be taken otherwise. */
const wrongBody: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  products.map((wrong) => ({ products: wrong })),
  total.map((wrong) => ({ total_amount: wrong })),
  field.map(([name, wrong]) => ({ [name]: wrong })),
);

const post = (body: string, headers: Record<string, string> = {}): ReturnType<Stack['call']> =>
  stack.call(createOrderEndpoint, '/api/payment/create-order', {
    method: 'POST',
    token: customer.token,
    headers: {
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
      ...headers,
    },
    body,
  });

const written = async (): Promise<unknown> =>
  (
    await stack.sql(
      'select (select count(*) from public.orders) as orders, (select sum(stock) from public.products) as stock',
    )
  )[0];

test('bad orders of every kind are all refused with a message, and nothing is written or sent to the provider', async () => {
  const before = await written();
  const statuses: number[] = [];
  await fc.assert(
    fc.asyncProperty(wrongBody, async (wrong) => {
      const good = {
        ...customerDetails,
        products: [{ product_id: ring, quantity: 1 }],
        total_amount: 1_023.6,
      };
      const answer = await post(toJson({ ...good, ...wrong }));
      statuses.push(answer.status);
      expect(answer.status).toBe(400);
      expect(answer.json['error']).toBe('invalid_request');
      expect(answer.json['message']).toEqual(expect.stringMatching(/\S/u));
    }),
    { numRuns: times(150, 600) },
  );
  reportFigures(3, {
    'bad orders': statuses.length,
    'not refused': statuses.filter((status) => status < 400 || status > 499).length,
    'calls of the provider': stack.razorpay.calls.length,
    'changes of rows': JSON.stringify(await written()) === JSON.stringify(before) ? 0 : 1,
  });
  expect(await written()).toEqual(before);
  expect(stack.razorpay.calls).toEqual([]);
});

test('a body that is not an order is refused', () =>
  eachRow(
    [
      ['not JSON', '{"products":', 400],
      ['an array', '[]', 400],
      ['null', 'null', 400],
      ['nothing', '', 400],
      ['bytes that are no text', '\u0000\ud800', 400],
      [
        'ten thousand lines',
        JSON.stringify({
          products: Array.from({ length: 10_000 }, () => ({ product_id: 'x', quantity: 1 })),
        }),
        413,
      ],
    ],
    async ([, body, status]) => {
      expect(await post(body)).toMatchObject({ status });
    },
  ));

test('a form is not JSON, and a key must be a uuid', async () => {
  expect(await post('a=b', { 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject({
    status: 415,
  });
  expect(await post('{}', { 'idempotency-key': 'again' })).toMatchObject({ status: 400 });
});
