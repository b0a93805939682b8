import type { Product } from '#domain/catalogue/product.ts';
import { builtListing } from '#services/catalogue/listing-files.ts';
import { relatedProducts } from './domain/related-products.ts';

let finder: Promise<(product: Product, count: number) => Product[]> | undefined;

/** Up to four related products of a product of this build. Sorts the catalogue once for all pages. */
export async function findRelated(product: Product): Promise<Product[]> {
  finder ??= builtListing().then(({ products }) => relatedProducts(products));
  return (await finder)(product, 4);
}
