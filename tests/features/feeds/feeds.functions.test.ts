import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import stockFeedEndpoint from '#netlify/functions/feeds.ts';
import { categories } from '#domain/catalogue/category.ts';
import { serveFetch, type Served } from '#tests/functions/support/serve-fetch.ts';
import { useStack } from '#tests/functions/support/stack.ts';

const stack = await useStack();

let builtFeed: string | null = null;
let site: Served;
beforeAll(async () => {
  site = await serveFetch(
    () => new Response(builtFeed, { status: builtFeed === null ? 404 : 200 }),
  );
  vi.stubEnv('URL', site.url);
});
afterAll(() => site.close());

const rowsOf = async (network: string): Promise<string[][]> => {
  const answer = await stack.call(stockFeedEndpoint, `/feeds/${network}-stock.csv`);
  expect(answer.status).toBe(200);
  return answer.text
    .trimEnd()
    .split('\r\n')
    .map((row) => row.split(','));
};

test('the stock feed shows current stock: less orders, without hidden products and those of a category that the shop has no more', async () => {
  const ring = await stack.addProduct({ price: 1_499, offerPrice: 1_299.5, stock: 2 });
  const hidden = await stack.addProduct({ stock: 5 });
  const customer = await stack.signUp();
  await stack.sql(`update public.products set hidden = true where id = '${hidden}'`);
  const dropped = await stack.addProduct({ stock: 5 });
  await stack.sql(`update public.products set category = 'no-more' where id = '${dropped}'`);
  expect(await rowsOf('google')).toEqual([
    ['id', 'availability', 'price', 'sale_price'],
    [ring, 'in_stock', '1499.00 INR', '1299.50 INR'],
  ]);
  await stack.createOrder(customer, [{ product_id: ring, quantity: 2 }]);
  expect(await rowsOf('google')).toContainEqual([
    ring,
    'out_of_stock',
    '1499.00 INR',
    '1299.50 INR',
  ]);
  expect(await rowsOf('meta')).toEqual([
    ['id', 'availability', 'price', 'sale_price', 'quantity_to_sell_on_facebook'],
    [ring, 'out of stock', '1499.00 INR', '1299.50 INR', '0'],
  ]);
});

test('the stock feed says of what was hidden since the build that it is out of stock', async () => {
  builtFeed = '<item><g:id>gone</g:id><g:price>10.00 INR</g:price></item>';
  expect(await rowsOf('google')).toContainEqual(['gone', 'out_of_stock', '10.00 INR', '']);
  expect(await rowsOf('meta')).toContainEqual(['gone', 'out of stock', '10.00 INR', '', '0']);
  builtFeed = null;
});

test('more products than one answer of the database holds are all in the feed, each once', async () => {
  await stack.sql(
    `insert into public.products (name, category, description, price, stock)
     select 'Ring ' || n, '${categories[0] ?? ''}', '', 100, 1 from generate_series(1, 2100) n`,
  );
  const ids = (await rowsOf('google')).slice(1).map(([id]) => id);
  expect(ids).toHaveLength(2_101);
  expect(new Set(ids).size).toBe(2_101);
});
