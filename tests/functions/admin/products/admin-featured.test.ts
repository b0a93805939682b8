import { beforeEach, expect, test } from 'vitest';
import { eachRow } from '#tests/each-row.ts';
import { openProductRequests } from './product-requests.ts';

const requests = await openProductRequests();
const { stack, askFeatured, stored, list, publishAll } = requests;
beforeEach(async () => {
  await stack.sql('delete from public.products');
  await publishAll();
});

test('the choice of the front page is saved, read back in its order, and waits to be published', async () => {
  const [first, second] = [await stored({ name: 'First' }), await stored({ name: 'Second' })];
  await publishAll();
  const featured = [
    { id: second.id, name: 'Second', hidden: false, image: 'products/a.webp' },
    { id: first.id, name: 'First' },
  ];
  const ids = [second.id, first.id];
  expect(await askFeatured('PUT', { ids, seen: [] })).toMatchObject({
    status: 200,
    json: { featured },
  });
  expect(await askFeatured('GET')).toMatchObject({ status: 200, json: { featured } });
  expect((await list()).products).toMatchObject([{ unpublished: true }, { unpublished: true }]);
});

test('a choice based on an old one, or with a deleted product, is refused with the current one', async () => {
  const { id } = await stored();
  await askFeatured('PUT', { ids: [id], seen: [] });
  expect(await askFeatured('PUT', { ids: [], seen: [] })).toMatchObject({
    status: 409,
    json: { error: 'changed', featured: [{ id }] },
  });
  expect(await askFeatured('PUT', { ids: [crypto.randomUUID()], seen: [id] })).toMatchObject({
    status: 409,
    json: { error: 'missing', featured: [{ id }] },
  });
});

test('an invalid choice is refused', async () => {
  const { id } = await stored();
  const others = Array.from({ length: 4 }, () => crypto.randomUUID());
  await eachRow(
    [
      { ids: others, seen: [] },
      { ids: [id, id], seen: [] },
      { ids: ['x'], seen: [] },
      { ids: [id] },
      {},
    ],
    async (body) => {
      expect((await askFeatured('PUT', body)).status).toBe(400);
    },
  );
});
