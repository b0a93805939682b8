import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import productsEndpoint from '../../../netlify/functions/admin-products.ts';
import withdrawnEndpoint from '../../../netlify/functions/catalogue-withdrawn.ts';
import withdrawnProduct from '../../../netlify/edge-functions/withdrawn-product.ts';
import { adminProductSchema, adminProductsSchema, type AdminProduct, type ProductInput } from '../../../src/domain/admin/product-input.ts';
import { logIn, setAdminPassword, type AdminClient } from './admin-client.ts';
import { serveFetch, type Served } from '../support/serve-fetch.ts';
import { startStack, type Answer, type Stack } from '../support/stack.ts';
import { eachRow } from '../../each-row.ts';

let stack: Stack;
let site: Served;
let admin: AdminClient;
/** What the live site says that it was built from. */
let built: { version: number; builtAt: string } | null;

beforeAll(async () => {
  stack = await startStack();
  site = await serveFetch(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/build.json' && built) return Response.json(built);
    if (pathname === '/product/not-found') return new Response('<h1>Product not found</h1>', { headers: { 'x-frame-options': 'DENY' } });
    if (pathname === '/api/catalogue/withdrawn') {
      const { text } = await stack.call(withdrawnEndpoint, pathname);
      return new Response(text, { headers: { 'content-type': 'application/json' } });
    }
    return new Response('', { status: 404 });
  });
  vi.stubEnv('URL', site.url);
  await setAdminPassword();
  admin = await logIn(stack);
});
afterAll(async () => {
  await site.close();
  stack.close();
});
beforeEach(async () => {
  await stack.database.sql('delete from public.products');
  await publishAll();
});

async function publishAll(): Promise<void> {
  const [row] = await stack.database.sql<{ version: number }>('select version::int from public.catalogue_version');
  built = { version: row?.version ?? 0, builtAt: new Date().toISOString() };
}

const input: ProductInput = {
  name: 'Lotus ring',
  description: 'Gold-plated brass',
  category: 'rings',
  price: 123_450,
  offerPrice: null,
  stock: 10,
  images: ['products/a.webp', 'https://pictures.example/b.jpg'],
  imageAlts: ['A ring', ''],
  attributes: { metal: 'Brass', weight_g: 4.2 },
};
const create = (product: unknown = input, id: unknown = crypto.randomUUID()): Promise<Answer> =>
  admin.ask(productsEndpoint, 'POST', '/api/admin/products', { id, product });
const stored = async (product: Partial<ProductInput> = {}): Promise<AdminProduct> =>
  adminProductSchema.parse((await create({ ...input, ...product })).json['product']);
const save = (seen: AdminProduct, product: Partial<ProductInput>, path = seen.id): Promise<Answer> => {
  const { id: _id, createdAt: _created, updatedAt, unpublished: _unpublished, ...fields } = seen;
  const body = { product: { ...fields, ...product }, seen: { updatedAt, stock: seen.stock } };
  return admin.ask(productsEndpoint, 'PUT', `/api/admin/products/${path}`, body);
};
const list = async (query = ''): Promise<{ products: AdminProduct[]; total: number }> => {
  const answer = await admin.ask(productsEndpoint, 'GET', `/api/admin/products${query}`);
  expect(answer.status).toBe(200);
  return adminProductsSchema.parse(answer.json);
};

describe('a new piece', () => {
  test('is stored as sent and read back the same, in paise', async () => {
    const answer = await create();
    expect(answer.status).toBe(201);
    expect(answer.json['product']).toMatchObject({ ...input, unpublished: true });
    const { id } = adminProductSchema.parse(answer.json['product']);
    const read = await admin.ask(productsEndpoint, 'GET', `/api/admin/products/${id}`);
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
    eachRow<[string, Record<string, unknown>]>([
      ['name', { name: '   ' }], ['name', { name: 'x'.repeat(201) }], ['name', { name: 5 }],
      ['description', { description: 'x'.repeat(5_001) }],
      ['category', { category: 'anklets' }],
      ['price', { price: 0 }], ['price', { price: 12.5 }], ['price', { price: 100_000_001 }], ['price', { price: '100' }],
      ['offerPrice', { offerPrice: 123_450 }], ['offerPrice', { offerPrice: -1 }],
      ['stock', { stock: -1 }], ['stock', { stock: 1.5 }], ['stock', { stock: 100_001 }],
      ['images', { images: ['a', 'b', 'c', 'd'].map((name) => `products/${name}.webp`) }],
      ['images', { images: ['javascript:alert(1)'] }],
      ['images', { images: ['data:text/html,x'] }],
      ['images', { images: ['products/../../secret'] }],
      ['images', { images: ['../a.webp'] }],
      ['attributes', { attributes: { colour: 'red' } }],
      ['attributes', { attributes: { weight_g: 'heavy' } }],
    ], async ([field, wrong]) => {
      const answer = await create({ ...input, ...wrong });
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
      expect(answer.json['fields']).toHaveProperty(field);
      expect(answer.json['message']).not.toMatch(/invalid input/iu);
      expect(await stack.database.sql('select 1 from public.products')).toEqual([]);
    }),
  );

  test('with text that cannot be stored is refused in words', () => eachRow(['\u0000', 'half a letter \ud800'], async (text) => {
    expect(await create({ ...input, name: `Ring ${text}` })).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
    expect((await create({ ...input, description: 'A backslash \\u0000 in words, ✨ and മോതിരം' })).status).toBe(201);
  }));

  test('under an id that is no uuid is refused', () => eachRow(['', 'x', '1', null, `${crypto.randomUUID()}x`], async (id) => {
    expect((await create(input, id)).status).toBe(400);
  }));
});

describe('an edit', () => {
  test('is saved, and counts as unpublished until the pages are built', async () => {
    const seen = await stored();
    await publishAll();
    expect((await list()).products).toMatchObject([{ unpublished: false }]);
    const saved = await save(seen, { name: 'Temple ring', price: 50_000, offerPrice: 45_000 });
    expect(saved).toMatchObject({ status: 200, json: { product: { name: 'Temple ring', price: 50_000, offerPrice: 45_000, unpublished: true } } });
    await publishAll();
    expect((await list()).products).toMatchObject([{ unpublished: false }]);
  });

  test('of the stock alone is live at once and leaves nothing to publish', async () => {
    const seen = await stored();
    await publishAll();
    expect(await save(seen, { stock: 3 })).toMatchObject({ status: 200, json: { product: { stock: 3, unpublished: false } } });
  });

  test('keeps a sale that happened meanwhile', async () => {
    const seen = await stored();
    await stack.database.sql('update public.products set stock = stock - 2 where id = $1', seen.id);
    expect(await save(seen, { name: 'Temple ring' })).toMatchObject({ status: 200, json: { product: { stock: 8 } } });
  });

  test('of a stock that moved is refused with what is there now, and can be repeated on it', async () => {
    const seen = await stored();
    await stack.database.sql('update public.products set stock = stock - 2 where id = $1', seen.id);
    const refused = await save(seen, { stock: 30 });
    expect(refused).toMatchObject({
      status: 409,
      json: { error: 'changed', fields_changed: false, stock_changed: true, current: { id: seen.id, stock: 8 } },
    });
    expect(await stack.stockOf(seen.id)).toBe(8);
    const current = adminProductSchema.parse(refused.json['current']);
    expect(await save(current, { stock: 30 })).toMatchObject({ status: 200, json: { product: { stock: 30 } } });
  });

  test('over somebody else’s edit is refused, and nothing is written', async () => {
    const seen = await stored();
    await save(seen, { name: 'From the phone' });
    expect(await save(seen, { name: 'From the desk' })).toMatchObject({
      status: 409,
      json: { error: 'changed', fields_changed: true, stock_changed: false, current: { name: 'From the phone' } },
    });
    expect((await list()).products).toMatchObject([{ name: 'From the phone' }]);
  });

  test('that saw what is no time is refused', () =>
    eachRow(['', 'yesterday', '2026-13-45T00:00:00Z', "'; drop table products"], async (updatedAt) => {
      const seen = await stored();
      expect((await save({ ...seen, updatedAt }, {})).status).toBe(400);
    }),
  );

  test('of a piece that is not there is not found', () =>
    eachRow(['x', '1', crypto.randomUUID(), '%00', '..%2f..'], async (id) => {
      const seen = await stored();
      expect(await save(seen, {}, id)).toMatchObject({ status: 404, json: { error: 'not_found' } });
      expect((await admin.ask(productsEndpoint, 'GET', `/api/admin/products/${id}`)).status).toBe(404);
    }),
  );
});

describe('deleting', () => {
  test('answers the same twice, and the piece is gone', async () => {
    const { id } = await stored();
    const remove = (): Promise<Answer> => admin.ask(productsEndpoint, 'DELETE', `/api/admin/products/${id}`);
    expect([await remove(), await remove()]).toMatchObject([
      { status: 200, json: { deleted: true } },
      { status: 200, json: { deleted: true } },
    ]);
    expect((await list()).total).toBe(0);
  });

  test('makes the built page answer 404 at once, and no other page', async () => {
    const [gone, kept] = [await stored(), await stored()];
    await publishAll();
    const open = (path: string): Promise<Response | undefined> => withdrawnProduct(new Request(`${site.url}${path}`));
    expect(await open(`/product/${gone.id}`)).toBeUndefined();
    await admin.ask(productsEndpoint, 'DELETE', `/api/admin/products/${gone.id}`);
    const answer = await open(`/product/${gone.id.toUpperCase()}`);
    expect(answer?.status).toBe(404);
    expect(await answer?.text()).toContain('Product not found');
    expect(answer?.headers.get('x-frame-options')).toBe('DENY');
    expect(answer?.headers.get('cache-control')).toBe('no-store');
    for (const path of [`/product/${kept.id}`, `/product/${crypto.randomUUID()}`, '/product/template', '/product/x']) {
      expect(await open(path), path).toBeUndefined();
    }
    await publishAll();
    expect(await open(`/product/${gone.id}`)).toBeUndefined();
  });

  test('with the database down every built page still opens', async () => {
    const { id } = await stored();
    stack.database.setDown(true);
    expect(await withdrawnProduct(new Request(`${site.url}/product/${id}`))).toBeUndefined();
    stack.database.setDown(false);
  });
});

test('the list is paged, and its query is refused where it makes no sense', async () => {
  for (const name of ['C', 'a', 'B']) await stored({ name });
  expect((await list('?sort=name&limit=2')).products.map(({ name }) => name)).toEqual(['a', 'B']);
  expect(await list('?sort=name&limit=2&offset=2')).toMatchObject({ total: 3, products: [{ name: 'C' }] });
  expect((await list('?q=&category=&stock=&sort=&offset=&limit=')).total).toBe(3);
  expect((await list('?q=%25')).total).toBe(0);
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'sort=id', 'stock=few', 'category=anklets', 'q=%00']) {
    const answer = await admin.ask(productsEndpoint, 'GET', `/api/admin/products?${query}`);
    expect(answer.status, query).toBe(400);
  }
});

test('without a readable build.json every change counts as unpublished, and the list still opens', async () => {
  await stored();
  await publishAll();
  built = null;
  expect((await list()).products).toMatchObject([{ unpublished: true }]);
});

test('with the database down the owner is told so', async () => {
  stack.database.setDown(true);
  const answer = await admin.ask(productsEndpoint, 'GET', '/api/admin/products');
  stack.database.setDown(false);
  expect(answer).toMatchObject({ status: 503, json: { error: 'unavailable' } });
});
