import { escapeXml } from '#domain/xml.ts';

/** The limits of one sitemap (sitemaps.org/protocol.html): addresses, and bytes before compression. */
const [maxAddresses, maxBytes] = [50_000, 50 * 1024 * 1024];

/** An address of the site for search engines; all of it absolute and not yet escaped. */
export interface SitemapEntry {
  address: string;
  /** When the page was last changed; left out when it is no date. */
  changed?: string;
  images?: readonly string[];
}

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
const schema = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const open = `${head}<urlset xmlns="${schema}" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">\n`;
const close = '\n</urlset>\n';

function entryXml({ address, changed = '', images = [] }: SitemapEntry): string {
  const date = Number.isNaN(Date.parse(changed))
    ? ''
    : `<lastmod>${new Date(changed).toISOString()}</lastmod>`;
  const imageTags = images
    .map((image) => `<image:image><image:loc>${escapeXml(image)}</image:loc></image:image>`)
    .join('');
  return `<url><loc>${escapeXml(address)}</loc>${date}${imageTags}</url>`;
}

/** The sitemaps of these addresses, as XML: one, or as few as the standard's limits allow. */
export function sitemaps(
  entries: readonly SitemapEntry[],
  limits = { addresses: maxAddresses, bytes: maxBytes },
): string[] {
  const parts: string[][] = [[]];
  let bytes = 0;
  for (const entry of entries) {
    const xml = entryXml(entry);
    const size = new TextEncoder().encode(xml).length + 1;
    let part = parts.at(-1) ?? [];
    if (
      part.length > 0 &&
      (part.length >= limits.addresses || open.length + bytes + size + close.length > limits.bytes)
    ) {
      part = [];
      parts.push(part);
      bytes = 0;
    }
    part.push(xml);
    bytes += size;
  }
  return parts.map((part) => open + part.join('\n') + close);
}

/** The index of several sitemaps at these absolute addresses. */
export const sitemapIndex = (addresses: readonly string[]): string =>
  `${head}<sitemapindex xmlns="${schema}">\n${addresses.map((address) => `<sitemap><loc>${escapeXml(address)}</loc></sitemap>`).join('\n')}\n</sitemapindex>\n`;
