import { categories } from '#settings/categories.ts';
import type { CategorySettings, WornOn } from '#shop-schema/shop-schema.ts';
import type { Category } from './category.ts';

/** A part of the size guide, which is also its place in that page: '/size-guide#rings'. */
export type SizeGuidePart = 'rings' | 'bangles';

const partByBody: Partial<Record<WornOn, SizeGuidePart>> = {
  finger: 'rings',
  toe: 'rings',
  wrist: 'bangles',
};

/** The part of the size guide that the settings of a category ask for; null when its products are not worn by size. */
export function partOf({
  sizeGuide,
  wornOn,
}: Pick<CategorySettings, 'sizeGuide' | 'wornOn'>): SizeGuidePart | null {
  const part = sizeGuide ?? partByBody[wornOn] ?? 'none';
  return part === 'none' ? null : part;
}

/** The part of the size guide that measures the products of a category; null when they are not worn by size. */
export function sizeGuideOf(category: Category): SizeGuidePart | null {
  const settings = categories.find(({ slug }) => slug === category);
  return settings ? partOf(settings) : null;
}

/** The parts of the size guide that measure something this shop sells. */
export const guideParts: ReadonlySet<SizeGuidePart> = new Set(
  categories.flatMap(({ slug }) => sizeGuideOf(slug) ?? []),
);

/** Whether customers would have to guess the size: it is worn by size, and says none. */
export const lacksSize = (product: {
  category: Category;
  sizes: readonly unknown[];
  /** One sentence, such as 'Adjustable, fits 12 to 18'. */
  size: string;
}): boolean =>
  sizeGuideOf(product.category) !== null &&
  product.sizes.length === 0 &&
  product.size.trim() === '';
