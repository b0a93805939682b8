import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { CategorySettings, ShopFolder } from '#shop-schema/shop-schema.ts';
import { partOf } from '#domain/catalogue/worn-by-size.ts';
import { wornOnOf } from './category-of-words.ts';

const productsSchema = z.array(z.looseObject({ name: z.string(), category: z.string() }));

/**
 * Moves the demo products of `folder` (`src/shop`) to the new shop's categories, or removes all of them: a product keeps its category when
 * the shop has it, and else goes to one that is worn in the same place; never to one whose sizes it does not say. What fits nowhere is removed.
 *
 * @returns a sentence about what is left, and why.
 */
export async function writeCatalogue(
  folder: string,
  before: Pick<ShopFolder, 'categories'>,
  { categories }: Pick<ShopFolder, 'categories'>,
  isEmpty: boolean,
): Promise<string> {
  const catalogue = join(folder, 'catalogue');
  const homeOf = (slug: string): CategorySettings | undefined => {
    const old = before.categories.find((category) => category.slug === slug);
    if (!old) return undefined;
    // Earrings say no ring size, so they fit no category that is measured as rings.
    const fitting = categories.filter((home) => [null, partOf(old)].includes(partOf(home)));
    return (
      fitting.find((category) => category.slug === slug) ??
      // The name alone decides, not the default of the settings.
      fitting.find(({ label, slug: own }) => wornOnOf({ name: label, slug: own }) === old.wornOn)
    );
  };
  const kept = new Map<string, string>();
  let removed = 0;
  for (const file of (await readdir(catalogue)).filter((name) => name.endsWith('.json'))) {
    const path = join(catalogue, file);
    const products = productsSchema.parse(JSON.parse(await readFile(path, 'utf8')));
    const own = products.flatMap((product) => {
      const home = isEmpty ? undefined : homeOf(product.category);
      if (home === undefined) return [];
      kept.set(product.name, home.label);
      return [{ ...product, category: home.slug }];
    });
    removed += products.length - own.length;
    if (own.length === 0) await rm(path);
    else await writeFile(path, `${JSON.stringify(own, null, 2)}\n`);
  }
  const pictures = join(catalogue, 'pictures');
  for (const file of await readdir(pictures)) {
    if (!kept.has(file.replace(/-\d\.webp$/u, ''))) await rm(join(pictures, file));
  }
  return describeCatalogue([...kept.values()], removed, isEmpty);
}

/** Says how many demo products stay under each category, and how many are removed. */
function describeCatalogue(labels: readonly string[], removed: number, isEmpty: boolean): string {
  if (isEmpty) return 'The shop has no products yet: add them under /admin.';
  if (labels.length === 0)
    return 'No demo product fits your categories, so the shop has no products yet: add them under /admin.';
  const counts = [...new Set(labels)].map(
    (label) => `${String(labels.filter((one) => one === label).length)} under ${label}`,
  );
  const rest =
    removed === 0
      ? ''
      : ` ${String(removed)} others are removed: they fit none of your categories.`;
  return `${String(labels.length)} demo products are in the shop: ${counts.join(', ')}.${rest}`;
}
