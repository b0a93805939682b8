import { afterEach, expect, test, vi } from 'vitest';
import { categories } from '#domain/catalogue/category.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** The catalogue of a project that answers so. */
async function fetchFrom(answer: (address: URL) => unknown) {
  vi.stubEnv('PUBLIC_SUPABASE_URL', 'https://project.example');
  vi.stubEnv('PUBLIC_SUPABASE_PUBLISHABLE_KEY', 'sb_publishable_1');
  vi.stubGlobal('fetch', (address: URL) => Promise.resolve(Response.json(answer(address))));
  vi.resetModules();
  const { fetchCatalogue } = await import('#services/catalogue/catalogue.ts');
  return fetchCatalogue();
}

const row = (index: number) => ({
  id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  name: `Ring ${String(index)}`,
  // The shop has no such category any more.
  category: index === 5 ? 'no-more' : categories[0],
  description: '',
  price: 100,
  offerPrice: null,
  stock: 1,
  featured: { 1: 2, 3: 1, 5: 3 }[index] ?? null,
  images: [],
  attributes: {},
  created_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-20T10:00:00Z',
});

test('a project that returns fewer rows than requested is read completely, without what the shop does not offer, and the home page in its order', async () => {
  const rows = Array.from({ length: 7 }, (_, index) => row(index));
  const { version, products, featured } = await fetchFrom(({ pathname, searchParams }) => {
    if (pathname.endsWith('/catalogue_version')) return [{ version: 7 }];
    const offset = Number(searchParams.get('offset'));
    return rows.slice(offset, offset + 2);
  });
  expect(version).toBe(7);
  expect(products.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 6].map((at) => rows[at]?.id));
  expect(featured).toEqual([rows[3]?.id, rows[1]?.id]);
});

test('a shop that never had a product is built empty; one that has lost them all is not built', async () => {
  const fetchAfter = (version: number) =>
    fetchFrom(({ pathname }) => (pathname.endsWith('/catalogue_version') ? [{ version }] : []));
  expect(await fetchAfter(0)).toEqual({ version: 0, products: [], featured: [] });
  await expect(fetchAfter(2)).rejects.toThrow('The catalogue is empty');
});
