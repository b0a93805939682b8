import { guideParts } from '#domain/catalogue/worn-by-size.ts';

/** The pages that anybody may read, beside those of categories and products: in the sitemap, and looked at by the doctor. */
export const textPages: readonly string[] = [
  '/',
  '/shop',
  '/about',
  '/contact',
  '/privacy',
  '/returns',
  '/terms',
  '/shipping-policy',
  ...(guideParts.size === 0 ? [] : ['/size-guide']),
];
