import { expect, test } from 'vitest';
import { openInvoice } from '#tests/functions/admin/admin-client.ts';
import { useAdminShop } from '#tests/functions/support/admin-shop.ts';
import { eachRow } from '#tests/each-row.ts';
import { useSampleTax } from '#tests/sample-tax.ts';

useSampleTax();

const shop = await useAdminShop();

const sizes = [
  { size: '12', stock: 3 },
  { size: '14', stock: 1 },
];

test('a size is bought, shown beside the name everywhere, and returned to its own stock', async () => {
  const customer = await shop.signUp();
  const ring = await shop.addProduct({ name: 'Thread Ring', sizes });
  const lines = [
    { product_id: ring, size: '12', quantity: 2 },
    { product_id: ring, size: '14', quantity: 1 },
  ];
  const { id } = await shop.buy(customer, lines);
  expect(await shop.stockOf(ring)).toBe(1);
  const name = 'Thread Ring · Size 14';
  expect((await shop.read(id)).items).toMatchObject([
    { name: 'Thread Ring · Size 12', quantity: 2 },
    { name, size: '14', quantity: 1 },
  ]);
  expect((await openInvoice(shop.admin, id)).text).toContain(name);
  const found = await shop.admin.ask('GET', `/api/admin/orders?q=${encodeURIComponent('Size 14')}`);
  expect(found.json['orders']).toMatchObject([{ id, firstItem: 'Thread Ring · Size 12' }]);
  const plain = (raw: string) => raw.replaceAll(/=\r?\n/gu, '').replaceAll('=C2=B7', '·');
  expect(shop.mail.mails.filter(({ raw }) => plain(raw).includes(name))).toHaveLength(2);

  const back = [{ productId: ring, size: '14', quantity: 1 }];
  expect(await shop.refund(id, { amountPaise: 102_360, items: back, restock: back })).toMatchObject(
    { status: 200 },
  );
  const [product] = await shop.sql('select sizes, stock from public.products where id = $1', ring);
  expect(product).toEqual({
    sizes: [
      { size: '12', stock: 1 },
      { size: '14', stock: 1 },
    ],
    stock: 2,
  });
});

test('a line with a missing, unknown or sold-out size is refused with details for the customer', async () => {
  const customer = await shop.signUp();
  const [ring, chain] = [
    await shop.addProduct({ name: 'Thread Ring', sizes }),
    await shop.addProduct({ name: 'Chain' }),
  ];
  await eachRow(
    [
      [{ product_id: ring }, 'choose_size', 'Please choose a size of Thread Ring on its page.'],
      [
        { product_id: ring, size: '18' },
        'choose_size',
        'Thread Ring · Size 18 is no longer available. Please choose on its page again.',
      ],
      [
        { product_id: chain, size: '14' },
        'choose_size',
        'Chain · Size 14 is no longer available. Please choose on its page again.',
      ],
      [
        { product_id: ring, size: '14', quantity: 2 },
        'out_of_stock',
        'Not enough in stock: Thread Ring · Size 14.',
      ],
    ],
    async ([line, error, message]) => {
      expect(await shop.createOrder(customer, [{ quantity: 1, ...line }])).toMatchObject({
        status: 409,
        json: { error, message },
      });
    },
  );
  for (const size of ['', 'x'.repeat(41), 14, null]) {
    const body = { products: [{ product_id: ring, size, quantity: 1 }] };
    expect(
      (await shop.createOrder(customer, [{ product_id: ring, quantity: 1 }], { body })).status,
    ).toBe(400);
  }
});
