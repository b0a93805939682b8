import type { ProductQuery } from '#services/admin/catalogue/products.ts';
import {
  useListAddress,
  type ListAddress,
  type ListQuery,
} from '#islands/admin/shared/use-list-address.ts';
import { isProductsHash, productsHash, readProductsHash } from './products-address.ts';

const address: ListAddress<ProductQuery> = {
  matches: isProductsHash,
  parse: readProductsHash,
  format: productsHash,
};

/** The products that the admin views, stored in the page's address. */
export const useProductQuery = (): ListQuery<ProductQuery> => useListAddress(address);
