import { expect, test } from './shop.ts';

/*
 * Bytes and requests of a first visit on a phone, as transferred (brotli), against the budgets of the design. Bodies
 * are counted: the embedded stack speaks HTTP/1.1, whose repeated headers a CDN's HTTP/2 sends once. Pictures are
 * those that load without scrolling. The document of /shop has a budget for 24 pieces, and so much for each further.
 */
const kib = 1024;
const piecesInBudget = 24;
const kibPerFurtherPiece = 0.3;
const budgets = {
  '/': { script: 10, document: 14, font: 20, image: 50, total: 110, requests: 15 },
  '/shop': { script: 15, document: 14, font: 20, image: 60, total: 120, requests: 18 },
  '/product': { script: 10, document: 14, font: 20, image: 40, total: 90, requests: 12 },
} as const;

type Kind = 'script' | 'document' | 'font' | 'image';

for (const [path, budget] of Object.entries(budgets)) {
  test(`a first visit to ${path} stays within its bytes and requests`, async ({ page, isMobile }) => {
    test.skip(!isMobile, 'budgets are for a phone');
    let address = path;
    if (path === '/product') {
      await page.goto('/shop');
      address = (await page.getByRole('article').first().getByRole('link').first().getAttribute('href')) ?? '';
    }
    // What the page before still asks for is not counted.
    await page.goto('about:blank');
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    const kinds = new Map<string, string>();
    const bytes: Record<string, number> = {};
    let requests = 0;
    const heads = new Map<string, number>();
    session.on('Network.responseReceived', ({ requestId, type, response }) => {
      kinds.set(requestId, type.toLowerCase());
      heads.set(requestId, response.encodedDataLength);
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const kind = kinds.get(requestId) ?? 'other';
      if (encodedDataLength === 0) return;
      requests += 1;
      bytes[kind] = (bytes[kind] ?? 0) + encodedDataLength - (heads.get(requestId) ?? 0);
    });
    await page.goto(address, { waitUntil: 'networkidle' });
    const total = Object.values(bytes).reduce((sum, size) => sum + size, 0);
    console.log(
      address,
      Object.entries(bytes).map(([kind, size]) => `${kind} ${(size / kib).toFixed(1)}`).join(', '),
      `total ${(total / kib).toFixed(1)} KiB, ${String(requests)} requests`,
    );
    const pieces = path === '/shop' ? await page.getByRole('article').count() : 0;
    const further = Math.max(0, pieces - piecesInBudget) * kibPerFurtherPiece;
    expect(bytes['document'], 'the document was counted').toBeGreaterThan(kib);
    for (const kind of ['script', 'document', 'font', 'image'] as const satisfies readonly Kind[]) {
      const most = budget[kind] + (kind === 'document' ? further : 0);
      expect.soft((bytes[kind] ?? 0) / kib, `${kind} KiB`).toBeLessThanOrEqual(most);
    }
    expect.soft(total / kib, 'total KiB').toBeLessThanOrEqual(budget.total);
    expect.soft(requests, 'requests').toBeLessThanOrEqual(budget.requests);
  });
}
