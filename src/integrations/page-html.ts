import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'astro';
import { speculationRules } from '#domain/next-pages.ts';

const charset = '<meta charset="utf-8">';
const policyStart = '<meta http-equiv="content-security-policy" content="';

const attributes = /(?:"[^"]*"|'[^']*'|[^"'>])*/u.source;
/**
 * Every comment and tag in turn, styles and scripts with their text. An attribute is matched whole, because it may contain `<script>`,
 * for example in a product's name.
 */
const markup = new RegExp(
  `<!--.*?-->|<(?:(?<tag>style|script)\\b${attributes}>(?<text>.*?)</\\k<tag>>|[/a-z]${attributes}>)`,
  'gisu',
);

const hashOf = (text: string, encoding: 'latin1' | 'utf8'): string =>
  `'sha256-${createHash('sha256').update(text, encoding).digest('base64')}'`;

/** Hashes of the inline styles and scripts of a page, and of the rules for prefetching, which a script adds. */
function hashesOf(html: string): Set<string> {
  const hashes = new Set(Object.values(speculationRules).map((text) => hashOf(text, 'utf8')));
  for (const { groups } of html.matchAll(markup)) {
    const text = groups?.['text'];
    if (text !== undefined) hashes.add(hashOf(text, 'latin1'));
  }
  return hashes;
}

/**
 * Moves a page's policy to the start of its <head>, because a browser applies it only to what follows and Astro writes it at the end.
 * Keeps the hashes that the page has: Astro lists those of every script file and page, more than 150 at 55 bytes each that nothing
 * compresses. A hash that Astro does not list is never added.
 *
 * @throws when a page has no policy, which fails the build.
 */
function placePolicy(path: string, html: string): string {
  const start = html.indexOf(policyStart);
  const end = html.indexOf('">', start + policyStart.length) + 2;
  const head = html.indexOf(charset) + charset.length;
  if (start < head || head < charset.length)
    throw new Error(`${path} has no content security policy`);
  const hashes = hashesOf(html);
  const policy = html
    .slice(start, end)
    .replaceAll(/ ('sha256-[^']+')/gu, (entry, hash: string) => (hashes.has(hash) ? entry : ''));
  return html.slice(0, head) + policy + html.slice(head, start) + html.slice(end);
}

/**
 * Lets the images and fonts on the first screen load before the scripts: Astro's scripts take no attributes. A name or text of the shop
 * never matches, because its quotation marks or its `<` are escaped.
 */
const yieldScripts = (html: string): string =>
  html.replaceAll('<script type="module" src=', '<script type="module" fetchpriority="low" src=');

/** Runs for every page of a build. */
export const onRequest: MiddlewareHandler = async ({ url }, next) => {
  const response = await next();
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
  // One byte a character: with ten thousand pages, strings of two would take 200 MB before they are collected.
  const html = Buffer.from(await response.arrayBuffer()).toString('latin1');
  const placed = yieldScripts(placePolicy(url.pathname, html));
  return new Response(Buffer.from(placed, 'latin1'), response);
};
