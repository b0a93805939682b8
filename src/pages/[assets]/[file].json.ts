import type { APIRoute, GetStaticPaths } from 'astro';
import { builtListing } from '#services/catalogue/listing-files.ts';

/*
 * The listing's index, texts for the search and cards. Among the scripts' files, because these are cached for ever by browsers and
 * found in the deploy that a page is from, and because each name has the hash of its file's content, too.
 */
export const getStaticPaths = (async () => {
  const { files } = await builtListing();
  return [...files].map(([file, text]) => ({
    params: { assets: '_astro', file },
    props: { text },
  }));
}) satisfies GetStaticPaths;

export const GET: APIRoute<{ text: string }> = ({ props }) =>
  new Response(props.text, { headers: { 'content-type': 'application/json; charset=utf-8' } });
