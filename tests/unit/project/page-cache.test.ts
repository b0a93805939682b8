import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sealPageCache } from '../../../src/integrations/page-cache.ts';
import { hashSources } from '../../../src/integrations/source-hash.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'page-cache-'));
});
afterEach(() => rm(folder, { recursive: true }));

const page = (): string => join(folder, 'dist/product/1.html');
const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** The hooks of one build, as Astro calls them: before its first page, and when it is done. */
function openBuild(): {
  start: () => Promise<void>;
  done: () => Promise<void>;
  warn: ReturnType<typeof vi.fn>;
} {
  const hooks = sealPageCache().hooks as unknown as Record<
    string,
    (given: unknown) => Promise<void> | void
  >;
  const warn = vi.fn();
  void hooks['astro:config:done']?.({ config: { cacheDir: pathToFileURL(`${folder}/`) } });
  const call = (name: string) => async (): Promise<void> => {
    await hooks[name]?.({ logger: { warn } });
  };
  return { start: call('astro:build:start'), done: call('astro:build:done'), warn };
}

/** A build that renders one page and ends well. */
async function buildOnce(): Promise<void> {
  const { start, done } = openBuild();
  await start();
  await mkdir(join(folder, 'dist/product'), { recursive: true });
  await writeFile(page(), '<p>₹ 100</p>');
  await writeFile(join(folder, 'incremental-build.json'), '{"version":1}');
  await done();
}

test('pages are kept for the next build when they are as the last one left them', async () => {
  await buildOnce();
  const next = openBuild();
  await next.start();
  expect([
    await exists(page()),
    await exists(join(folder, 'incremental-build.json')),
    next.warn.mock.calls,
  ]).toEqual([true, true, []]);
});

test('a build that ended early leaves no page for the next one', async () => {
  await buildOnce();
  await openBuild().start();
  // It had written a page, and was stopped before it wrote under which key.
  await writeFile(page(), '<p>₹ 200</p>');
  await openBuild().start();
  expect([await exists(page()), await exists(join(folder, 'incremental-build.json'))]).toEqual([
    false,
    false,
  ]);
});

test.each([
  ['changed', () => writeFile(page(), '<p>₹ 1</p>')],
  ['cut short', () => writeFile(page(), '')],
  ['missing', () => rm(page())],
  ['one too many', () => writeFile(join(folder, 'dist/product/2.html'), '')],
  [
    'of another build than what is known of it',
    () => writeFile(join(folder, 'incremental-build.json'), '{"version":2}'),
  ],
])('when a kept page is %s, every page is rendered', async (_, damage) => {
  await buildOnce();
  await damage();
  const next = openBuild();
  await next.start();
  expect([await exists(page()), await exists(join(folder, 'incremental-build.json'))]).toEqual([
    false,
    false,
  ]);
  expect(next.warn).toHaveBeenCalledOnce();
});

test('a build is of other sources when a file, its name, a package or a variable is another', async () => {
  for (const name of ['src/pages', 'public']) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'src/pages/a.astro'), 'a');
  await writeFile(join(folder, 'package-lock.json'), '1');
  const hash = (variables: Record<string, string> = { A: '1', B: '2' }): Promise<string> =>
    hashSources(folder, variables);
  const first = await hash();
  expect(await hash({ B: '2', A: '1' })).toBe(first);
  await writeFile(join(folder, 'README.md'), 'not of the site');
  expect(await hash()).toBe(first);
  const others = [await hash({ A: '1', B: '3' }), await hash({ A: '1' })];
  for (const [path, text] of [
    ['src/pages/a.astro', 'b'],
    ['src/pages/b.astro', ''],
    ['package-lock.json', '2'],
    ['public/a.svg', ''],
  ] as const) {
    await writeFile(join(folder, path), text);
    others.push(await hash());
  }
  expect(new Set([first, ...others]).size).toBe(7);
});
