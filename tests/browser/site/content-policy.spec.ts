import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolderAt } from '#local/data-folder/data-folder.ts';
import { reportFigures } from '#tests/figures.ts';
import { runningShop } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '#tests/browser/support/shop.ts';

const policyPattern = /<meta http-equiv="content-security-policy" content="([^"]*)">/giu;

/** The built pages that the shop serves, by their file's name. */
async function builtPages(): Promise<Map<string, string>> {
  const { dist } = dataFolderAt(process.env['SHOP_DATA_DIR'] ?? '.local');
  const names = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.html'));
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(dist, name), 'utf8')] as const),
    ),
  );
}

/** The sources that each directive of a page's policy allows, without the hashes of the page's own scripts and styles. */
function policyOf(html: string): Record<string, string[]> {
  const [[, policy = ''] = []] = [...html.matchAll(policyPattern)];
  const directives = policy
    .split(';')
    .map((directive) => directive.trim().split(/\s+/u))
    .filter(([name]) => name !== '');
  return Object.fromEntries(
    directives.map(([name = '', ...sources]) => [
      name,
      sources.filter((source) => !source.startsWith("'sha256-")).sort(),
    ]),
  );
}

test('every built page has one policy, before anything that it is about', async () => {
  const pages = await builtPages();
  expect(pages.size).toBeGreaterThan(40);
  for (const [name, html] of pages) {
    expect([...html.matchAll(policyPattern)], name).toHaveLength(1);
    expect(html, name).toMatch(
      /^<!doctype html><html lang="en-IN"><head><meta charset="utf-8"><meta http-equiv="content-security-policy"/iu,
    );
  }
});

test('the payment provider is in the policies of /cart and /pay, with the origins that its checkout needs, and of no other page', async () => {
  const { url, payments } = runningShop();
  const sandbox = new URL(payments).origin;
  const pages = await builtPages();
  const policiesOfCheckout = ['cart.html', 'pay.html'].map((name) => {
    const { 'style-src': _styles, ...policy } = policyOf(pages.get(name) ?? '');
    pages.delete(name);
    return policy;
  });
  const wanted = {
    'default-src': ["'self'"],
    'script-src': ["'self'", sandbox, 'https://cdn.razorpay.com', 'https://checkout.razorpay.com'],
    'connect-src': [
      ...[
        "'self'",
        sandbox,
        url,
        'https://api.razorpay.com',
        'https://checkout.razorpay.com',
        'https://lumberjack-cx.razorpay.com',
      ],
      ...['https://lumberjack-metrics.razorpay.com', 'https://lumberjack.razorpay.com'],
    ],
    'frame-src': [sandbox, 'https://api.razorpay.com', 'https://checkout.razorpay.com'],
    'form-action': ["'self'", sandbox, 'https://api.razorpay.com', 'https://checkout.razorpay.com'],
    'img-src': [
      "'self'",
      'blob:',
      'data:',
      sandbox,
      url,
      'https:',
      'https://cdn.razorpay.com',
      'https://checkout.razorpay.com',
    ],
    'style-src-attr': ["'unsafe-inline'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
  };
  expect(policiesOfCheckout).toEqual([wanted, wanted]);
  for (const [name, html] of pages) {
    expect(JSON.stringify(policyOf(html)), name).not.toMatch(/razorpay|unsafe/u);
    expect(JSON.stringify(policyOf(html)), name).not.toContain(sandbox);
  }
});

test('images from any https address are allowed where products are shown, and nowhere else', async () => {
  const pages = await builtPages();
  const allows = (name: string): boolean | undefined =>
    policyOf(pages.get(name) ?? '')['img-src']?.includes('https:');
  for (const name of ['index.html', 'shop.html', 'cart.html', 'wishlist.html', 'admin.html'])
    expect(allows(name), name).toBe(true);
  for (const name of ['damage.html', 'auth.html', 'contact.html', 'account/delete.html'])
    expect(allows(name), name).toBe(false);
});

test('scripts put into /cart, in the page, in an attribute or from elsewhere, do not run', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/Content Security Policy|script\.js csp$/u);
  await page.route('https://elsewhere.example/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'window.ran = "foreign"' }),
  );
  await page.goto('/cart');
  const blocked = await page.evaluate(async () => {
    const reported = new Promise<string[]>((resolve) => {
      const uris: string[] = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
        uris.push(`${effectiveDirective} ${blockedURI}`);
        if (uris.length === 3) resolve(uris.sort());
      });
    });
    const inline = document.createElement('script');
    inline.textContent = 'window.ran = "inline"';
    const foreign = document.createElement('script');
    foreign.src = 'https://elsewhere.example/script.js';
    const attribute = document.createElement('div');
    attribute.setAttribute('onclick', 'window.ran = "attribute"');
    document.body.append(inline, foreign, attribute);
    attribute.click();
    return reported;
  });
  const ran = await page.evaluate(() => (window as { ran?: string }).ran);
  reportFigures(18, {
    'scripts blocked': blocked.length,
    'scripts run': ran === undefined ? 0 : 1,
  });
  expect(blocked).toEqual([
    'script-src-attr inline',
    'script-src-elem https://elsewhere.example/script.js',
    'script-src-elem inline',
  ]);
  expect(ran).toBeUndefined();
});
