import { maxSizes } from '#domain/catalogue/sizes.ts';
import { shop } from '#settings/shop.ts';
import {
  groupRows,
  hasSeveralPrices,
  productOf,
  type SourceProduct,
  type Variant,
} from './sources/source.ts';

/** Every choice of some of the options, the smallest ones first. */
const choicesOf = (count: number): number[][] =>
  Array.from({ length: 2 ** count - 1 }, (_, at) => at + 1)
    .map((bits) =>
      Array.from({ length: count }, (_, at) => at).filter((at) => Math.floor(bits / 2 ** at) % 2),
    )
    .sort((a, b) => a.length - b.length);

const partOf =
  (options: readonly number[]) =>
  (variant: Variant): string =>
    options.map((at) => variant.options[at]?.trim() ?? '').join(' / ');

/** The fewest options that say what a variant costs and leave no more sizes than a product has; null when none do. */
function optionsThatDecide(variants: readonly Variant[]): number[] | null {
  const count = Math.min(...variants.map(({ options }) => options.length));
  return (
    choicesOf(count).find((options) =>
      groupRows(variants, partOf(options)).every(
        (group) => !hasSeveralPrices(group) && group.length <= maxSizes,
      ),
    ) ?? null
  );
}

/** Whether a product cannot come in as one, and can as several: its variants have several prices, or are more than a product has. */
export const isSplittable = ({ key, leftOut, variants }: SourceProduct): boolean =>
  key !== null &&
  leftOut === null &&
  (hasSeveralPrices(variants) || variants.length > maxSizes) &&
  optionsThatDecide(variants) !== null;

/** A product for each value of what decides the price: 'Chain, gold' and 'Chain, silver', each with the sizes that it has. */
export function splitByPrice(product: SourceProduct): SourceProduct[] {
  if (!isSplittable(product)) return [product];
  const { variants, fields } = product;
  const options = optionsThatDecide(variants) ?? [];
  const { price: _price, offerPrice: _offer, stock: _stock, ...others } = fields;
  return groupRows(variants, partOf(options)).map((group, nth) => {
    const value = partOf(options)(group[0]);
    const name = `${product.name}, ${value}`;
    return productOf(
      {
        ...product,
        name,
        key: `${product.key ?? ''}\n${value}`,
        fields: { ...others, name },
        // What a product has no place for is counted once.
        images: nth === 0 ? product.images : product.images.slice(0, shop.limits.imagesPerProduct),
        oldAddresses: nth === 0 ? product.oldAddresses : [],
        unplaced: nth === 0 ? product.unplaced : [],
      },
      group.map((variant) => ({
        ...variant,
        options: variant.options.filter((_, at) => !options.includes(at)),
      })),
    );
  });
}
