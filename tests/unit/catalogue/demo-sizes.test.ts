import { expect, test } from 'vitest';
import { loadDemoCatalogue } from '../../../local/demo/products.ts';
import { lacksSize, sizeGuideOf } from '../../../src/domain/catalogue/worn-by-size.ts';
import { productFromRow } from '../../../src/domain/catalogue/product-row.ts';

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
