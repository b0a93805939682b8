import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkShop, faultsOf, missingFiles } from '#integrations/check-shop/check-shop.ts';
import { sampleCash } from '#tests/sample-cash.ts';
import {
  demoImages,
  demoImagesIn,
  isDemoShop,
  placeholdersIn,
  placeholderWarning,
} from '#integrations/check-shop/placeholders.ts';
import { unsetSettings } from '#integrations/check-shop/unset-settings.ts';
import { shopFolder } from '#integrations/check-shop/shop-folder.ts';

const folder = join(import.meta.dirname, '../../../src/shop');

/** The shop's settings with one value changed, at a path such as 'tax.home.gstCode'. */
function withValue(path: string, value: unknown): unknown {
  // A clone would keep an object that two settings share as one.
  const changed: unknown = JSON.parse(JSON.stringify(shopFolder));
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  const place = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], changed);
  (place as Record<string, unknown>)[last] = value;
  return changed;
}

describe('the settings of a shop are checked, with a sentence for its owner', () => {
  test('the shop in src/shop has no fault', () => {
    expect(faultsOf(shopFolder)).toEqual([]);
    expect(missingFiles(folder, shopFolder)).toEqual([]);
    expect(() => {
      checkShop(folder, shopFolder);
    }).not.toThrow();
  });

  test.each([
    ['shop.name', '', /^shop\.name: give the shop's name\.$/u],
    ['shop.nmae', 'Meera Jewels', /^shop\.nmae: there is no such setting\. Is it misspelt\?$/u],
    ['shop.prefixes.invoice', 'MEERA', /^shop\.prefixes\.invoice: give one to three capital/u],
    [
      'shop.platformFeeBps',
      2.36,
      /^shop\.platformFeeBps: give the fee in hundredths of a percent/u,
    ],
    ['shop.supportEmail', 'other@shop.example', /^seller\.contact\.emails: the first is shop\./u],
    ['seller.contact.emails', [], /^seller\.contact\.emails\.0: give an e-mail address/u],
    [
      'shop.shippingLabel',
      '₹80.00',
      /^shop\.shippingLabel: the shop adds no shipping to an order/u,
    ],
    ['delivery.shipping.standard', 'soon', /^delivery\.shipping\.standard: give days, such as/u],
    ['delivery.shipping.freeWithin', 'Keralam', /^delivery\.shipping\.freeWithin: give the name/u],
    ['tax.home.gstCode', '99', /^tax\.home\.name: 99 is the code of no state, not of /u],
    ['tax.byCategory', {}, /^tax\.byCategory: \S+ has no HSN code and rate\. Add a line\.$/u],
    ['tax.otherwise.rateBps', 3, /^tax\.otherwise\.rateBps: GST has no such rate: .+300 is 3 %/u],
    ['tax.otherwise.hsn', '7701', /^tax\.otherwise\.hsn: there is no such HSN code/u],
    ['tax.otherwise.hsn', '7123', /^tax\.otherwise\.hsn: there is no such HSN code/u],
    ['tax.otherwise.hsn', '71171', /^tax\.otherwise\.hsn: give an HSN code of 4, 6 or 8 digits/u],
    ['categories', [], /^categories: give at least one category\.$/u],
    ['categories.0.slug', 'page', /^categories\.0\.slug: give small letters/u],
    ['categories.0.wornOn', 'knee', /^categories\.0\.wornOn: give 'finger', 'toe'/u],
    [
      'search.synonyms',
      [{ words: 'jimikki, , jhumka' }],
      /^search\.synonyms\.0\.words: give words with commas between them, such as/u,
    ],
    [
      'search.synonyms',
      [{ words: 'ring, Rings' }],
      /^search\.synonyms\.0\.words: "ring" is there twice\./u,
    ],
    [
      'search',
      { synonyms: [{ words: 'new, navina' }], ignored: 'for, new' },
      /^search\.synonyms\.0\.words: "new" is in search\.ignored, too\./u,
    ],
    ['theme.colors.accent.700', '#ffee00', /^theme\.colors\.accent\.700: hard to see on the page/u],
    ['theme.colors.paper', 'white', /^theme\.colors\.paper: give a colour as '#' and six/u],
  ])('%s of %j', (path, value, sentence) => {
    expect(faultsOf(withValue(path, value))[0]).toMatch(sentence);
  });

  test('a missing file, one that is too heavy and one that is no image are named', async () => {
    const other = await mkdtemp(join(tmpdir(), 'shop-files-'));
    onTestFinished(async () => rm(other, { recursive: true }));
    await cp(join(folder, 'public'), join(other, 'public'), { recursive: true });
    await writeFile(join(other, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><g>');
    await rm(join(other, 'public/favicon.svg'));
    await writeFile(join(other, 'public/social-card.jpg'), new Uint8Array(900 * 1_024));
    expect(missingFiles(other, shopFolder)).toEqual([
      'logo.svg: this is no SVG image. Export it as SVG again.',
      'public/favicon.svg: the file is missing.',
      'public/social-card.jpg: 900 KB make pages slow. At most 300 KB, please.',
    ]);
  });
});

describe('placeholders', () => {
  /** A shop folder with these texts beside the settings of `src/shop`. */
  async function folderWith(texts: Readonly<Record<string, string>>): Promise<string> {
    const other = await mkdtemp(join(tmpdir(), 'shop-texts-'));
    onTestFinished(async () => rm(other, { recursive: true }));
    await mkdir(join(other, 'texts'));
    for (const [file, text] of Object.entries(texts)) await writeFile(join(other, file), text);
    return other;
  }

  test('each is named with its file and line, in settings and texts, but not in comments', async () => {
    const other = await folderWith({
      'seller.ts': "// 'Owner (replace)'\nconst name = 'Owner (replace)';\n",
      'texts/about.yaml': '# An Example Road\nstory:\n  - >-\n    Tell here how it began.\n',
      'texts/terms.md': '## Terms\n\nFor example: write to care@shop.example.\n',
      'texts/contact.yaml': 'lead: An example of our work.\n',
    });
    expect(placeholdersIn(other)).toEqual([
      'seller.ts, line 2: "const name = \'Owner (replace)\';" is a placeholder. Write your own.',
      'texts/about.yaml, line 4: "Tell here how it began." is a placeholder. Write your own.',
      'texts/terms.md, line 3: "For example: write to care@shop.example." is a placeholder. Write your own.',
    ]);
  });

  test('every sentence of new-shop that a person has to write is one', async () => {
    const texts: Record<string, string> = {};
    for (const name of ['about.yaml', 'home.yaml'])
      texts[`texts/${name}`] = await readFile(join('local/shop-folder/texts', name), 'utf8');
    const found = placeholdersIn(await folderWith(texts));
    expect(found.map((sentence) => sentence.split(',')[0])).toEqual([
      'texts/about.yaml',
      'texts/about.yaml',
      'texts/about.yaml',
      'texts/home.yaml',
    ]);
  });

  test('images of the demo shop are found, by what is in them', async () => {
    const other = await folderWith({});
    await mkdir(join(other, 'public'));
    for (const [file, hash] of Object.entries(demoImages)) {
      const image = await readFile(join(folder, file));
      // Another shop stands in src/shop when this test runs with one.
      if (createHash('sha256').update(image).digest('hex') !== hash) continue;
      await mkdir(dirname(join(other, file)), { recursive: true });
      await writeFile(join(other, file), image);
      expect(demoImagesIn(other)).toContain(
        `${file}: the image is the demo shop's. Put your own there.`,
      );
    }
    expect(isDemoShop(shopFolder.shop) ? demoImagesIn(other).length : 4).toBe(4);
  });

  test('a build for customers refuses them, and any other only warns, of all but the demo shop', async () => {
    const other = await folderWith({ 'texts/home.yaml': 'lead: (replace) Say it.\n' });
    await cp(join(folder, 'public'), join(other, 'public'), { recursive: true });
    await cp(join(folder, 'logo.svg'), join(other, 'logo.svg'));
    const check = (isPublic: boolean) => () => {
      checkShop(other, shopFolder, isPublic);
    };
    expect(check(false)).not.toThrow();
    expect(check(true)).toThrow(/for customers:\n- texts\/home\.yaml, line 1: /u);
    expect(placeholderWarning(other, { supportEmail: 'a@shop.in' })).toContain(
      'src/shop/texts/home.yaml, line 1: ',
    );
    expect(placeholderWarning(other, { supportEmail: 'care@kasavu.example' })).toBeNull();
  });
});

test('what a shop leaves to the engine is named, for an upgrade that brings new settings', () => {
  const { lowStockBelow: _, ...shop } = {
    lowStockBelow: 3,
    deploysPerMonth: 60,
    opensOn: '2026-12-10',
    ...shopFolder.shop,
    reviews: { ...shopFolder.shop.reviews, askAfterDays: 7 },
  };
  const delivery = {
    ...shopFolder.delivery,
    cashOnDelivery: { ...sampleCash, advance: { percent: 20 } },
  };
  const mails = { ...shopFolder.seller.mails, leftCartAfterHours: 3 };
  const folder = { ...shopFolder, delivery, seller: { ...shopFolder.seller, mails } };
  expect(unsetSettings({ ...folder, shop })).toEqual(['shop.lowStockBelow']);
  expect(unsetSettings({ ...folder, shop: { ...shop, lowStockBelow: 3 } })).toEqual([]);
});
