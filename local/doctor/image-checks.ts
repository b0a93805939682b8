import { imageMetadata } from 'astro/assets/utils';
import * as z from 'zod';
import { imageAddress, minFeedSide, placeholderImage } from '../../src/domain/image.ts';
import { type Check, Skipped, type Target, ask, valueOf } from './check.ts';
import { callDatabase } from './read-database.ts';

const productsSchema = z.array(
  z.object({ id: z.string(), name: z.string(), images: z.array(z.string()).nullish() }),
);
type Product = z.infer<typeof productsSchema>[number];

const pageLength = 1_000;
/** Images that are fetched at once. */
const lanes = 8;
/** The size stands at the beginning of a file. sharp would need all of a WebP file, as the shop stores them. */
const beginning = { headers: { range: 'bytes=0-262143' } };
const shownNames = 20;

/** Every product that customers see. Throws Skipped where another check reports the fault. */
async function readProducts(target: Target): Promise<Product[]> {
  const products: Product[] = [];
  for (;;) {
    const answer = await callDatabase(
      target,
      'publishable',
      `/rest/v1/products?select=id,name,images&order=id&limit=${String(pageLength)}&offset=${String(products.length)}`,
    );
    if (!answer.ok) throw new Skipped('the catalogue cannot be read.');
    const page = productsSchema.parse(await answer.json());
    products.push(...page);
    if (page.length < pageLength) return products;
  }
}

/** The shorter side of an image, in pixels; null when it cannot be read. */
async function shortSide(address: string): Promise<number | null> {
  const answer = await ask(address, beginning);
  if (!answer.ok) return null;
  try {
    const { width, height } = await imageMetadata(await answer.bytes(), address);
    return Math.min(width, height);
  } catch {
    return null;
  }
}

/** The products of a list that a test holds for, with the test made `lanes` at a time. */
async function findProducts(
  products: readonly Product[],
  test: (product: Product) => Promise<boolean>,
): Promise<string[]> {
  const found: string[] = [];
  const left = products.values();
  const lane = async (): Promise<void> => {
    for (const product of left) if (await test(product)) found.push(product.name);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return found.sort();
}

export const imageChecks: readonly Check[] = [
  {
    name: 'Google takes the first picture of every product',
    async run(target) {
      const small = await findProducts(await readProducts(target), async ({ images }) => {
        const address = imageAddress(images?.[0], valueOf(target, 'PUBLIC_SUPABASE_URL'));
        // The feeds have no product without a picture at an address.
        if (address === placeholderImage || address.startsWith('data:')) return false;
        return ((await shortSide(address)) ?? 0) < minFeedSide;
      });
      if (small.length === 0) return null;
      const more = small.length - shownNames;
      return `Unreadable or smaller than ${String(minFeedSide)} × ${String(minFeedSide)} pixels: ${small.slice(0, shownNames).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}. From 31 January 2027 Google does not list such products.`;
    },
    fix: 'At /admin, choose a larger picture for these: 1,500 × 1,500 pixels is best. Shops that do not use Google’s listings may leave them.',
  },
];
