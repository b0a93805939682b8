import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let requested: string[];
let gone: (url: string) => boolean;

beforeEach(() => {
  requested = [];
  vi.stubEnv('PUBLIC_DEPLOY_ID', 'deploy-7');
  vi.stubGlobal('fetch', (url: string) => {
    requested.push(url);
    return Promise.resolve(gone(url) ? new Response(null, { status: 404 }) : Response.json(['a']));
  });
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const fetchList = async (): Promise<string[]> => {
  const { fetchCardFiles } = await import('#services/catalogue/fetch-listing.ts');
  return fetchCardFiles('card-files.1');
};

test('a file of the listing is fetched under one address in every deploy, so a cache keeps it', async () => {
  gone = () => false;
  expect(await fetchList()).toEqual(['a']);
  expect(requested).toEqual(['/_astro/card-files.1.json']);
});

test('a file that the live deploy no longer has comes from the deploy of the page', async () => {
  gone = (url) => !url.includes('?');
  expect(await fetchList()).toEqual(['a']);
  expect(requested).toEqual([
    '/_astro/card-files.1.json',
    '/_astro/card-files.1.json?dpl=deploy-7',
  ]);
});

test('a file that no deploy has any more is reported as gone', async () => {
  gone = () => true;
  await expect(fetchList()).rejects.toHaveProperty('name', 'ListingGoneError');
});
