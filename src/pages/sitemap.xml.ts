import type { APIRoute } from 'astro';
import { buildSitemap } from '#services/catalogue/sitemap-files.ts';

/** Every page that may be found, the products with their images and the day they were last changed; or where its parts are. */
export const GET: APIRoute = async ({ site }) =>
  new Response((await buildSitemap(site)).root, {
    headers: { 'content-type': 'application/xml; charset=utf-8' },
  });
