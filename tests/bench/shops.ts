/*
 * `npm run bench -- shops [HOW MANY] [SEED]`: writes shops of the generator as `npm run new-shop` does, and builds each, looks for values
 * that are missing in every file of its site, and runs all unit tests there. The first shop has no products. Fails when one is red.
 * About two minutes a shop.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { drawIcons } from '#local/shop-folder/draw-icons.ts';
import { drawPictures } from '#local/shop-folder/draw-pictures.ts';
import { writeCatalogue } from '#local/shop-folder/write-catalogue.ts';
import { writeSettings } from '#local/shop-folder/write-settings.ts';
import { shopFolder } from '#integrations/check-shop/shop-folder.ts';
import type { ShopFolder } from '#shop-schema/shop-schema.ts';
import { writeTexts } from '#local/shop-folder/write-texts.ts';
import { copyWithShop } from '#tests/copy-with-shop.ts';
import { outcomeIn } from '#tests/documented-changes.ts';
import { findFiles } from '#tests/find-files.ts';
import { someShops } from '#tests/shop-generator.ts';
import { nonsenseIn } from '#tests/words-of-shop.ts';

const run = promisify(execFile);

async function writeShop(folder: string, settings: ShopFolder, isEmpty: boolean): Promise<void> {
  await cp('src/shop', folder, { recursive: true });
  await writeSettings(folder, settings);
  await writeTexts(folder, settings);
  await drawIcons(folder, settings.theme);
  await drawPictures(folder, settings.shop.name, settings.theme);
  await writeCatalogue(folder, shopFolder, settings, isEmpty);
}

/** What is wrong with the built site and the unit tests of a shop. */
async function faultsIn(copy: string): Promise<string[]> {
  const built = await outcomeIn(copy, 'local/build-preview.ts', 'dist');
  if (built !== 'passed') return [`build: ${built}`];
  const dist = join(copy, 'dist');
  const faults: string[] = [];
  for (const file of findFiles('**/*.{html,json,xml,txt,webmanifest}', { cwd: dist }))
    for (const word of nonsenseIn(file, await readFile(join(dist, file), 'utf8')))
      faults.push(`${file}: ${word}`);
  try {
    await run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit'], {
      cwd: copy,
      maxBuffer: 64e6,
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    faults.push(
      ...`${stdout}\n${stderr}`.split('\n').filter((line) => /FAIL|Tests .*failed/u.test(line)),
    );
  }
  return faults;
}

const [count = '3', seed] = process.argv.slice(2);
const shops = someShops(Number(count), seed === undefined ? undefined : Number(seed));
for (const [index, settings] of shops.entries()) {
  const isEmpty = index === 0;
  const folder = await mkdtemp(join(tmpdir(), 'any-shop-'));
  const { shop, tax, categories, delivery } = settings;
  const what = [
    shop.name,
    `${tax.registration.kind} in ${tax.home.name}`,
    categories.map(({ slug }) => slug).join(', '),
    delivery.cashOnDelivery === undefined ? 'no cash' : 'cash',
    isEmpty ? 'no products' : 'products',
  ].join(' · ');
  await writeShop(folder, settings, isEmpty);
  const copy = await copyWithShop(folder);
  const faults = await faultsIn(copy);
  console.log(`${faults.length === 0 ? 'ok ' : 'RED'} ${what}`);
  for (const fault of faults) console.log(`    ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  await rm(copy, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}
