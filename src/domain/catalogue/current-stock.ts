import { paiseFromRupees, type Paise } from '#domain/money.ts';
import * as v from '#domain/validate.ts';
import type { Product } from './product.ts';
import { parseSizes } from './sizes.ts';

/** The part of a product that changes while its built page stays: price and stock. */
export type CurrentStock = Pick<Product, 'id' | 'price' | 'offerPrice' | 'stock' | 'sizes'>;

const parseRupees: v.Validator<Paise> = (value) => {
  const paise =
    typeof value === 'number' || typeof value === 'string' ? paiseFromRupees(value) : null;
  if (paise !== null) return paise;
  throw new v.ValidationError('Not an amount in rupees');
};

/** How each of these columns of a row of `products` is parsed. */
export const stockFields = {
  id: v.string,
  price: parseRupees,
  offerPrice: v.withDefault(parseRupees, null),
  stock: v.nonNegativeInt,
  sizes: v.withDefault(parseSizes, []),
};

/** Columns to select for `parseCurrentStock`. */
export const stockColumns = Object.keys(stockFields).join(',');

/** Parses these columns of a row of `products`. Throws ValidationError, which names the column. */
export const parseCurrentStock: v.Validator<CurrentStock> = v.object(stockFields);

/** How schema.org calls whether there is any. */
export const availabilityOf = ({ stock }: { stock: number }): string =>
  `https://schema.org/${stock > 0 ? 'InStock' : 'OutOfStock'}`;
