import { chooseFeatured } from '#domain/catalogue/featured-products.ts';
import { imageAddress, isResizable } from '#domain/image.ts';
import { categories, type Category } from '#domain/catalogue/category.ts';
import type { Product } from '#domain/catalogue/product.ts';
import { shop } from '#settings/shop.ts';
import * as environment from '#services/environment.ts';
import { fetchCatalogue, type Catalogue } from './catalogue.ts';

/*
 * The build itself reads the catalogue. An Astro collection would write it into a file that becomes a script of the build and is
 * parsed three times: 230 MB at 10,000 products.
 */
let read: Promise<Catalogue> | undefined;

/** The reading of the catalogue that this build shows. Read once for all pages. */
async function reading(): Promise<Catalogue> {
  read ??= fetchCatalogue().then((found) => ({
    ...found,
    products: found.products.toSorted(
      (a, b) =>
        Number(a.stock === 0) - Number(b.stock === 0) ||
        Date.parse(a.createdAt) - Date.parse(b.createdAt),
    ),
  }));
  return read;
}

/** Every product of this build, oldest first, sold-out ones last. */
export async function catalogue(): Promise<readonly Product[]> {
  return (await reading()).products;
}

/**
 * The products of the front page: those that the admin chose, in that order, and the newest in the places left, without
 * those that the page shows elsewhere.
 */
export async function featuredProducts(elsewhere: readonly Product[]): Promise<Product[]> {
  const { products, featured } = await reading();
  const free = products.filter(
    (product) => featured.includes(product.id) || !elsewhere.includes(product),
  );
  return chooseFeatured(free, featured, shop.limits.featured);
}

/**
 * What a search without a result shows instead: products in stock that the admin chose for the front page, then the newest. What sells
 * best is known to the admin alone.
 */
export async function suggestedProducts(count: number): Promise<Product[]> {
  const { products, featured } = await reading();
  return chooseFeatured(
    products.filter(({ stock }) => stock > 0),
    featured,
    count,
  );
}

/** A category and the entry of an image that shows what it is; none when it has no image of the shop's own. */
export interface CategoryImage {
  category: Category;
  image: string | undefined;
}

let chosen: Promise<CategoryImage[]> | undefined;

/** The categories in the shop's order, each with the first image of its oldest product in stock. Every page asks, so they are chosen once. */
export async function categoryImages(): Promise<readonly CategoryImage[]> {
  chosen ??= chooseCategoryImages();
  return chosen;
}

async function chooseCategoryImages(): Promise<CategoryImage[]> {
  const products = await catalogue();
  return categories.map((category) => ({
    category,
    // An image of another host has one size, and pages without products may not show it.
    image: products
      .filter((product) => product.category === category)
      .flatMap(({ images }) => images[0] ?? [])
      .find((entry) => isResizable(imageAddress(entry, environment.supabaseUrl))),
  }));
}

/** The version of the catalogue that this build shows: the admin's changes up to this number are in its pages. */
export async function catalogueVersion(): Promise<number> {
  return (await reading()).version;
}
