import { afterEach, expect, test, vi } from 'vitest';
import { categories } from '../../../src/domain/catalogue/category.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

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
  vi.stubEnv('PUBLIC_SUPABASE_URL', 'https://project.example');
  vi.stubEnv('PUBLIC_SUPABASE_PUBLISHABLE_KEY', 'sb_publishable_1');
  const rows = Array.from({ length: 7 }, (_, index) => row(index));
  vi.stubGlobal('fetch', (address: URL) => {
    if (address.pathname.endsWith('/catalogue_version'))
      return Promise.resolve(Response.json([{ version: 7 }]));
    const offset = Number(address.searchParams.get('offset'));
    return Promise.resolve(Response.json(rows.slice(offset, offset + 2)));
  });
  vi.resetModules();
  const { fetchCatalogue } = await import('../../../src/services/catalogue/catalogue.ts');
  const { version, products, featured } = await fetchCatalogue();
  expect(version).toBe(7);
  expect(products.map(({ name }) => name)).toEqual([
    'Ring 0',
    'Ring 1',
    'Ring 2',
    'Ring 3',
    'Ring 4',
    'Ring 6',
  ]);
  expect(featured).toEqual([rows[3]?.id, rows[1]?.id]);
});

test('a shop that never had a product is built empty; one that has lost them all is not built', async () => {
  vi.stubEnv('PUBLIC_SUPABASE_URL', 'https://project.example');
  vi.stubEnv('PUBLIC_SUPABASE_PUBLISHABLE_KEY', 'sb_publishable_1');
  let changes = 0;
  vi.stubGlobal('fetch', (address: URL) =>
    Promise.resolve(
      Response.json(address.pathname.endsWith('/catalogue_version') ? [{ version: changes }] : []),
    ),
  );
  vi.resetModules();
  const { fetchCatalogue } = await import('../../../src/services/catalogue/catalogue.ts');
  expect(await fetchCatalogue()).toEqual({ version: 0, products: [], featured: [] });
  changes = 2;
  await expect(fetchCatalogue()).rejects.toThrow('The catalogue is empty');
});
