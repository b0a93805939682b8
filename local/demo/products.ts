import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { projectRoot } from '#local/shared/settings.ts';
import { categories } from '#domain/catalogue/category.ts';

/** What the product page says about a product; the keys are those of its `attributes`. */
const demoAttributesSchema = z.object({
  metal: z.string(),
  purity: z.string().optional(),
  plating: z.string().optional(),
  plating_microns: z.number().positive().optional(),
  nickel_free: z.string().optional(),
  stone: z.string(),
  size: z.string().optional(),
  weight_g: z.number().positive(),
  height_mm: z.number().positive(),
  width_mm: z.number().positive(),
  care: z.string().optional(),
});

const demoProductSchema = z.object({
  ...demoAttributesSchema.shape,
  name: z.string().regex(/^[a-z-]+$/u),
  title: z.string().min(1),
  /** A category of the shop; or a number, which counts through them, for a catalogue that goes with every shop. */
  category: z.union([
    z.enum(categories),
    z.int().transform((place) => categories[place % categories.length] ?? ''),
  ]),
  description: z.string().min(1),
  /** Rupees. */
  price: z.number().positive(),
  offerPrice: z.number().positive().nullable(),
  /** The sum over all sizes, when the product has sizes. */
  stock: z.int().nonnegative(),
  sizes: z.array(z.object({ size: z.string(), stock: z.int().nonnegative() })).default([]),
  /** What its image files begin with, when it is not the name. */
  pictures: z.string().optional(),
  alt: z.string().min(1),
  /** Describes the third image, which shows the product worn or its size; the others have two images. */
  altForSize: z.string().min(1).optional(),
});
type DemoEntry = z.infer<typeof demoProductSchema>;

/** An image of the demo catalogue and the path it gets in the bucket. */
export interface DemoImage {
  file: string;
  path: string;
}

/** A row of `products`, and its images. */
export interface DemoProduct {
  row: Readonly<Record<string, unknown>>;
  images: readonly DemoImage[];
}

/**
 * The demo catalogue, newest product first: JSON files of products in `src/shop/catalogue`, or in the folder that SHOP_CATALOGUE
 * names, with their images in `pictures/`. Ids and image paths are the same in every data folder.
 */
export async function loadDemoCatalogue(
  now = new Date(),
  catalogueFolder = resolve(projectRoot, process.env['SHOP_CATALOGUE'] ?? 'src/shop/catalogue'),
): Promise<DemoProduct[]> {
  // A shop may have none; git keeps no empty folder.
  const names = existsSync(catalogueFolder) ? await readdir(catalogueFolder) : [];
  const files = names.filter((name) => name.endsWith('.json')).sort();
  const texts = await Promise.all(
    files.map(async (name) => readFile(join(catalogueFolder, name), 'utf8')),
  );
  const products = texts.flatMap((text) => z.array(demoProductSchema).parse(JSON.parse(text)));
  return byTurns(products).map((product, index) => toProduct(product, index, now, catalogueFolder));
}

/** Alternates the categories, so that the newest products are of every kind. */
function byTurns(products: readonly DemoEntry[]): DemoEntry[] {
  const counts = new Map<string, number>();
  const turnOf = new Map(
    products.map((product) => {
      const turn = counts.get(product.category) ?? 0;
      counts.set(product.category, turn + 1);
      return [product, turn];
    }),
  );
  return products.toSorted(
    (a, b) =>
      (turnOf.get(a) ?? 0) - (turnOf.get(b) ?? 0) ||
      categories.indexOf(a.category) - categories.indexOf(b.category),
  );
}

/** Hours between two products, so that 'Latest' spreads over about six weeks. */
const hoursApart = 38;

function toProduct(
  product: DemoEntry,
  index: number,
  now: Date,
  catalogueFolder: string,
): DemoProduct {
  const alts = [
    product.alt,
    `${product.title}, seen from another side.`,
    ...(product.altForSize ? [product.altForSize] : []),
  ];
  const images = alts.map((_, at) => {
    const place = `-${String(at + 1)}.webp`;
    return {
      file: join(catalogueFolder, 'pictures', `${product.pictures ?? product.name}${place}`),
      path: `products/${stableUuid(`${product.name}${place}`)}.webp`,
    };
  });
  const createdAt = new Date(now.getTime() - (index + 1) * hoursApart * 3_600_000).toISOString();
  return {
    images,
    row: {
      id: stableUuid(product.name),
      name: product.title,
      description: product.description,
      category: product.category,
      price: product.price,
      offerPrice: product.offerPrice,
      stock: product.stock,
      sizes: product.sizes,
      images: images.map(({ path }) => path),
      image_alts: alts,
      attributes: { ...demoAttributesSchema.parse(product), origin: 'India' },
      created_at: createdAt,
    },
  };
}

/** A UUID (version 8: own scheme) that is always the same for a name. */
export function stableUuid(name: string): string {
  const hex = createHash('sha256').update(`kasavu demo: ${name}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
