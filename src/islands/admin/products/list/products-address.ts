import { productShows, productSorts } from '#domain/admin/products/product-input.ts';
import { categories } from '#domain/catalogue/category.ts';
import { allProducts, type ProductQuery } from '#services/admin/catalogue/products.ts';

const oneOf = <Value extends string>(
  values: readonly Value[],
  text: string | null,
  otherwise: Value,
): Value => values.find((value) => value === text) ?? otherwise;

/** Whether an address shows the list of products. */
export const isProductsHash = (hash: string): boolean => /^(?:#(?:\?.*)?)?$/u.test(hash);

/** Reads the query of an address such as '#?q=ring&stock=low'; whatever it does not know means all products, newest first. */
export function readProductsHash(hash: string): ProductQuery {
  const query = new URLSearchParams(/^#\?(.*)$/u.exec(hash)?.[1] ?? '');
  return {
    q: query.get('q') ?? '',
    category: oneOf(['all', ...categories], query.get('category'), 'all'),
    stock: oneOf(['all', 'low', 'out'], query.get('stock'), 'all'),
    show: oneOf(productShows, query.get('show'), 'all'),
    sort: oneOf(productSorts, query.get('sort'), 'newest'),
  };
}

/** The address of a list of products; '#' for all of them. */
export function productsHash(query: ProductQuery): string {
  const given = Object.entries({ ...query, q: query.q.trim() }).filter(
    ([name, value]) => value !== allProducts[name as keyof ProductQuery],
  );
  return given.length === 0 ? '#' : `#?${new URLSearchParams(given).toString()}`;
}
