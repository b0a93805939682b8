import type { APIRoute } from 'astro';
import { indexable } from '#services/site.ts';

/**
 * Previews are kept out whole. Private pages are not named here: each says `noindex` itself, and a crawler that may not read a page
 * never sees that (developers.google.com/search/docs/crawling-indexing/block-indexing).
 */
export const GET: APIRoute = ({ site }) => {
  const lines = [
    'User-agent: *',
    `Disallow: ${indexable ? '/api/' : '/'}`,
    '',
    `Sitemap: ${new URL('/sitemap.xml', site).href}`,
    '',
  ];
  return new Response(lines.join('\n'), {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
};
