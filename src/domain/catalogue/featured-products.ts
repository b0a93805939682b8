import { sortListed } from './listing/listing.ts';
import { chargedPrice, type Product } from './product.ts';
import type { Paise } from '#domain/money.ts';

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

/** Products in a row of the front page. */
const rowLength = 4;
/** Whatever costs less than this stands in the row of small prices; in paise. */
export const smallPrice: Paise = 150_000;

/** The rows below the featured products, newest first: no product twice on the page, none that is sold out. */
export function chooseRows(
  products: readonly Product[],
  featured: readonly Product[],
): { arrivals: Product[]; small: Product[] } {
  const others = sortListed(
    products.filter((product) => product.stock > 0 && !featured.includes(product)),
    'latest',
  );
  const small = others.slice(rowLength).filter((product) => chargedPrice(product) < smallPrice);
  return { arrivals: others.slice(0, rowLength), small: small.slice(0, rowLength) };
}
