import { beforeEach, describe, expect, test } from 'vitest';
import { adminProductSchema } from '#domain/admin/products/product-input.ts';
import { eachRow } from '#tests/each-row.ts';
import { input, openProductRequests } from './product-requests.ts';

const requests = await openProductRequests();
const { stack, ask, create, stored, save, list, publishAll } = requests;
beforeEach(async () => {
  await stack.sql('delete from public.products');
  await publishAll();
});

describe('a new product', () => {
  test('is stored as sent and read back the same, in paise', async () => {
    const answer = await create();
    expect(answer.status).toBe(201);
    expect(answer.json['product']).toMatchObject({ ...input, unpublished: true });
    const { id } = adminProductSchema.parse(answer.json['product']);
    const read = await ask('GET', `/${id}`);
    expect(read.json['product']).toEqual(answer.json['product']);
  });

  test('sent again after a lost answer is there once', async () => {
    const id = crypto.randomUUID();
    expect((await create(input, id)).status).toBe(201);
    const again = await create({ ...input, name: 'Other' }, id.toUpperCase());
    expect(again).toMatchObject({ status: 200, json: { product: { id, name: 'Lotus ring' } } });
    expect((await list()).total).toBe(1);
  });

  test('is refused for a field that does not fit, and the answer names it', () =>
    eachRow<[string, Record<string, unknown>]>(
      [
        ['name', { name: '   ' }],
        ['description', { description: 'x'.repeat(5_001) }],
        ['category', { category: 'no-such-category' }],
        ['price', { price: 12.5 }],
        ['offerPrice', { offerPrice: 123_450 }],
        ['hidden', { hidden: 'yes' }],
        ['stock', { stock: -1 }],
        ['images', { images: ['a', 'b', 'c', 'd'].map((name) => `products/${name}.webp`) }],
        ['images', { images: ['javascript:alert(1)'] }],
        ['images', { images: ['products/../../secret'] }],
        ['attributes', { attributes: { colour: 'red' } }],
      ],
      async ([field, wrong]) => {
        const answer = await create({ ...input, ...wrong });
        expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
        expect(answer.json['fields']).toHaveProperty(field);
        expect(answer.json['message']).not.toMatch(/invalid input/iu);
        expect(await stack.sql('select 1 from public.products')).toEqual([]);
      },
    ));

  test('under an invalid id is refused', () =>
    eachRow(['', 'x', '1', null, `${crypto.randomUUID()}x`], async (id) => {
      expect((await create(input, id)).status).toBe(400);
    }));
});

describe('an edit', () => {
  test('is saved, and counts as unpublished until the pages are built', async () => {
    const seen = await stored();
    await publishAll();
    expect((await list()).products).toMatchObject([{ unpublished: false }]);
    const saved = await save(seen, { name: 'Temple ring', price: 50_000, offerPrice: 45_000 });
    expect(saved).toMatchObject({
      status: 200,
      json: {
        product: { name: 'Temple ring', price: 50_000, offerPrice: 45_000, unpublished: true },
      },
    });
    await publishAll();
    expect((await list()).products).toMatchObject([{ unpublished: false }]);
  });

  test('an edit of a stock that moved is refused with what is there now, and can be repeated on it', async () => {
    const seen = await stored();
    await stack.sql('update public.products set stock = stock - 2 where id = $1', seen.id);
    const refused = await save(seen, { stock: 30 });
    expect(refused).toMatchObject({
      status: 409,
      json: {
        error: 'changed',
        fields_changed: false,
        stock_changed: true,
        current: { id: seen.id, stock: 8 },
      },
    });
    expect(await stack.stockOf(seen.id)).toBe(8);
    const current = adminProductSchema.parse(refused.json['current']);
    expect(await save(current, { stock: 30 })).toMatchObject({
      status: 200,
      json: { product: { stock: 30 } },
    });
  });

  test('that saw what is no time is refused', () =>
    eachRow(
      ['', 'yesterday', '2026-13-45T00:00:00Z', "'; drop table products"],
      async (updatedAt) => {
        const seen = await stored();
        expect((await save({ ...seen, updatedAt }, {})).status).toBe(400);
      },
    ));

  test('an edit of a product that is not there is not found', () =>
    eachRow(['x', '1', crypto.randomUUID(), '%00', '..%2f..'], async (id) => {
      const seen = await stored();
      expect(await save(seen, {}, id)).toMatchObject({ status: 404, json: { error: 'not_found' } });
      expect((await ask('GET', `/${id}`)).status).toBe(404);
    }));
});

test('the list is paged, and its query is refused where it makes no sense', async () => {
  for (const name of ['C', 'a', 'B']) await stored({ name });
  expect((await list('?sort=name&limit=2')).products.map(({ name }) => name)).toEqual(['a', 'B']);
  expect(await list('?sort=name&limit=2&offset=2')).toMatchObject({
    total: 3,
    products: [{ name: 'C' }],
  });
  expect((await list('?q=&category=&stock=&sort=&offset=&limit=')).total).toBe(3);
  expect((await list('?q=%25')).total).toBe(0);
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=x',
    'offset=-1',
    'sort=id',
    'stock=few',
    'show=none',
    'category=no-such-category',
    'q=%00',
  ]) {
    const answer = await ask('GET', `?${query}`);
    expect(answer.status, query).toBe(400);
  }
});

test('without a readable build.json every change counts as unpublished, and the list still opens', async () => {
  await stored();
  await publishAll();
  requests.forgetBuild();
  expect((await list()).products).toMatchObject([{ unpublished: true }]);
});
