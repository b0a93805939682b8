import type { Page } from '@playwright/test';
import { startCountingProxy, type Counted } from './counting-proxy.ts';
import { creditsOf, sum, type Use } from './credits.ts';
import { launchChromium, type EmbeddedStack } from './embedded-stack.ts';
import { fixed, head, row } from './printed-table.ts';
import { onPhone } from './slow-phone.ts';

/** Three pages, each opened by a link of the one before. Resolves to the requests of each. */
async function visit(page: Page, origin: string, requests: Counted[]): Promise<Counted[][]> {
  const pages: Counted[][] = [];
  const read = async (): Promise<void> => {
    await page.waitForLoadState('networkidle');
    pages.push(requests.splice(0));
  };
  const follow = async (link: string): Promise<void> => {
    const from = page.url();
    await page.locator(`main a[href^="${link}"]`).first().tap();
    await page.waitForURL((url) => url.href !== from);
    await read();
  };
  await page.goto(`${origin}/`);
  await read();
  await follow('/shop');
  await follow('/product/');
  return pages;
}

const names = ['home', '/shop', 'a product'];
/** The edge function of a product's page asks which are withdrawn (netlify/edge-functions). */
const ofEdge = [0, 0, 1];
const small = 1_024;

/** Prints the pages of a visit, and what is small in them. Returns what the visit uses. */
function printVisit(name: string, pages: readonly Counted[][]): Use {
  head(name, 'requests', 'of the edge function', 'KB', `under ${String(small)} bytes`);
  const uses = pages.map((requests, at) => {
    const bytes = requests.reduce((total, one) => total + one.bytes, 0);
    const little = requests.filter((one) => one.bytes < small).map(({ path }) => path);
    row(names[at] ?? '', requests.length, ofEdge[at] ?? 0, fixed(bytes / 1024), little.join(', '));
    return { requests: requests.length + (ofEdge[at] ?? 0), bytes };
  });
  console.log();
  return sum(uses);
}

/** Rests the mouse on the first cards of the listing and opens none. Resolves to what was fetched ahead. */
async function rest(page: Page, origin: string, requests: Counted[]): Promise<Counted[]> {
  await page.goto(`${origin}/shop`);
  await page.waitForLoadState('networkidle');
  requests.length = 0;
  for (const card of (await page.locator('main a[href^="/product/"]:has(img)').all()).slice(0, 4)) {
    await card.hover();
    // Chromium waits 200 ms.
    await page.waitForTimeout(500);
  }
  return requests.filter(({ type }) => type === 'text/html');
}

/** Visits on a phone, a first one and the same again, and prints what they fetch. */
export async function measureVisits({
  origin,
}: EmbeddedStack): Promise<Record<'first' | 'again', Use>> {
  const proxy = await startCountingProxy(origin);
  const browser = await launchChromium();
  const [first, again] = await onPhone(
    browser,
    async (page) =>
      [
        await visit(page, proxy.url, proxy.requests),
        await visit(page, proxy.url, proxy.requests),
      ] as const,
  );
  const ahead = await rest(await browser.newPage(), proxy.url, proxy.requests);
  await browser.close();
  proxy.close();
  const visits = {
    first: printVisit('first visit', first),
    again: printVisit('the same again', again),
  };
  const bytes = ahead.reduce((total, one) => total + one.bytes, 0);
  const credits = creditsOf({ requests: 2 * ahead.length, bytes }, 1_000);
  console.log(
    `A mouse that rests on four products of /shop, none of which is opened: ${String(ahead.length)} pages ahead, ${fixed(bytes / 1024)} KB; of 1,000 such visits ${fixed(credits)} credits.\n`,
  );
  return visits;
}
