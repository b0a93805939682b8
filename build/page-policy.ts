import type { MiddlewareHandler } from 'astro';
import { deployMark } from './deploy-mark.ts';

const charset = '<meta charset="utf-8">';
const policyStart = '<meta http-equiv="content-security-policy" content="';
const inlineScript = /<script(?![^>]*\bsrc=)[^>]*>(?<code>.*?)<\/script>/gsu;

/**
 * Astro writes a page's policy at the end of its <head>, and a browser applies it to what follows: it is moved to where it covers
 * everything. Throws, and so fails the build, when a page has none, or one that would refuse a script of the page.
 */
function placePolicy(path: string, html: string): string {
  const from = html.indexOf(policyStart);
  const end = html.indexOf('">', from + policyStart.length) + 2;
  const head = html.indexOf(charset) + charset.length;
  if (from < head || head < charset.length) throw new Error(`${path} has no content security policy`);
  for (const { groups } of html.includes(deployMark) ? html.matchAll(inlineScript) : []) {
    if (groups?.['code']?.includes(deployMark)) throw new Error(`${path} has an inline script that names the deploy: its hash is of another text`);
  }
  return html.slice(0, head) + html.slice(from, end) + html.slice(head, from) + html.slice(end);
}

/** Runs for each page that is rendered, and not for those that are copied from the last build. */
export const onRequest: MiddlewareHandler = async ({ url }, next) => {
  const response = await next();
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
  return new Response(placePolicy(url.pathname, await response.text()), response);
};
