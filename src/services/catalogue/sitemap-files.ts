import { categories } from '#domain/catalogue/category.ts';
import { textPages } from '#domain/texts/text-pages.ts';
import { sitemapIndex, sitemaps } from '#domain/catalogue/sitemap.ts';
import { catalogue } from './built-catalogue.ts';
import { socialImage } from './image-layouts.ts';

/** The path of a part of the sitemap, counted from 1. */
const sitemapPart = (part: number): string => `/sitemap-${String(part)}.xml`;

/** The content of /sitemap.xml, and its parts when there is more than one sitemap may hold. */
export async function buildSitemap(
  site: URL | undefined,
): Promise<{ root: string; parts: string[] }> {
  const address = (path: string): string => new URL(path, site).href;
  const plain = [...textPages, ...categories.map((category) => `/shop/${category}`)].map(
    (path) => ({
      address: address(path),
    }),
  );
  const products = (await catalogue()).map(({ id, updatedAt, images }) => ({
    address: address(`/product/${id}`),
    changed: updatedAt,
    images: images.map((entry) => socialImage(entry, site)),
  }));
  const [first = '', ...rest] = sitemaps([...plain, ...products]);
  if (rest.length === 0) return { root: first, parts: [] };
  const parts = [first, ...rest];
  return { root: sitemapIndex(parts.map((_, index) => address(sitemapPart(index + 1)))), parts };
}
