import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chargedPrice } from '#domain/catalogue/product.ts';
import { relatedProducts } from './related-products.ts';
import { anyProduct } from '#tests/unit/catalogue/catalogue-rows.ts';

test('related products are others in stock, of the same category first and nearest in price, as many as there are', () => {
  fc.assert(
    fc.property(fc.array(anyProduct, { minLength: 1, maxLength: 20 }), (products) => {
      const related = relatedProducts(products);
      for (const product of products) {
        const others = products.filter(({ id, stock }) => id !== product.id && stock > 0);
        const rank = (other: typeof product): [boolean, number] => [
          other.category !== product.category,
          Math.abs(chargedPrice(other) - chargedPrice(product)),
        ];
        const expected = others
          .map(rank)
          .sort(([a, x], [b, y]) => Number(a) - Number(b) || x - y)
          .slice(0, 4);
        expect(related(product, 4).map(rank)).toEqual(expected);
      }
    }),
  );
});
