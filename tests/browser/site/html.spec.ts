import { expect, test } from '@playwright/test';
import { HtmlValidate } from 'html-validate';
import { pages } from './page-list.ts';
import { runningShop } from '#tests/browser/support/running-shop.ts';

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // Style, not validity: boolean attributes as Astro writes them, numbers as the spec writes them, build output.
    'attr-case': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'doctype-style': 'off',
    'long-title': 'off',
    'no-inline-style': 'off',
    'no-trailing-whitespace': 'off',
    'tel-non-breaking': 'off',
    'void-style': 'off',
  },
});

/** html-validate's findings in a page. Throws when it was given no whole page. */
async function findingsIn(html: string, path: string): Promise<string[]> {
  if (!/<h1[\s>]/u.test(html) || !html.includes('</html>'))
    throw new Error(`Nothing was validated: ${path} is no whole page`);
  const report = await validator.validateString(html, path);
  return report.results.flatMap((result) =>
    result.messages
      // The cart's order form is a hidden description for the form-collection service; scripts send it.
      .filter(({ ruleId }) => !(path === '/cart' && ruleId === 'wcag/h32'))
      .map((message) => `${message.ruleId} line ${String(message.line)}: ${message.message}`),
  );
}

test('the HTML of every page is valid', async () => {
  for (const { path, status = 200 } of pages) {
    const answer = await fetch(runningShop().url + path);
    expect(answer.status, path).toBe(status);
    // Astro puts this rule beside the first island, wherever that is; browsers have always taken it.
    const html = (await answer.text()).replace(/<style>astro-island[^<]*<\/style>/u, '');
    expect.soft(await findingsIn(html, path), `html-validate on ${path}`).toEqual([]);
    expect(
      await findingsIn(html.replace('<h1', '<input aria-hidden="yes"><h1'), path),
      `a field without a label is found on ${path}`,
    ).not.toEqual([]);
  }
});

test('a page is either in the sitemap or says noindex, and crawlers may read it to see that', async () => {
  const { url } = runningShop();
  const read = async (path: string) => (await fetch(url + path)).text();
  const sitemap = await read('/sitemap.xml');
  const listed = new Set(
    [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/gu)].map(([, loc = '']) => new URL(loc).pathname),
  );
  const closed = [...(await read('/robots.txt')).matchAll(/^Disallow: (.*)$/gmu)].map(
    ([, path = '']) => path,
  );
  expect(closed).toEqual(['/api/']);
  const found = { indexed: 0, kept: 0 };
  for (const { path } of pages.filter((page) => !page.path.includes('?'))) {
    const isClosed = (await read(path)).includes('<meta name="robots" content="noindex"');
    expect.soft(isClosed, path).toBe(!listed.has(path));
    found[isClosed ? 'kept' : 'indexed'] += 1;
  }
  expect(found.indexed).toBeGreaterThan(5);
  expect(found.kept).toBeGreaterThan(5);
});
