import type { Page } from '@playwright/test';
import { expect, test } from '#tests/browser/support/shop.ts';

/** The items of a feed as the browser's own XML parser reads it, each as pairs of element and text. */
const readFeed = async (page: Page, path: string): Promise<[name: string, text: string][][]> => {
  const answer = await page.request.get(path);
  expect(answer.headers()['content-type']).toContain('xml');
  return page.evaluate(
    (xml) => {
      const feed = new DOMParser().parseFromString(xml, 'application/xml');
      const fault = feed.querySelector('parsererror');
      if (fault !== null) throw new Error(fault.textContent);
      return [...feed.querySelectorAll('item')].map((item) =>
        [...item.children].map((element): [string, string] => [
          element.nodeName,
          element.textContent,
        ]),
      );
    },
    await answer.text(),
  );
};

for (const network of ['google', 'meta']) {
  test(`the feed for ${network} is XML, has every item of its stock feed, and its images are JPEG as large as both want`, async ({
    page,
  }) => {
    await page.goto('/about');
    const items = await readFeed(page, `/feeds/${network}.xml`);
    const textOf = (item: readonly [string, string][] | undefined, name: string): string =>
      item?.find(([element]) => element === `g:${name}`)?.[1] ?? '';
    expect(items.length).toBeGreaterThan(20);
    const required =
      'id title description link image_link availability price condition brand google_product_category';
    for (const item of items) {
      for (const name of required.split(' ')) expect(textOf(item, name), name).not.toBe('');
    }
    const stock = await (await page.request.get(`/feeds/${network}-stock.csv`)).text();
    const known = new Set(
      stock
        .trimEnd()
        .split('\r\n')
        .map((row) => row.split(',')[0]),
    );
    expect(items.map((item) => textOf(item, 'id')).filter((id) => !known.has(id))).toEqual([]);
    const [first] = items;
    expect((await page.request.get(new URL(textOf(first, 'link')).pathname)).status()).toBe(200);
    const { pathname, search } = new URL(textOf(first, 'image_link'));
    const image = await page.request.get(pathname + search);
    expect(image.headers()['content-type']).toBe('image/jpeg');
    const width = await page.evaluate(async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return image.naturalWidth;
    }, pathname + search);
    // Meta's minimum; 1,080 are requested, and a smaller image is not enlarged.
    expect(width).toBeGreaterThanOrEqual(500);
    expect(new URLSearchParams(search).get('w')).toBe('1080');
  });
}
