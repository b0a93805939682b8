import { expect, test } from 'vitest';
import { sitemaps } from '#domain/catalogue/sitemap.ts';

const entries = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    address: `https://shop.example/product/${String(index)}`,
  }));
const addressesIn = (xml: string) =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/gu)].map(([, address]) => address);

test('a sitemap is one file up to 50,000 addresses, and split behind them with none lost or listed twice', () => {
  expect(sitemaps(entries(50_000))).toHaveLength(1);
  const parts = sitemaps(entries(100_001));
  expect(parts.map((xml) => addressesIn(xml).length)).toEqual([50_000, 50_000, 1]);
  expect(parts.flatMap(addressesIn)).toEqual(entries(100_001).map(({ address }) => address));
});

test('no part is larger than the limit of bytes', () => {
  const parts = sitemaps(
    entries(500).map((entry) => ({ ...entry, images: ['https://shop.example/ß.webp'] })),
    { addresses: 50_000, bytes: 10_000 },
  );
  expect(parts.length).toBeGreaterThan(1);
  for (const xml of parts) expect(new TextEncoder().encode(xml).length).toBeLessThanOrEqual(10_000);
  expect(parts.flatMap(addressesIn)).toHaveLength(500);
});

test('addresses are escaped, and invalid dates are left out', () => {
  const [xml = ''] = sitemaps([
    {
      address: 'https://shop.example/?a=1&b=<2>',
      changed: 'soon',
      images: ['https://shop.example/"x"'],
    },
  ]);
  expect(xml).toContain(
    '<loc>https://shop.example/?a=1&amp;b=&lt;2&gt;</loc><image:image><image:loc>https://shop.example/&quot;x&quot;</image:loc>',
  );
  expect(xml).not.toContain('lastmod');
  expect(
    sitemaps([{ address: 'https://shop.example/', changed: '2026-01-01T10:00:00+05:30' }])[0],
  ).toContain('<lastmod>2026-01-01T04:30:00.000Z</lastmod>');
});
