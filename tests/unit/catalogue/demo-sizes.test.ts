import { expect, test } from 'vitest';
import { loadDemoCatalogue } from '#local/demo/products.ts';
import { lacksSize, sizeGuideOf } from '#domain/catalogue/worn-by-size.ts';
import { productFromRow } from '#domain/catalogue/product-row.ts';

const worn = (await loadDemoCatalogue(new Date(), 'src/shop/catalogue'))
  .map(({ row }) => productFromRow({ ...row, updated_at: row['created_at'] }))
  .filter(({ category }) => sizeGuideOf(category) !== null);

// A shop of its own may have no such products.
test.skipIf(worn.length === 0)('every ring and bangle of the demo catalogue says its size', () => {
  const silent = worn.filter((product) =>
    lacksSize({ ...product, size: product.attributes.size ?? '' }),
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});

/** The centimetres that a text names: '17 cm, with 3 cm of chain' is 17 to 20, 'from 16 to 19 cm' is 16 to 19. */
function spanOf(size: string): readonly [number, number] | null {
  const [first, second] = Array.from(size.matchAll(/(\d+)(?= cm| to \d+ cm)/gu), ([, cm]) =>
    Number(cm),
  );
  if (first === undefined) return null;
  if (second === undefined) return [first, first];
  return size.includes(' to ') && second > first ? [first, second] : [first, first + second];
}

const inCm = worn.flatMap(({ name, attributes }) => {
  const span = spanOf(attributes.size ?? '');
  const { width_mm: width } = attributes;
  return span && typeof width === 'number' ? [{ name, span, around: (Math.PI * width) / 10 }] : [];
});

test.skipIf(inCm.length === 0)(
  'the length that a bracelet of the demo catalogue names agrees with its width',
  () => {
    for (const { name, span, around } of inCm) {
      expect(around, name).toBeGreaterThan(span[0] - 1);
      expect(around, name).toBeLessThan(span[1] + 1);
    }
  },
);
