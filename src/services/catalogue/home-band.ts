import type { Product } from '../../domain/catalogue/product.ts';

/** A band that a feature adds under the hero: `home-band.ts` reads it, HomeBand.astro beside it shows it. */
export interface HomeBand {
  /** Handed to the component. */
  props: Record<string, unknown>;
  /** Products that stand in no row below. */
  products: readonly Product[];
}
