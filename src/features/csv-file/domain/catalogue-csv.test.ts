import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { catalogueRows, catalogueTemplate } from './catalogue-csv.ts';
import { plainText } from './plain-text.ts';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { categories } from '#domain/catalogue/category.ts';
import { lacksSize } from '#domain/catalogue/worn-by-size.ts';
import { csvText } from '#domain/csv.ts';
import { faultsOf, plan, ring } from '#tests/features/csv-file/plan-file.ts';
import { tidyLine } from '#domain/typed-text.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

const text = (max: number) => fc.string({ unit: 'grapheme', maxLength: max }).map(tidyLine);
const products: fc.Arbitrary<AdminProduct[]> = fc
  .uniqueArray(
    fc.record({
      id: fc.uuid(),
      name: text(30).map((name) => `=${name}`),
      description: fc
        .string({
          unit: fc.constantFrom(...Array.from('ab \n\r,;"\'=-+@അ')),
          maxLength: 40,
        })
        .map((value) => value.trim()),
      category: fc.constantFrom(...categories),
      price: fc.integer({ min: 200, max: 100_000_000 }),
      offerPrice: fc.option(fc.integer({ min: 1, max: 199 })),
      stock: fc.nat(100_000),
      sizes: fc.uniqueArray(
        fc.record({
          size: text(20).filter((size) => size !== '' && !/[;\r\n]/u.test(size)),
          stock: fc.nat(1_000),
        }),
        { selector: ({ size }) => size.toLowerCase(), maxLength: 4 },
      ),
      hidden: fc.boolean(),
      deletedAt: fc.constant(null),
      images: fc.array(fc.constantFrom('products/a.webp', 'https://pictures.example/b,"c".jpg'), {
        maxLength: 3,
      }),
      imageAlts: fc.array(text(20), { maxLength: 3 }),
      attributes: fc.record(
        {
          metal: text(20).map(plainText).filter(Boolean),
          weight_g: fc.integer({ min: 1, max: 99_999 }).map((grams) => grams / 10),
        },
        { requiredKeys: [] },
      ),
      createdAt: fc.constant(ring.createdAt),
      updatedAt: fc
        .date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
        .map((at) => at.toISOString()),
      unpublished: fc.boolean(),
    }),
    { selector: (product) => product.id, minLength: 1, maxLength: 8 },
  )
  .map((list) =>
    list.map((product) =>
      product.sizes.length === 0
        ? product
        : { ...product, stock: product.sizes.reduce((sum, { stock }) => sum + stock, 0) },
    ),
  );

describe('an exported catalogue', () => {
  test('is taken in again without a difference, whatever its products say', () => {
    fc.assert(
      fc.property(products, (stored) => {
        expect(plan(csvText(catalogueRows(stored)), stored)).toEqual({
          added: [],
          changed: [],
          same: stored.length,
          importedBefore: [],
          unsized: new Map(),
          waiting: 0,
          faults: [],
        });
      }),
      { numRuns: 100 },
    );
  });

  test('becomes another catalogue to the letter when its rows are new ones', () => {
    fc.assert(
      fc.property(products, (stored) => {
        const [head = [], ...rows] = catalogueRows(stored);
        const { added, faults } = plan(
          csvText([head, ...rows.map(([, ...cells]) => ['', ...cells.slice(0, -1), ''])]),
          [],
        );
        expect(faults).toEqual([]);
        const inputs = stored.map(
          ({
            id: _id,
            deletedAt: _gone,
            createdAt: _made,
            updatedAt: _at,
            unpublished: _new,
            ...input
          }) => ({
            ...input,
            name: plainText(input.name),
            description: plainText(input.description.replace(/\r\n?/gu, '\n')),
            imageAlts: input.images.map((_, index) => plainText(input.imageAlts[index] ?? '')),
            // The answer to the question which size they are.
            ...(lacksSize({ ...input, size: String(input.attributes['size'] ?? '') }) && {
              attributes: { ...input.attributes, size: 'Adjustable' },
            }),
          }),
        );
        expect(added.map(({ product }) => product)).toEqual(inputs);
      }),
      { numRuns: 100 },
    );
  });
});

test('the template reads as one hidden product, and asks for the image that it names', () => {
  expect(plan(catalogueTemplate().replace('palakka-ring.jpg', 'a.jpg'))).toMatchObject({
    faults: [],
    added: [
      {
        row: 2,
        product: {
          name: 'Palakka ring',
          price: 149_900,
          offerPrice: 129_900,
          hidden: true,
          images: ['products/uploaded.webp'],
        },
      },
    ],
  });
  expect(faultsOf(catalogueTemplate())).toEqual(['2 Picture 1: There is no “palakka-ring.jpg”']);
});
