import { site } from 'astro:config/server';
import type { APIRoute, GetStaticPaths } from 'astro';
import { buildSitemap } from '#services/catalogue/sitemap-files.ts';

/** The parts of a sitemap that is larger than one file may be; none for most shops. */
export const getStaticPaths = (async () => {
  const { parts } = await buildSitemap(site === undefined ? undefined : new URL(site));
  return parts.map((xml, index) => ({ params: { part: String(index + 1) }, props: { xml } }));
}) satisfies GetStaticPaths;

export const GET: APIRoute<{ xml: string }> = ({ props }) =>
  new Response(props.xml, { headers: { 'content-type': 'application/xml; charset=utf-8' } });
