import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { prepareBuild } from '#local/emulators/netlify/site/run-build.ts';
import { readNetlifyConfig } from '#local/emulators/netlify/site/netlify-config.ts';
import { variables } from '#core/platform/variables.ts';
import { publishableKey } from '#tests/functions/support/database-server.ts';
import { ownCategories } from '#tests/own-categories.ts';
import { useStack } from '#tests/functions/support/stack.ts';
import { projectRoot } from './bundle-functions.ts';
import { RedirectsHandler } from '@netlify/redirects';

/* A build as Netlify makes it of a pull request: what it uploads, and what it does when it cannot read the catalogue. */
const stack = await useStack();
const productId = await stack.addProduct();
await stack.sql(`update public.products set category = '${ownCategories[0] ?? ''}'`);
let folder: string;
let files: string[];

const build = async (out: string, env: Record<string, string> = {}): Promise<void> => {
  const preview = {
    CONTEXT: 'deploy-preview',
    DEPLOY_ID: 'deploy-1',
    URL: 'https://kasavu.example',
    PUBLIC_SUPABASE_URL: stack.database.url,
    PUBLIC_SUPABASE_PUBLISHABLE_KEY: publishableKey,
  };
  await (
    await prepareBuild(join(folder, out), join(folder, 'cache'), { ...preview, ...env })
  ).run();
};
const read = (path: string): Promise<string> => readFile(join(folder, 'site', path), 'utf8');

beforeAll(async () => {
  const parent = join(projectRoot, '.astro');
  // A fresh clone has none.
  await mkdir(parent, { recursive: true });
  folder = await mkdtemp(join(parent, 'deploy-test-'));
  await build('site');
  files = (await readdir(join(folder, 'site'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, 'site').length + 1));
  // A build takes ten seconds on two cores, and its processor is shared.
}, 180_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** The pages of the built shop's categories: the tests' own are others. */
const categories = (): string[] => files.filter((path) => /^shop\/[\w-]+\.html$/u.test(path));

test('a deploy uploads pages, their assets and public files, and nothing of another kind', () => {
  const kinds =
    /\.(?:html|js|css|woff2|webp|avif|svg|png|jpg|ico|json|xml|txt|webmanifest)$|^_redirects$/u;
  expect(files.filter((path) => !kinds.test(path))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining([
      'index.html',
      `product/${productId}.html`,
      'robots.txt',
      'social-card.jpg',
      'feeds/google.xml',
    ]),
  );
});

test('nothing that it uploads names a secret, a path of the machine or the embedded stack', async () => {
  const texts = await Promise.all(
    files
      .filter((path) => /\.(?:html|js|css|json|txt|xml|webmanifest)$/u.test(path))
      .map(async (path) => ({ path, text: await read(path) })),
  );
  const leak = new RegExp(
    [
      RegExp.escape(projectRoot),
      'sb_secret_\\w',
      '/local/',
      'RAZORPAY_KEY_SECRET',
      'sourceMappingURL',
    ].join('|'),
    'u',
  );
  expect(
    texts
      .filter(({ text }) => leak.test(text))
      .map(({ path, text }) => `${path}: ${leak.exec(text)?.[0] ?? ''}`),
  ).toEqual([]);
});

test('a preview says on every page that it is one, and is closed to search engines', async () => {
  const pages = files.filter((path) => path.endsWith('.html'));
  expect(pages.length).toBeGreaterThan(25);
  const missing: string[] = [];
  for (const path of pages) {
    const text = await read(path);
    if (
      !text.includes('This is a preview, not the shop') ||
      !text.includes('<meta name="robots" content="noindex"')
    )
      missing.push(path);
  }
  expect(missing).toEqual([]);
  expect(await read('robots.txt')).toMatch(/^Disallow: \/$/mu);
});

test('a page that was opened before a deploy still gets its own scripts: their addresses name their deploy', async () => {
  expect(await read('index.html')).toMatch(/_astro\/[\w.-]+\?dpl=deploy-1/u);
  const { patterns, sources } = z
    .object({
      patterns: z.array(z.string()),
      sources: z.array(z.object({ type: z.string(), name: z.string() })),
    })
    .parse(
      JSON.parse(await readFile(join(projectRoot, '.netlify/v1/skew-protection.json'), 'utf8')),
    );
  expect(patterns).toContain('/_astro/.*');
  expect(sources).toContainEqual({ type: 'query', name: 'dpl' });
});

describe('a build fails, and so leaves the site that is live,', () => {
  test('when the database does not answer', async () => {
    await expect(
      build('failed', { PUBLIC_SUPABASE_URL: 'http://127.0.0.1:9259' }),
    ).rejects.toThrow();
    expect(
      (await readdir(join(folder, 'failed'))).filter((name) => name.endsWith('.html')),
    ).toEqual([]);
  }, 90_000);

  test('when the key in the pages would be the secret one', async () => {
    await expect(
      build('failed', { PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'sb_secret_0123456789' }),
    ).rejects.toThrow(/secret key/u);
  }, 90_000);
});

const fileSchema = z.object({
  // The version of Node alone: no secret is written into the file.
  build: z.object({ environment: z.strictObject({ NODE_VERSION: z.string() }) }),
  template: z.object({ environment: z.record(z.string(), z.string()) }),
});

test("Netlify's parsers read netlify.toml without errors, and no secret is in it", async () => {
  const config = await readNetlifyConfig();
  const { headers } = config.withHeaders('/', new Response());
  expect(headers.get('strict-transport-security')).toContain('max-age=63072000');
  fileSchema.parse(parse(await readFile(join(projectRoot, 'netlify.toml'), 'utf8')));
});

test('the address of each category is answered with its page, that of another one with the whole shop', async () => {
  const redirects = new RedirectsHandler({
    configRedirects: [],
    jwtRoleClaim: '',
    jwtSecret: '',
    projectDir: folder,
    publicDir: join(folder, 'site'),
  });
  const pageAt = async (query: string): Promise<string | undefined> =>
    (await redirects.match(new Request(`https://shop.example/shop${query}`)))?.targetRelative;
  const built = categories().map((path) => path.replace(/^shop\/|\.html$/gu, ''));
  expect(built.length).toBeGreaterThan(0);
  for (const category of built)
    expect(await pageAt(`?category=${category}`)).toMatch(new RegExp(`^/shop/${category}\\b`, 'u'));
  expect(await pageAt('?category=submarines')).toBeUndefined();
  expect(await pageAt('')).toBeUndefined();
});

test('the deploy button asks for every variable that the first deploy needs', async () => {
  const { template } = fileSchema.parse(
    parse(await readFile(join(projectRoot, 'netlify.toml'), 'utf8')),
  );
  // The build hook is made after the first deploy.
  const needed = Object.entries(variables)
    .filter(([name, { use }]) => use === 'needed' && name !== 'BUILD_HOOK_URL')
    .map(([name]) => name);
  expect(Object.keys(template.environment)).toEqual(needed);
});

test('a preview without variables shows the demo catalogue, says so, and accepts no orders', async () => {
  const out = join(folder, 'demo');
  const env = {
    ...process.env,
    CONTEXT: 'deploy-preview',
    DEPLOY_PRIME_URL: 'https://pr-1.example',
  };
  await promisify(execFile)(process.execPath, [join(projectRoot, 'local/build-preview.ts'), out], {
    env: { ...env, PUBLIC_SUPABASE_URL: '', PUBLIC_SUPABASE_PUBLISHABLE_KEY: '', NODE_OPTIONS: '' },
  });
  const readDemo = (path: string): Promise<string> => readFile(join(out, path), 'utf8');
  for (const page of ['index.html', 'cart.html'])
    expect(await readDemo(page)).toContain(
      'a preview with the demo catalogue: nothing can be bought',
    );
  const rows = z
    .array(z.object({ id: z.string(), images: z.array(z.string()) }))
    .parse(JSON.parse(await readDemo('rest/v1/products')));
  expect(rows.length).toBeGreaterThan(30);
  const written = new Set(await readdir(out, { recursive: true }));
  const expected = rows.flatMap(({ id, images }) => [
    `product/${id}.html`,
    ...images.map((image) => `storage/v1/object/public/product-images/${image}`),
  ]);
  expect(expected.filter((path) => !written.has(path))).toEqual([]);
  const scripts = [...written].filter((path) => path.endsWith('.js'));
  const texts = await Promise.all(scripts.map(readDemo));
  expect(texts.filter((text) => text.includes('Payments are off'))).toHaveLength(1);
}, 120_000);
