import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { copyWithShop } from '../../copy-with-shop.ts';
import { outcomeIn, printedIn } from '../../documented-changes.ts';
import { findFiles } from '../../find-files.ts';
import { shopWordsIn } from '../../words-of-shop.ts';

/*
 * The engine goes with any shop: with `tests/second-shop` in place of `src/shop` its types are right, it builds, and no page, file or mail
 * has a word or a colour of this shop. `npm run bench -- second-shop` runs the whole `npm test` on it.
 */

let copy = '';
beforeAll(async () => {
  copy = await copyWithShop('tests/second-shop');
});
afterAll(() => rm(copy, { recursive: true, force: true }));

test('another shop builds, and no file of its site has a word of this one', async () => {
  expect(await outcomeIn(copy, 'local/build-preview.ts', 'dist')).toBe('passed');
  const dist = join(copy, 'dist');
  const files = findFiles('**/*.{html,js,json,xml,txt,css,svg,webmanifest}', { cwd: dist });
  expect(files.length).toBeGreaterThan(60);
  expect(await readFile(join(dist, 'index.html'), 'utf8')).toContain('Rupali Silver');
  expect(files).toContain('shop/toe-rings.html');
  const found: string[] = [];
  for (const file of files) {
    for (const word of shopWordsIn(`${file}\n${await readFile(join(dist, file), 'utf8')}`))
      found.push(`${file}: ${word}`);
  }
  expect(found).toEqual([]);
}, 120_000);

test('no mail of another shop has a word of this one', async () => {
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
  expect(mails[0]?.subject).toContain('Rupali Silver');
  expect(
    mails.flatMap(({ kind, subject, text, html }) =>
      shopWordsIn(`${subject}\n${text}\n${html}`).map((word) => `${kind}: ${word}`),
    ),
  ).toEqual([]);
});

test('the types of the engine fit another shop', async () => {
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
}, 120_000);
