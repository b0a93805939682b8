import { chooseOccasion, occasionSpan, parseOccasion, type Occasion } from './domain/occasion.ts';
import type { Product } from '#domain/catalogue/product.ts';
import { catalogue } from '#services/catalogue/built-catalogue.ts';
import { fetchRows } from '#services/catalogue/catalogue.ts';

interface BuiltOccasion {
  occasion: Occasion;
  /** Those that can be bought, in the occasion's order. */
  products: readonly Product[];
  /** Whether it is one of its days while the page is built. */
  isOn: boolean;
}

/**
 * The admin's occasion for this build. Null for none, for one that is over, and while too few of its products can be
 * bought. Throws when the database cannot be read.
 */
export async function builtOccasion(now: Date): Promise<BuiltOccasion | null> {
  const [row] = await fetchRows('occasion', {
    select: 'heading,sentence,first_day,last_day,products',
  });
  if (row === undefined) return null;
  const occasion = parseOccasion(row);
  const products = chooseOccasion(await catalogue(), occasion, now);
  if (products.length === 0) return null;
  return { occasion, products, isOn: now.getTime() >= occasionSpan(occasion).from };
}
