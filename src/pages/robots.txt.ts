import type { APIRoute } from 'astro';
import { siteLinks } from '../services/site-links.ts';
import { indexable } from '../services/site.ts';

/** Previews are kept out whole; of the shop itself, what is private or has no words of its own. */
export const GET: APIRoute = ({ site }) => {
  const rules = indexable
    ? [
        '/admin',
        '/api/',
        '/auth',
        '/cart',
        '/order-success',
        '/profile',
        ...siteLinks.map(({ href }) => href),
      ].map((path) => `Disallow: ${path}`)
    : ['Disallow: /'];
  const lines = [
    'User-agent: *',
    ...rules,
    '',
    `Sitemap: ${new URL('/sitemap.xml', site).href}`,
    '',
  ];
  return new Response(lines.join('\n'), {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
};
