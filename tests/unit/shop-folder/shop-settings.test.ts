import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  checkShop,
  faultsOf,
  missingFiles,
} from '../../../src/integrations/check-shop/check-shop.ts';
import { contrast } from '../../../src/integrations/check-shop/readable-colours.ts';
import { unsetSettings } from '../../../src/integrations/check-shop/unset-settings.ts';
import { shopFolder } from '../../../src/integrations/check-shop/shop-folder.ts';

const folder = join(import.meta.dirname, '../../../src/shop');

/** The shop's settings with one value changed, at a path such as 'tax.home.gstCode'. */
function withValue(path: string, value: unknown): unknown {
  const changed: unknown = structuredClone(shopFolder);
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
      'shop.prefixes.creditNote',
      shopFolder.shop.prefixes.invoice,
      /^shop\.prefixes\.creditNote: /u,
    ],
    [
      'shop.platformFeeBps',
      2.36,
      /^shop\.platformFeeBps: give the fee in hundredths of a percent/u,
    ],
    ['shop.supportEmail', 'other@shop.example', /^seller\.contact\.emails: the first is shop\./u],
    ['seller.contact.whatsapp', '+91 98470', /^seller\.contact\.whatsapp: give country code/u],
    ['seller.contact.emails', [], /^seller\.contact\.emails\.0: give an e-mail address/u],
    ['legal.policiesUpdated', '23 November', /^legal\.policiesUpdated: give a day as YYYY-MM-DD/u],
    ['delivery.shipping.standard', 'soon', /^delivery\.shipping\.standard: give days, such as/u],
    ['delivery.shipping.freeWithin', 'Keralam', /^delivery\.shipping\.freeWithin: give the name/u],
    ['tax.home.gstCode', '99', /^tax\.home\.name: 99 is the code of no state, not of /u],
    ['tax.home.name', 'Bavaria', /^tax\.home\.name: \d\d is the code of .+, not of Bavaria\.$/u],
    ['tax.byCategory', {}, /^tax\.byCategory: \S+ has no HSN code and rate\. Add a line\.$/u],
    ['categories', [], /^categories: give at least one category\.$/u],
    ['categories.0.slug', 'Toe Rings', /^categories\.0\.slug: give small letters/u],
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
      'search.synonyms',
      [{ words: 'ring', within: 'tiaras' }],
      /^search\.synonyms\.0\.within: categories\.ts has no category tiaras\./u,
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

test('what a shop leaves to the engine is named, for an upgrade that brings new settings', () => {
  const { lowStockBelow: _, ...shop } = { lowStockBelow: 3, ...shopFolder.shop };
  expect(unsetSettings({ ...shopFolder, shop })).toEqual(['shop.lowStockBelow']);
  expect(unsetSettings({ ...shopFolder, shop: { ...shop, lowStockBelow: 3 } })).toEqual([]);
});

test('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrast('#ffffff', '#ffffff')).toBe(1);
});
