import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { builtReviews } from './built-reviews.ts';
import { letters } from '#netlify/features/reviews/letters.ts';
import { dataWeKeep } from '#domain/retention.ts';
import { listFeatures } from '#integrations/list-features.ts';
import { inboxLists } from '#islands/admin/inbox/inbox-lists.ts';

/* A shop whose settings say nothing of true reviews: every shop from before there were any. */
vi.mock('#shop/shop.ts', async () => {
  const { sampleShop } = await import('#tests/sample-shop.ts');
  const { shown, stars, count } = sampleShop.reviews;
  return { shop: { ...sampleShop, reviews: { shown, stars, count } } };
});

test('without its setting the feature has no page, no mail, no list in the inbox and no line in the privacy policy, and reads nothing', async () => {
  const pages: string[] = [];
  const injectRoute = ({ pattern }: { pattern: string }) => pages.push(pattern);
  const config = { root: pathToFileURL(`${process.cwd()}/`) };
  await listFeatures.hooks['astro:config:setup']?.({ config, injectRoute } as unknown as Parameters<
    NonNullable<(typeof listFeatures.hooks)['astro:config:setup']>
  >[0]);
  expect(pages).toContain('/damage');
  expect(pages).not.toContain('/review');
  expect(letters).toEqual({});
  const lists = inboxLists.map(({ kind }) => kind);
  expect(lists).toContain('messages');
  expect(lists).not.toContain('reviews');
  expect(dataWeKeep.map(({ what }) => what)).not.toContain('Reviews');
  const fetched = vi.spyOn(globalThis, 'fetch');
  expect(await builtReviews()).toEqual(new Map());
  expect(fetched).not.toHaveBeenCalled();
});
