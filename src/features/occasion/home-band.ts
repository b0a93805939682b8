import type { HomeBand } from '../../services/catalogue/home-band.ts';
import { builtOccasion } from './built-occasion.ts';

/** The band of the occasion. Until its first day its products stay in the rows below, too. */
export async function readHomeBand(): Promise<HomeBand | null> {
  const built = await builtOccasion(new Date());
  return built && { props: { ...built }, products: built.isOn ? built.products : [] };
}
