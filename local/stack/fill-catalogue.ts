import { parseArgs } from 'node:util';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import * as z from 'zod';
import { startBackend } from './backend.ts';
import type { Base } from './base.ts';
import { say } from '#local/shared/log.ts';
import type { Settings } from '#local/shared/settings.ts';
import type { Shutdown } from './shutdown.ts';
import { StartError } from '#local/shared/start-error.ts';
import { createProduct, madeProductId } from '#local/demo/made-products.ts';
import { loadDemoCatalogue } from '#local/demo/products.ts';

const batch = 500;
const idsSchema = z.array(z.object({ id: z.string() }));
const countSchema = z.coerce.number<string>('--products is not a number').int().min(1).max(100_000);

/** The number of products to make. Throws StartError. */
function readCount(): number {
  try {
    return countSchema.parse(
      parseArgs({ options: { products: { type: 'string' } } }).values.products,
    );
  } catch {
    throw new StartError('Usage: npm run seed -- --products 10000 (1 to 100,000)');
  }
}

/**
 * Brings the data folder to a number of products: those of the demo catalogue, then made ones with the demo's images.
 * Changes nothing and throws StartError when the folder has a product that is neither: somebody's own catalogue. Ends the
 * process.
 */
export async function fillCatalogue(
  settings: Settings,
  shutdown: Shutdown,
  base: Base,
): Promise<void> {
  const wanted = readCount();
  await startBackend(settings, shutdown, base);
  const database = createClient(settings.origin, base.secrets.secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const demo = (await loadDemoCatalogue()).map(({ row }) => row);
  const images = demo.map(({ category, images, image_alts: alts }) => ({
    category: String(category),
    images,
    alts,
  }));
  const present = await readIds(database);
  const idOf = (index: number): string =>
    index < demo.length ? String(demo[index]?.['id']) : madeProductId(index);
  const own = new Map(
    Array.from({ length: Math.max(wanted, present.size) + demo.length }, (_, index) => [
      idOf(index),
      index,
    ]),
  );
  const strangers = [...present].filter((id) => !own.has(id));
  if (strangers.length > 0) {
    throw new StartError(
      `${base.folder.root} has ${String(strangers.length)} products that are not of the demo catalogue: nothing was changed.`,
    );
  }
  const surplus = [...present].filter((id) => (own.get(id) ?? 0) >= wanted);
  for (let start = 0; start < surplus.length; start += batch / 5) {
    expectDone(
      await database
        .from('products')
        .delete()
        .in('id', surplus.slice(start, start + batch / 5)),
    );
  }
  const missing = Array.from({ length: wanted }, (_, index) => index).filter(
    (index) => !present.has(idOf(index)),
  );
  for (let start = 0; start < missing.length; start += batch) {
    const rows = missing
      .slice(start, start + batch)
      .map((index) => demo[index] ?? createProduct(index, images));
    expectDone(await database.from('products').insert(rows));
  }
  say(
    `${String(wanted)} products (${String(missing.length)} put in, ${String(surplus.length)} taken out). The next start builds the shop with them.`,
  );
  await shutdown.stop();
  process.exit(0);
}

function expectDone({ error }: { error: { message: string } | null }): void {
  if (error) throw new StartError(`The database refused: ${error.message}`);
}

async function readIds(database: SupabaseClient): Promise<Set<string>> {
  const ids = new Set<string>();
  for (;;) {
    const { data, error } = await database
      .from('products')
      .select('id')
      .order('id')
      .range(ids.size, ids.size + 999);
    expectDone({ error });
    const page = idsSchema.parse(data);
    if (page.length === 0) return ids;
    for (const { id } of page) ids.add(id);
  }
}
