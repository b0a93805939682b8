/** The pages that anybody may read, beside those of categories and products: in the sitemap, and looked at by the doctor. */
export const textPages = [
  '/',
  '/shop',
  '/about',
  '/contact',
  '/privacy',
  '/returns',
  '/terms',
  '/shipping-policy',
  '/size-guide',
] as const;
