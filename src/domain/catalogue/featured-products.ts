import { sortListed } from './listing.ts';
import type { Product } from './product.ts';

/**
 * The first `count` of: the chosen products, in the order of their ids, then the others, newest first, sold-out ones last.
 * Ids of no product are left out.
 */
export function chooseFeatured(
  products: readonly Product[],
  chosenIds: readonly string[],
  count: number,
): Product[] {
  const chosen = chosenIds.flatMap((id) => products.find((product) => product.id === id) ?? []);
  const others = products.filter(({ id }) => !chosenIds.includes(id));
  return [...chosen, ...sortListed(others, 'latest')].slice(0, count);
}
