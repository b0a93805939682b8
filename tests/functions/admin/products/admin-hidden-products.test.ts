import { beforeEach, describe, expect, test, vi } from 'vitest';
import withdrawnProduct from '#netlify/edge-functions/withdrawn-product.ts';
import { adminProductSchema } from '#domain/admin/products/product-input.ts';
import { serveFetch } from '#tests/functions/support/serve-fetch.ts';
import type { Answer } from '#tests/functions/support/stack.ts';
import { input, openProductRequests } from './product-requests.ts';

const requests = await openProductRequests();
const { stack, ask, create, stored, save, list, publishAll } = requests;
beforeEach(async () => {
  await stack.sql('delete from public.products');
  await publishAll();
});

/** The edge's answer for a built page; undefined: it lets the page through. */
const openBuilt = (id: string): Promise<Response | undefined> =>
  withdrawnProduct(new Request(`${requests.siteUrl}/product/${id}`));

test('hiding a product makes its page return 404 at once, and showing it restores the page', async () => {
  const seen = await stored();
  await publishAll();
  const hidden = await save(seen, { hidden: true });
  expect(hidden).toMatchObject({
    status: 200,
    json: { product: { hidden: true, unpublished: true } },
  });
  expect((await openBuilt(seen.id))?.status).toBe(404);
  expect((await list('?show=hidden')).total).toBe(1);
  expect((await list('?show=visible')).total).toBe(0);
  await save(adminProductSchema.parse(hidden.json['product']), { hidden: false });
  expect(await openBuilt(seen.id)).toBeUndefined();
});

test('a product whose category the shop has no more stays in the list, and is saved with another', async () => {
  const { id, category } = await stored();
  await stack.sql(`update public.products set category = 'no-more' where id = $1`, id);
  const [listed] = (await list()).products;
  expect(listed).toMatchObject({ id, category: 'no-more' });
  const seen = adminProductSchema.parse(listed);
  expect(await save(seen, { category: 'no-more' })).toMatchObject({
    status: 400,
    json: { fields: { category: 'Category is required' } },
  });
  expect((await save(seen, { category })).status).toBe(200);
});

describe('deleting', () => {
  test('makes the built page answer 404 at once, and no other page', async () => {
    const [gone, kept] = [await stored(), await stored()];
    await publishAll();
    const open = (path: string, headers = {}): Promise<Response | undefined> =>
      withdrawnProduct(new Request(`${requests.siteUrl}${path}`, { headers }));
    expect(await open(`/product/${gone.id}`)).toBeUndefined();
    await ask('DELETE', `/${gone.id}`);
    const answer = await open(`/product/${gone.id.toUpperCase()}`);
    expect(answer?.status).toBe(404);
    expect(await answer?.text()).toContain('Product not found');
    expect(answer?.headers.get('x-frame-options')).toBe('DENY');
    expect(answer?.headers.get('cache-control')).toBe('no-store');
    for (const path of [`/product/${kept.id}`, `/product/${crypto.randomUUID()}`, '/product/x']) {
      expect(await open(path), path).toBeUndefined();
    }
    // A page that the shop's own functions request is a page for nobody else.
    for (const path of ['/product/template', '/product/not-found/']) {
      expect((await open(path))?.status, path).toBe(404);
      expect(await open(path, { 'x-static-page': '1' }), path).toBeUndefined();
    }
    await publishAll();
    expect(await open(`/product/${gone.id}`)).toBeUndefined();
  });

  test('can be undone: the product and its page are back', async () => {
    const { id, name } = await stored({ hidden: false });
    await publishAll();
    await ask('DELETE', `/${id}`);
    expect((await list('?show=deleted')).products).toMatchObject([
      { id, deletedAt: expect.any(String) as string },
    ]);
    expect((await create(input, id)).status).toBe(404);
    const restore = (): Promise<Answer> => ask('POST', `/${id}/restore`, {});
    expect(await restore()).toMatchObject({
      status: 200,
      json: { product: { id, name, deletedAt: null, hidden: false } },
    });
    expect((await restore()).status).toBe(200);
    expect(await openBuilt(id)).toBeUndefined();
    expect((await list('?show=deleted')).total).toBe(0);
    for (const gone of [crypto.randomUUID(), 'x']) {
      expect((await ask('POST', `/${gone}/restore`, {})).status).toBe(404);
    }
  });

  test('with the database down every built page still opens', async () => {
    const { id } = await stored();
    stack.database.setDown(true);
    expect(
      await withdrawnProduct(new Request(`${requests.siteUrl}/product/${id}`)),
    ).toBeUndefined();
    stack.database.setDown(false);
  });
});

test('a hidden review leaves the page of its product and the feed at once, and a build is requested at once', async () => {
  const hooks: string[] = [];
  const hook = await serveFetch((request) => {
    hooks.push(request.method);
    return Promise.resolve(new Response(''));
  });
  vi.stubEnv('BUILD_HOOK_URL', hook.url);
  try {
    const [reviewed, other] = [await stored({ name: 'Lotus ring' }), await stored()];
    const [review] = await stack.sql<{ id: number }>(
      `insert into public.reviews (product_id, stars, words, name, state) values ($1, 2, 'It broke.', 'Asha', 'published') returning id::int`,
      reviewed.id,
    );
    await publishAll();
    const openFeed = (): Promise<Response | undefined> =>
      withdrawnProduct(new Request(`${requests.siteUrl}/feeds/google-reviews.xml`));
    expect([await openBuilt(reviewed.id), await openFeed()]).toEqual([undefined, undefined]);
    const seen = { stars: 2, words: 'It broke.', name: 'Asha', town: '', image: null };
    const decided = await requests.askAdmin('POST', `/api/admin/reviews/${String(review?.id)}`, {
      state: 'hidden',
      answer: '',
      seen,
    });
    expect(decided.status).toBe(200);
    const page = await openBuilt(reviewed.id);
    expect([page?.status, page?.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await page?.text()).toBe('<h1>Lotus ring</h1>');
    expect((await openFeed())?.status).toBe(503);
    expect(await openBuilt(other.id)).toBeUndefined();
    expect(hooks).toEqual(['POST']);
    await publishAll();
    expect([await openBuilt(reviewed.id), await openFeed()]).toEqual([undefined, undefined]);
  } finally {
    vi.stubEnv('BUILD_HOOK_URL', undefined);
    await hook.close();
    await stack.sql('delete from public.reviews where true');
  }
});
