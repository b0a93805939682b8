import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { adminProductsSchema } from '#domain/admin/products/product-input.ts';
import { readTable } from '#domain/admin/table-file.ts';
import { parseCsv } from '#domain/csv.ts';
import { toFileRows } from '#features/csv-file/domain/file-rows.ts';
import { idsAndNames, planImport } from '#features/csv-file/domain/import-plan.ts';
import {
  firstMapping,
  nothingChosen,
  productsOf,
} from '#features/csv-file/domain/read-products.ts';
import { eachRow } from '#tests/each-row.ts';
import { logIn } from '#tests/functions/admin/admin-client.ts';
import { loadFunctions, matchFunction } from '#local/emulators/netlify/functions/load-functions.ts';
import { everyAddress, functionAt } from '#tests/functions/support/functions.ts';
import { input, openProductRequests } from '#tests/functions/admin/products/product-requests.ts';

const requests = await openProductRequests();
const { stack, stored } = requests;
const admin = await logIn(stack);
beforeEach(() => stack.sql('delete from public.products'));

const compare = (body: unknown) => admin.ask('POST', '/api/admin/catalogue/compare', body);
const exported = async (part = ''): Promise<string> => {
  const answer = await admin.ask('GET', `/api/admin/catalogue/export${part}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="catalogue-\d{4}-\d\d-\d\d/u,
  );
  return answer.text;
};
/** The effect of the exported text on the catalogue, as the page requests and compares it. */
async function planOf(text: string) {
  const file = readTable(parseCsv(text), 5_000);
  if (!file.ok) throw new Error(file.fault.message);
  const read = productsOf(file.table, { mapping: firstMapping(file.table), isSplit: false });
  const newId = () => crypto.randomUUID();
  const compared = await compare(idsAndNames(read, newId));
  const products = adminProductsSchema.parse({ ...compared.json, total: 0 }).products;
  const { rows } = toFileRows(read, nothingChosen);
  return planImport(rows, { stored: products, entryOf: (name) => name, newId });
}

describe('the exported catalogue', () => {
  test('is a file that imports again without a difference, deleted products left out', async () => {
    await stored({
      name: '=SUM(1)',
      description: 'Two\nlines, "quoted"; ’ and അ',
      offerPrice: 99_900,
    });
    await stored({ hidden: true, images: [], imageAlts: [], attributes: {} });
    const gone = await stored({ name: 'Gone' });
    await requests.ask('DELETE', `/${gone.id}`);
    const text = await exported();
    expect(text).not.toContain('Gone');
    expect(await planOf(text)).toEqual({
      added: [],
      changed: [],
      same: 2,
      importedBefore: [],
      unsized: new Map(),
      waiting: 0,
      faults: [],
    });
  });

  test('comes in parts, and a part that cannot be is not found', async () => {
    await stored();
    expect((await exported('?part=2')).split('\r\n')).toHaveLength(2);
    expect((await admin.ask('GET', '/api/admin/catalogue/export?part=x')).status).toBe(404);
  });
});

test('hundreds of products are compared and exported at once', async () => {
  const rows = Array.from({ length: 400 }, (_, index) => ({
    id: crypto.randomUUID(),
    product: { ...input, name: `Product ${String(index)}`, description: 'A'.repeat(300) },
    seen: null,
  }));
  await admin.ask('POST', '/api/admin/catalogue/save', { rows });
  const compared = await compare({
    ids: rows.map(({ id }) => id),
    names: rows.map(({ product }) => product.name),
  });
  expect(compared.json['products']).toHaveLength(400);
  expect((await exported()).split('\r\n')).toHaveLength(402);
});

describe('an image of another shop', () => {
  const bring = (address: string) =>
    admin.ask('POST', '/api/admin/images/from-address', { address });
  let origin = '';
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path === '/image') response.setHeader('content-type', 'image/png').end(image);
    else if (path === '/moved') response.writeHead(301, { location: '/image' }).end();
    else if (path === '/loop') response.writeHead(302, { location: '/loop' }).end();
    else if (path === '/inside')
      response.writeHead(302, { location: 'https://10.0.0.1/a.png' }).end();
    else if (path === '/page') response.setHeader('content-type', 'text/html').end('<p>Sign in');
    else if (path === '/large')
      response.setHeader('content-length', String(21 * 1024 * 1024)).end();
    else if (path === '/long')
      response.setHeader('content-type', 'image/png').end(Buffer.alloc(21 * 1024 * 1024));
    else if (path === '/film') response.setHeader('content-type', 'video/mp4').end('film');
    else response.writeHead(path === '/gone' ? 410 : 500).end();
  });
  let image = Buffer.alloc(0);
  beforeAll(async () => {
    image = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  afterAll(() => server.close());

  test('is fetched from public addresses alone, by whatever way they are written', () =>
    eachRow(
      [
        'https://127.0.0.1/a.png',
        'https://2130706433/a.png',
        'https://0x7f.1/a.png',
        'https://[::1]/a.png',
        'https://[::ffff:10.0.0.1]/a.png',
        'https://[fd00::1]/a.png',
        'https://10.1.2.3/a.png',
        'https://192.168.1.1/a.png',
        'https://169.254.169.254/latest/meta-data',
        'https://100.64.0.1/a.png',
        'https://0.0.0.0/a.png',
        'https://localhost/a.png',
        'http://localhost/a.png',
        'https://8.8.8.8:8443/a.png',
        'ftp://8.8.8.8/a.png',
        'file:///etc/passwd',
        'leaf.png',
      ],
      async (address) => {
        const answer = await bring(address);
        expect([answer.status, answer.json['error']]).toEqual([422, 'refused_address']);
      },
    ));

  test('is stored anew, after a redirect too; what is no image, too large or gone gets its sentence', async () => {
    vi.stubEnv('IMAGES_FROM_HOST', '127.0.0.1');
    for (const path of ['/image', '/moved']) {
      const stored = await bring(`${origin}${path}`);
      expect([stored.status, stored.json['path']]).toEqual([
        200,
        expect.stringMatching(/^products\/[\w-]{36}\.webp$/u),
      ]);
    }
    await eachRow(
      [
        ['/inside', 422, 'refused_address'],
        ['/loop', 422, 'unreachable_picture'],
        ['/broken', 422, 'unreachable_picture'],
        ['/gone', 422, 'gone_picture'],
        ['/page', 415, 'unsupported_picture'],
        ['/film', 415, 'unsupported_picture'],
        ['/large', 413, 'too_large'],
        ['/long', 413, 'too_large'],
      ] as const,
      async ([path, status, error]) => {
        const answer = await bring(`${origin}${path}`);
        expect([answer.status, answer.json['error']]).toEqual([status, error]);
      },
    );
  });
});

describe('the address of an imported product in its old shop', () => {
  const open = async (path: string) => {
    const answer = await stack.call(await functionAt('GET', path), path);
    return [answer.status, answer.headers.get('location')];
  };
  const keep = (path: string, id: string) =>
    admin.ask('POST', '/api/admin/catalogue/old-addresses', { rows: [{ path, product_id: id }] });

  test('leads to its page, in every form that Shopify and WooCommerce have', async () => {
    const { id } = await stored();
    expect((await keep('/products/leaf-ring', id)).status).toBe(200);
    await keep('/product/leaf-ring', id);
    for (const path of [
      '/products/leaf-ring',
      '/products/leaf-ring/',
      '/products/leaf-ring?variant=4',
      '/collections/all/products/leaf-ring',
      '/product/leaf-ring',
      '/en-in/products/leaf-ring',
      '/en-in/Products/Leaf-Ring',
      '/product/rings/leaf-ring/',
      '/shop/rings/leaf-ring/',
    ])
      expect(await open(path)).toEqual([301, `/product/${id}`]);
    expect(await open('/collections/rings')).toEqual([301, '/shop/rings']);
    expect(await open('/product-category/jewellery/ring/')).toEqual([301, '/shop/rings']);
    expect(await open('/collections/summer-26')).toEqual([301, '/shop']);
  });

  test('leads to its page whatever its path is, and that path alone', async () => {
    const { id } = await stored();
    for (const path of ['/product-page/leaf', '/leaf.html', '/de/schmuck/leaf', '/a/b/c/പാലക്ക'])
      expect((await keep(path, id)).status).toBe(200);
    for (const path of [
      '/product-page/leaf',
      '/leaf.html',
      '/de/schmuck/leaf/',
      `/a/b/c/${encodeURIComponent('പാലക്ക')}`,
    ])
      expect(await open(path), path).toEqual([301, `/product/${id}`]);
    for (const path of ['/leaf', '/product-page', '/about-us', '/blogs/news/leaf'])
      expect(await open(path), path).toEqual([404, null]);
  });

  test('with a character that no text has is not found, and no fault of the shop', async () => {
    for (const path of ['/products/%00', '/product/%00', '/any/%1F', '/product/a%7Fb', '/a%C2%85b'])
      expect(await open(path), path).toEqual([404, null]);
    expect((await keep('/a\u0000b', crypto.randomUUID())).status).toBe(400);
  });

  test('is asked for by one function alone: no other one has its address, and programs’ guesses cost no call', async () => {
    const functions = await loadFunctions();
    const matching = (path: string): string[] =>
      functions.filter((one) => matchFunction(one, 'GET', path) !== null).map(({ name }) => name);
    for (const { path } of await everyAddress())
      if (path !== '/*') expect(matching(path), path).not.toContain('old-address');
    for (const path of [
      '/',
      '/shop',
      '/wp-login.php',
      '/wp-admin',
      '/.env',
      '/.git/config',
      '/a.js',
      '/404',
      '/a/backup.sql',
      '/.netlify/images',
    ])
      expect(matching(path), path).not.toContain('old-address');
    expect(matching('/shop/rings/leaf')).toEqual(['old-address']);
  });

  test('is not found for one that was not imported, is hidden or gone; and moves to the product that has it last', async () => {
    const [first, second] = [await stored(), await stored({ name: 'Second' })];
    await keep('/products/leaf-ring', first.id);
    await keep('/products/leaf-ring', second.id);
    expect(await open('/products/leaf-ring')).toEqual([301, `/product/${second.id}`]);
    await stack.sql('update public.products set hidden = true where true');
    expect(await open('/products/leaf-ring')).toEqual([404, null]);
    expect(await open('/products/never')).toEqual([404, null]);
    expect(await open('/products/%E0%A4%A')).toEqual([404, null]);
    expect((await keep('/products/gone', crypto.randomUUID())).status).toBe(200);
    expect((await keep('products', first.id)).status).toBe(400);
  });
});
