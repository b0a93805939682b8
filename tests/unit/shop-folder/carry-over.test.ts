import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readReleases } from '../../../local/shared/releases.ts';
import { carrySettings } from '../../../local/shop-folder/carry-settings.ts';
import { readOldSettings } from '../../../local/shop-folder/read-settings-1.1.ts';
import { writeSettings } from '../../../local/shop-folder/write-settings.ts';
import { faultsOf } from '../../../src/integrations/check-shop/check-shop.ts';
import { shopFolder } from '../../../src/integrations/check-shop/shop-folder.ts';
import { hasCommit } from '../../git-sources.ts';

const release = (await readReleases()).find(({ version }) => version === '1.1.0');
const commit = release?.commit ?? '';

test.runIf(hasCommit(commit))(
  'what a shop of 1.1.0 had changed is carried over, a sentence each, and the rest stays',
  async () => {
    const released = await readOldSettings(commit);
    const old = structuredClone(released);
    old.supportEmail = 'care@meera.example';
    old.shop.name = 'Meera Jewels';
    old.shop.limits['lowStockBelow'] = 3;
    old.shop.limits['cartLines'] = 80;
    old.shop.orderPrefix = 'MJ-';
    old.parcel['grams'] = 300;
    Object.assign(old.seller, {
      contact: { ...shopFolder.seller.contact, emails: ['care@meera.example', 'us@meera.example'] },
    });

    const { settings, sentences, toDo } = carrySettings(shopFolder, old, released);
    expect(settings).toEqual({
      ...shopFolder,
      shop: {
        ...shopFolder.shop,
        name: 'Meera Jewels',
        supportEmail: 'care@meera.example',
        lowStockBelow: 3,
      },
      seller: {
        ...shopFolder.seller,
        contact: {
          ...shopFolder.seller.contact,
          emails: ['care@meera.example', 'us@meera.example'],
        },
      },
      delivery: {
        ...shopFolder.delivery,
        parcel: { ...shopFolder.delivery.parcel, ...old.parcel },
      },
    });
    expect(faultsOf(settings)).toEqual([]);
    expect(sentences).toContain('shop.limits.lowStockBelow is shop.lowStockBelow now: 3.');
    expect(sentences).toHaveLength(5);
    expect(toDo).toHaveLength(2);
    expect(toDo.join()).toMatch(/orderPrefix was "MJ-".*cartLines was 80\. It is the engine's/u);

    // A shop that had changed nothing has nothing to carry.
    expect(carrySettings(shopFolder, released, released)).toEqual({
      settings: shopFolder,
      sentences: [],
      toDo: [],
    });
  },
);

test('settings are written as the files they are read from', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shop-written-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  await writeSettings(folder, shopFolder);
  const read = async (name: string): Promise<object> => ({
    ...((await import(join(folder, name))) as object),
  });
  expect(await read('shop.ts')).toEqual({ shop: shopFolder.shop });
  expect(await read('seller.ts')).toEqual({ seller: shopFolder.seller, legal: shopFolder.legal });
  expect(await read('tax.ts')).toEqual({ tax: shopFolder.tax });
  expect(await read('categories.ts')).toEqual({ categories: shopFolder.categories });
  expect(await readFile(join(folder, 'shop.ts'), 'utf8')).toContain(
    'export const shop: ShopSettings = {\n',
  );
  // A file of settings that did not change keeps what its owner wrote beside them.
  const file = join(folder, 'shop.ts');
  await writeFile(file, `${await readFile(file, 'utf8')}// Ours.\n`);
  await writeSettings(folder, shopFolder, shopFolder);
  expect(await readFile(file, 'utf8')).toContain('// Ours.');
});
