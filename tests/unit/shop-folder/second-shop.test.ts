import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { copyWithShop } from '#tests/copy-with-shop.ts';
import { outcomeIn, printedIn } from '#tests/documented-changes.ts';
import { findFiles } from '#tests/find-files.ts';
import { shop } from '#settings/shop.ts';
import { shopFolder } from '#integrations/check-shop/shop-folder.ts';
import { nonsenseIn, shopWordsIn } from '#tests/words-of-shop.ts';

/*
 * The engine goes with any shop: with `tests/second-shop` in place of `src/shop` its types are right, its rules hold, it builds, and no
 * page, file, image or mail is of this shop or shows a value that is missing.
 */

let copy = '';
const dist = (): string => join(copy, 'dist');
beforeAll(async () => {
  copy = await copyWithShop('tests/second-shop');
});
afterAll(() => rm(copy, { recursive: true, force: true }));

const name = "Maya & Sons' Clay Jewels";
/** Skipped where that shop stands in `src/shop`: there is no other. */
const testOther = test.skipIf(shop.name === name);

testOther(
  'another shop builds, and no file of its site has a word of this one or a value that is missing',
  async () => {
    expect(await outcomeIn(copy, 'local/build-preview.ts', 'dist')).toBe('passed');
    const files = findFiles('**/*.{html,js,json,xml,txt,css,svg,webmanifest}', { cwd: dist() });
    expect(files.length).toBeGreaterThan(60);
    const home = await readFile(join(dist(), 'index.html'), 'utf8');
    expect(home).toContain('Maya &amp; Sons');
    expect(home).toContain('"addressRegion":"Rajasthan"');
    expect(home).toContain('झुमके');
    expect(files).toEqual(expect.arrayContaining(['shop/jhumke.html', 'feeds/google.xml']));
    const found: string[] = [];
    for (const file of files) {
      const text = await readFile(join(dist(), file), 'utf8');
      for (const word of [...shopWordsIn(`${file}\n${text}`), ...nonsenseIn(file, text)])
        found.push(`${file}: ${word}`);
    }
    expect(found).toEqual([]);
  },
  120_000,
);

testOther('no image or font of this shop is in the other one', async () => {
  const hash = async (path: string): Promise<string> =>
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  const pattern = '**/*.{svg,png,jpg,webp,woff2}';
  const own = findFiles(pattern, { cwd: 'src/shop' });
  const other = findFiles(pattern, { cwd: dist() });
  expect(other.length).toBeGreaterThan(30);
  const ownHashes = new Map<string, string>();
  for (const file of own) ownHashes.set(await hash(join('src/shop', file)), file);
  const found: string[] = [];
  for (const file of other) {
    const same = ownHashes.get(await hash(join(dist(), file)));
    if (same !== undefined) found.push(`${file} is ${same}`);
  }
  expect(found).toEqual([]);
});

testOther('no mail of another shop has a word of this one or a value that is missing', async () => {
  const printed = await printedIn(
    copy,
    '--input-type=module',
    '--eval',
    `const { sampleMails } = await import('${join(copy, 'tests/functions/support/sample-mails.ts')}');
     console.log(JSON.stringify(sampleMails()));`,
  );
  const mails = z
    .array(z.object({ kind: z.string(), subject: z.string(), text: z.string(), html: z.string() }))
    .parse(JSON.parse(printed));
  expect(mails.length).toBeGreaterThan(20);
  expect(mails[0]?.subject).toContain(name);
  expect(
    mails.flatMap(({ kind, subject, text, html }) => {
      const all = `${subject}\n${text}\n${html}`;
      return [...shopWordsIn(all), ...nonsenseIn(kind, all)].map((word) => `${kind}: ${word}`);
    }),
  ).toEqual([]);
});

testOther(
  'the other shop shares no category with this one, and sets every setting that it may leave out',
  async () => {
    const printed = await printedIn(
      copy,
      '--input-type=module',
      '--eval',
      `const { shopFolder } = await import('${join(copy, 'src/integrations/check-shop/shop-folder.ts')}');
     const { unsetSettings } = await import('${join(copy, 'src/integrations/check-shop/unset-settings.ts')}');
     console.log(JSON.stringify({ unset: unsetSettings(shopFolder), slugs: shopFolder.categories.map(({ slug }) => slug) }));`,
    );
    const { unset, slugs } = z
      .object({ unset: z.array(z.string()), slugs: z.array(z.string()) })
      .parse(JSON.parse(printed));
    expect(unset).toEqual([]);
    const own = shopFolder.categories.map(({ slug }) => slug);
    expect(slugs.filter((slug) => own.includes(slug))).toEqual([]);
  },
);

/** Folders of unit tests that read no shop. */
const ofNoShop = ['lint', 'project'];

testOther(
  'the rules of the engine hold in another shop',
  async () => {
    const folders = (await readdir('tests/unit')).filter((folder) => !ofNoShop.includes(folder));
    expect(folders).toContain('catalogue');
    expect(
      await outcomeIn(
        copy,
        'node_modules/vitest/vitest.mjs',
        'run',
        '--project=unit',
        '--reporter=dot',
        'src/',
        ...folders.map((folder) => `tests/unit/${folder}/`),
      ),
    ).toBe('passed');
  },
  300_000,
);

testOther(
  'the types of the engine fit another shop',
  async () => {
    expect(
      await outcomeIn(
        copy,
        'node_modules/oxlint/bin/oxlint',
        '--disable-nested-config',
        '--type-check',
        '-A',
        'all',
      ),
    ).toBe('passed');
  },
  120_000,
);
