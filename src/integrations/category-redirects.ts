import { appendFile } from 'node:fs/promises';
import type { AstroIntegration } from 'astro';
import { categories } from '#settings/categories.ts';

/** /shop?category=rings arrives filtered, from the server. A rule each: for a category that is unknown the whole shop is answered. */
export const categoryRedirects = categories.map(({ slug }) => ({
  from: '/shop',
  query: { category: slug },
  to: `/shop/${slug}`,
  status: 200,
  force: true,
}));

/** The rules as Netlify reads them from a build: in netlify.toml they would be the engine's, and categories are the shop's. */
export const writeCategoryRedirects: AstroIntegration = {
  name: 'category-redirects',
  hooks: {
    'astro:build:done': async ({ dir }) => {
      const lines = categoryRedirects.map(
        ({ from, query, to, status }) =>
          `${from} category=${query.category} ${to} ${String(status)}!\n`,
      );
      // Astro's adapter adds its own, before or after.
      await appendFile(new URL('_redirects', dir), lines.join(''));
    },
  },
};
