/*
 * `npm run build:preview [folder]`: the build of Netlify's previews and branches. Without Supabase's public variables it shows the demo
 * catalogue, whose rows and images become files of the site, at the addresses where pages look for them.
 */
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { build } from 'astro';
import { bucketPath } from '#domain/image.ts';
import { demoKey } from '#domain/demo-key.ts';
import { loadDemoCatalogue, type DemoProduct } from './demo/products.ts';
import { projectRoot } from './shared/settings.ts';

const outDir = resolve(projectRoot, process.argv[2] ?? 'dist');

/** Tables that the pages read, by their path; every other table is empty. */
const tablesOf = (products: readonly DemoProduct[]): Map<string, unknown> =>
  new Map<string, unknown>([
    [
      '/rest/v1/products',
      products.map(({ row }) => ({ ...row, updated_at: row['created_at'], featured: null })),
    ],
    // Version 0 is a catalogue that was never written: that of a new shop whose owner left the demo products out.
    ['/rest/v1/catalogue_version', [{ version: products.length === 0 ? 0 : 1 }]],
  ]);

async function buildDemo(): Promise<void> {
  const products = await loadDemoCatalogue();
  const tables = tablesOf(products);
  const origin = new URL(process.env['DEPLOY_PRIME_URL'] ?? 'http://localhost:8888').origin;
  Object.assign(process.env, {
    PUBLIC_SUPABASE_URL: origin,
    PUBLIC_SUPABASE_PUBLISHABLE_KEY: demoKey,
  });
  // The site that will answer these is what is being built.
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin) return fetch(input, init);
    return Response.json(tables.get(url.pathname) ?? []);
  };
  await build({ root: projectRoot, outDir, logLevel: 'warn' });
  for (const [path, rows] of tables) {
    await mkdir(dirname(join(outDir, path)), { recursive: true });
    await writeFile(join(outDir, path), JSON.stringify(rows));
  }
  await mkdir(join(outDir, bucketPath, 'products'), { recursive: true });
  for (const { file, path } of products.flatMap(({ images }) => images))
    await copyFile(file, join(outDir, bucketPath, path));
}

process.env['NODE_ENV'] = 'production';
if (process.env['PUBLIC_SUPABASE_URL']) await build({ root: projectRoot, outDir });
else await buildDemo();
