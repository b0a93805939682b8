import { appendFile, mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareBuild } from '../../../local/site/run-build.ts';
import { seededRandom } from '../../simulation/random.ts';
import { times } from '../../soak.ts';
import { publishableKey } from '../support/database-server.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { projectRoot } from './bundle-functions.ts';

/*
 * A build copies the pages that show the same as in the last one (docs/decisions/0017). Whatever was edited between two
 * builds, the second must be byte by byte what a build from nothing makes of the same catalogue.
 */
let stack: Stack;
let folder: string;

beforeAll(async () => {
  stack = await startStack();
  // Inside the project: elsewhere all builds share one place for what they have not finished.
  await mkdir(join(projectRoot, '.astro'), { recursive: true });
  folder = await mkdtemp(join(projectRoot, '.astro', 'copies-test-'));
  await stack.database.sql(`
    insert into public.products (name, description, category, price, stock, images, created_at)
    select 'Piece ' || n, 'Number ' || n, (array['rings', 'necklaces', 'bracelets', 'earrings', 'watches'])[1 + n % 5], 500 + 10 * n, 20,
      array['products/' || n || '.webp'], timestamptz '2026-01-01' + n * interval '1 hour'
    from generate_series(1, 160) n`);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  stack.close();
});

/** Builds what is in the catalogue now, and returns its files. */
async function build(
  name: string,
  cache: string,
  variables: Record<string, string> = {},
): Promise<Map<string, string>> {
  const out = join(folder, name);
  const env = {
    CONTEXT: 'production',
    DEPLOY_ID: 'deploy-1',
    URL: 'https://kasavu.example',
    PUBLIC_SUPABASE_URL: stack.database.url,
    PUBLIC_SUPABASE_PUBLISHABLE_KEY: publishableKey,
  };
  await (await prepareBuild(out, join(folder, cache), { ...env, ...variables })).run();
  const files = (await readdir(out, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const texts = await Promise.all(
    files.map(async (entry): Promise<[string, string]> => {
      const path = join(entry.parentPath, entry.name);
      // The moment of the build stands in this one alone.
      return [
        path.slice(out.length + 1),
        (await readFile(path, 'latin1')).replace(/"builtAt":"[^"]*"/u, ''),
      ];
    }),
  );
  await rm(out, { recursive: true });
  return new Map(texts.sort());
}

/** Paths of files that only one of two builds has, or that differ. */
const differences = (
  one: ReadonlyMap<string, string>,
  other: ReadonlyMap<string, string>,
): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter(
    (path) => one.get(path) !== other.get(path),
  );

/** When each page that is kept for copying was rendered. */
async function renderTimes(cache: string): Promise<Map<string, number>> {
  const kept = join(folder, cache, 'dist');
  const paths = (await readdir(kept, { recursive: true })).filter((path) => path.endsWith('.html'));
  return new Map(
    await Promise.all(
      paths.map(async (path): Promise<[string, number]> => [
        path,
        (await stat(join(kept, path))).mtimeMs,
      ]),
    ),
  );
}

/** One kind of edit each, of the product in a place of the list by age. */
const edits = [
  'update public.products set price = price + 7 where id = $1',
  `update public.products set name = 'Renamed ' || name where id = $1`,
  `update public.products set description = 'Written anew, with a “quote” & <b>' where id = $1`,
  `update public.products set images = array['products/other.webp'], image_alts = array['On a hand'] where id = $1`,
  'update public.products set stock = case stock when 0 then 20 else 0 end where id = $1',
  'update public.products set stock = case stock when 3 then 20 else 3 end where id = $1',
  'update public.products set "offerPrice" = price - 1 where id = $1',
  `update public.products set category = case category when 'rings' then 'watches' else 'rings' end where id = $1`,
  `update public.products set attributes = '{"metal": "Silver"}' where id = $1`,
  `update public.products set sizes = '[{"size": "12", "stock": 2}]' where id = $1`,
  'update public.products set hidden = true where id = $1',
  'update public.products set deleted_at = now() where id = $1',
  'update public.products set featured = 1 where id = $1',
  `insert into public.products (name, category, price, stock) select 'New ' || name, category, price + 1, 5 from public.products where id = $1`,
];
async function edit(index: number, place: number): Promise<void> {
  const products = await stack.database.sql<{ id: string }>(
    'select id from public.products where not hidden and deleted_at is null order by created_at, id',
  );
  await stack.database.sql(
    edits[index % edits.length] ?? '',
    products[place % products.length]?.id,
  );
}

/** Pages that the last build copied: those whose copy is as old as it was. */
const copied = (
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): string[] => [...after].filter(([path, time]) => before.get(path) === time).map(([path]) => path);

test('after edits of every kind, a build that copies pages is byte by byte a clean one, also of another deploy', async () => {
  const first = await build('first', 'kept');
  const before = await renderTimes('kept');
  for (const [index] of edits.entries()) await edit(index, 2 + 12 * index);
  const second = await build('second', 'kept', { DEPLOY_ID: 'deploy-2' });
  const copies = copied(before, await renderTimes('kept'));
  expect(copies.length).toBeGreaterThan(20);
  expect(copies.length).toBeLessThan(160);
  expect(
    differences(first, second).filter((path) => path.startsWith('product/')).length,
  ).toBeGreaterThan(edits.length);
  expect(differences(second, await build('clean', 'none', { DEPLOY_ID: 'deploy-2' }))).toEqual([]);
}, 240_000);

/** What else may be another at the next build, and so must leave no copy. */
const changes: readonly ((round: number) => Promise<Record<string, string>>)[] = [
  async () => Promise.resolve({}),
  async (round) =>
    Promise.resolve({ PUBLIC_FORM_ENDPOINT: `https://forms.example/${String(round)}` }),
  async () => Promise.resolve({ CONTEXT: 'deploy-preview' }),
  async () => Promise.resolve({ URL: 'https://other.example' }),
  async (round) => {
    await stack.database.sql('delete from public.shop_notice');
    await stack.database.sql(
      `insert into public.shop_notice (message, first_day, last_day, closes_checkout, extra_days) values ('Away ' || $1, current_date - 1, current_date + 3, true, 0)`,
      String(round),
    );
    return {};
  },
  async () => {
    // A page that another hand changed.
    const page = (await readdir(join(folder, 'kept/dist/product')))[0] ?? '';
    await appendFile(join(folder, 'kept/dist/product', page), '<p>₹ 1</p>');
    return {};
  },
];

// Under `npm run bench:soak`: edits of random kinds and places, build after build upon the same copies.
test.runIf(times(0, 1) === 1)(
  'so it is for many builds in a row, whatever is edited, set or damaged between them',
  async () => {
    const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9));
    const random = seededRandom(seed);
    for (let round = 0; round < 12; round += 1) {
      const done = Array.from({ length: 1 + random.int(3) }, (): [number, number] => [
        random.int(edits.length),
        random.int(160),
      ]);
      for (const [index, place] of done) await edit(index, place);
      // Every second round keeps what it can.
      const change = round % 2 === 0 ? 0 : random.int(changes.length);
      const variables = {
        DEPLOY_ID: `deploy-${String(round)}`,
        ...(await changes[change]?.(round)),
      };
      const copy = await build('copy', 'kept', variables);
      expect({
        seed,
        round,
        done,
        change,
        differences: differences(copy, await build('clean', `none-${String(round)}`, variables)),
      }).toMatchObject({ differences: [] });
    }
  },
  3_000_000,
);
