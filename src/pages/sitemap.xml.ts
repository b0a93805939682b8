import type { APIRoute } from 'astro';
import { categories } from '../domain/catalogue/product.ts';
import { catalogue } from '../services/catalogue/catalogue-collection.ts';
import { socialPicture } from '../services/catalogue/pictures.ts';

const texts = ['/', '/shop', '/about', '/contact', '/privacy', '/returns', '/terms', '/shipping-policy'];
const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Every page that may be found, the products with their pictures and the day they were last changed. */
export const GET: APIRoute = async ({ site }) => {
  const address = (path: string) => escapeXml(new URL(path, site).href);
  const plain = [...texts, ...categories.map((category) => `/shop/${category}`)];
  const products = (await catalogue()).map((product) => {
    const changed = Number.isNaN(Date.parse(product.updatedAt)) ? '' : `<lastmod>${new Date(product.updatedAt).toISOString()}</lastmod>`;
    const pictures = product.images
      .map((entry) => `<image:image><image:loc>${escapeXml(socialPicture(entry, site))}</image:loc></image:image>`)
      .join('');
    return `<url><loc>${address(`/product/${product.id}`)}</loc>${changed}${pictures}</url>`;
  });
  const urls = [...plain.map((path) => `<url><loc>${address(path)}</loc></url>`), ...products];
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
${urls.join('\n')}
</urlset>
`;
  return new Response(xml, { headers: { 'content-type': 'application/xml; charset=utf-8' } });
};
