import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import productEndpoint from '#netlify/functions/product.ts';
import { serveFetch, type Served } from '#tests/functions/support/serve-fetch.ts';
import { useStack, type Answer } from '#tests/functions/support/stack.ts';
import { eachRow } from '#tests/each-row.ts';
import { categories, categoryLabel } from '#domain/catalogue/category.ts';

/** The products of these tests have it. */
const category = categories[0] ?? '';

const stack = await useStack();
let site: Served;
let isBuilt = true;

const template = `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="script-src 'sha256-abc'">
<title>__PRODUCT_NAME__</title><link rel="canonical" href="__PRODUCT_URL__"></head><body>
<new-product data-product="__PRODUCT_JSON__" data-level="__PRODUCT_STOCK_LEVEL__"><h1>__PRODUCT_NAME__</h1>
<a href="/shop?category=__PRODUCT_CATEGORY__">__PRODUCT_CATEGORY_LABEL__</a><p>__PRODUCT_DESCRIPTION__</p>
<img src="__PRODUCT_IMAGE_LARGE__" alt="__PRODUCT_IMAGE_ALT__"><a href="__PRODUCT_IMAGE__"></a>
<b>__PRODUCT_PRICE__<i>__PRODUCT_PRICE_DECIMALS__</i></b><s>__PRODUCT_FULL_PRICE__</s><i>__PRODUCT_STOCK__</i><u>__PRODUCT_OTHER__</u>
<ol><li>__PRODUCT_SIZE_1__=__PRODUCT_SIZE_1_STOCK__</li><li>__PRODUCT_SIZE_2__=__PRODUCT_SIZE_2_STOCK__</li><li>__PRODUCT_SIZE_100__=__PRODUCT_SIZE_100_STOCK__</li></ol></new-product>
<script>hashed()</script></body></html>`;

beforeAll(async () => {
  site = await serveFetch((request) => {
    const { pathname } = new URL(request.url);
    if (isBuilt && pathname === '/product/template') return new Response(template);
    if (isBuilt && pathname === '/product/not-found')
      return new Response('<h1>Product not found</h1> built');
    return new Response('', { status: 404 });
  });
  vi.stubEnv('URL', site.url);
});
afterAll(async () => {
  await site.close();
});

const open = (id: string): Promise<Answer> => stack.call(productEndpoint, `/product/${id}`);

async function addProduct(fields: {
  name?: string;
  description?: string;
  images?: string[];
}): Promise<string> {
  const id = await stack.addProduct({
    price: 123_456.5,
    offerPrice: 99_000,
    stock: 3,
    name: fields.name ?? 'Lotus ring',
  });
  await stack.sql(
    'update public.products set description = $2, images = $3 where id = $1',
    id,
    fields.description ?? 'Gold',
    fields.images ?? [],
  );
  return id;
}

test('a product newer than the build is a whole page at its own address', async () => {
  const id = await addProduct({ images: ['https://pictures.example/a.webp?x=1&y=2'] });
  const answer = await open(id);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.text).toContain('<title>Lotus ring</title>');
  expect(answer.text).toContain(`<link rel="canonical" href="${site.url}/product/${id}">`);
  expect(answer.text).toContain(
    `<a href="/shop?category=${category}">${categoryLabel(category)}</a>`,
  );
  expect(answer.text).toContain('<b>₹99,000<i>.00</i></b><s>₹1,23,456.50</s><i>3</i>');
  expect(answer.text).toContain('data-level="low"');
  expect(answer.text).toContain('<a href="https://pictures.example/a.webp?x=1&amp;y=2">');
  expect(answer.text).toContain('alt="Lotus ring"');
  const json = /data-product="([^"]*)"/u
    .exec(answer.text)?.[1]
    ?.replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  expect(JSON.parse(json ?? '')).toMatchObject({
    id,
    price: 12_345_650,
    offerPrice: 9_900_000,
    stock: 3,
  });
});

test('its sizes stand in their places, as text; places beyond them are empty', async () => {
  const id = await stack.addProduct({
    sizes: [
      { size: '2.4', stock: 3 },
      { size: '"<b>', stock: 0 },
    ],
  });
  expect((await open(id)).text).toContain(
    '<ol><li>2.4=3</li><li>&quot;&lt;b&gt;=0</li><li>=</li></ol>',
  );
});

test('a page has the security headers of static pages, and the CDN keeps it and one that is not found, whatever query is made up for them', async () => {
  const [found, missing] = [await open(await addProduct({})), await open(randomUUID())];
  const names = [
    'content-security-policy',
    'x-frame-options',
    'x-content-type-options',
    'referrer-policy',
    'strict-transport-security',
  ];
  expect(names.map((name) => found.headers.get(name))).not.toContain(null);
  for (const [{ status, headers }, expected, seconds] of [
    [found, 200, 60],
    [missing, 404, 30],
  ] as const)
    expect([status, headers.get('netlify-vary'), headers.get('netlify-cdn-cache-control')]).toEqual(
      [expected, 'query=none', `public, s-maxage=${String(seconds)}`],
    );
});

test('a name and description stay text, whatever is in them', () =>
  eachRow(
    [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' onfocus='alert(1)",
      '&lt;b&gt;',
      '</title><script>',
      '__PRODUCT_JSON__ __PRODUCT_ID__',
      "$& $1 $` $'",
    ],
    async (text) => {
      const answer = await open(await addProduct({ name: text, description: text }));
      expect(answer.status).toBe(200);
      expect(answer.text.match(/<script/gu)).toHaveLength(1);
      expect(answer.text.match(/<img/gu)).toHaveLength(1);
      const shown = /<h1>(.*)<\/h1>/u.exec(answer.text)?.[1] ?? '';
      const decoded = shown
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&');
      expect(decoded).toBe(text);
      expect(shown).not.toMatch(/[<>"']/u);
    },
  ));

test('an invalid id gets status 404 and the built page', () =>
  eachRow(
    [
      crypto.randomUUID(),
      'ring',
      '1',
      '%3Cscript%3E',
      '..%2f..%2fetc',
      'template',
      "'; drop table products",
    ],
    async (id) => {
      expect(await open(id)).toMatchObject({
        status: 404,
        text: '<h1>Product not found</h1> built',
      });
    },
  ));

test('without the built pages an unknown id still gets a 404, without a request loop', async () => {
  isBuilt = false;
  const answers = [
    await open(crypto.randomUUID()),
    await open('not-found'),
    await open('template'),
  ];
  const known = await open(await addProduct({}));
  isBuilt = true;
  for (const answer of answers) {
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('<h1>Product not found</h1>');
    expect(answer.text).toContain('href="/shop">Back to Shop</a>');
  }
  expect(known.status).toBe(503);
});

test('a hidden and a deleted product are not found, nor one whose category the shop has no more', async () => {
  const id = await addProduct({});
  await stack.sql('update public.products set hidden = true where id = $1', id);
  expect((await open(id)).status).toBe(404);
  await stack.sql(
    'update public.products set hidden = false, deleted_at = now() where id = $1',
    id,
  );
  expect((await open(id)).status).toBe(404);
  await stack.sql('update public.products set deleted_at = null where id = $1', id);
  expect((await open(id)).status).toBe(200);
  await stack.sql(`update public.products set category = 'no-more' where id = $1`, id);
  expect((await open(id)).status).toBe(404);
});
