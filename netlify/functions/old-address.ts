import type { Config } from '@netlify/functions';
import { categories, categoryLabel } from '#domain/catalogue/category.ts';
import { endpoint, failureFields } from '#core/platform/http/http.ts';
import { plainPage } from '#core/platform/http/page.ts';
import { movedTo, productAtOldAddress } from '#netlify/features/csv-file/old-addresses.ts';
import { unknownPage } from '#netlify/features/csv-file/unknown-page.ts';

/** The listing that a collection of another shop meant: '/shop/rings' for 'rings' or 'ring', else the whole shop. */
function listingOf(collection: string): string {
  const named = categories.find((slug) =>
    [slug, categoryLabel(slug).toLowerCase().replaceAll(' ', '-')].some(
      (name) => name.replace(/s$/u, '') === collection.toLowerCase().replace(/s$/u, ''),
    ),
  );
  return named === undefined ? '/shop' : `/shop/${named}`;
}

/** Collections of Shopify and categories of WooCommerce. */
const isListing = (pathname: string): boolean =>
  /^\/(?:collections|product-category)(?:\/|$)/iu.test(pathname) &&
  !/\/products\//iu.test(pathname);

/**
 * GET of every address that no file and no other function has: 301 to the product that had it in the shop it was imported from, or to
 * the listing of a collection; else the page 404. Products at `/product/:id` are answered by product.ts.
 */
export default endpoint({
  route: 'old-address',
  method: ['GET', 'HEAD'],
  async handler({ request, addLogFields }) {
    const { pathname } = new URL(request.url);
    if (isListing(pathname))
      return movedTo(listingOf(pathname.replace(/\/$/u, '').split('/').at(-1) ?? ''));
    try {
      const path = await productAtOldAddress(pathname);
      return path === null ? await unknownPage(request) : movedTo(path);
    } catch (error) {
      addLogFields(failureFields(error));
      const sentence = 'This page cannot be shown right now. Please try again in a moment.';
      return plainPage(503, 'Just a moment', sentence, { path: '/shop', text: 'Back to Shop' });
    }
  },
});

export const config: Config = {
  path: '/*',
  // What other functions answer, what a rule rewrites, and what programs look for that nobody ever imported: those get the static page 404,
  // which costs no call. No address may match two functions, because Netlify does not say which of them it calls.
  excludedPath: [
    '/',
    '/404',
    '/shop',
    '/product/:id',
    '/api/*',
    '/local/*',
    '/.netlify/*',
    '/.well-known/*',
    '/.env*',
    '/.git*',
    '/_astro/*',
    '/fonts/*',
    '/account/*',
    '/cart-mail/*',
    '/claim/*',
    '/newsletter/*',
    '/stock-alert/*',
    '/track/*',
    '/feeds/*',
    '/wp-*',
    '/*.php',
    '/*.js',
    '/*.json',
    '/*.map',
    '/*.css',
    '/*.txt',
    '/*.xml',
    '/*.ico',
    '/*.png',
    '/*.jpg',
    '/*.jpeg',
    '/*.gif',
    '/*.svg',
    '/*.webp',
    '/*.avif',
    '/*.zip',
    '/*.gz',
    '/*.sql',
    '/*.bak',
    '/*.woff2',
  ],
  preferStatic: true,
};
