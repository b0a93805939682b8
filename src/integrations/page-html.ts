import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'astro';

const charset = Buffer.from('<meta charset="utf-8">');
const policyStart = '<meta http-equiv="content-security-policy" content="';

const attributes = /(?:"[^"]*"|'[^']*'|[^"'>])*/u.source;
/** Every comment and tag in turn, styles and scripts with their text: an attribute may contain `<script>`, for example a product's name. */
const markup = new RegExp(
  `<!--.*?-->|<(?:(?<tag>style|script)\\b${attributes}>(?<text>.*?)</\\k<tag>>|[/a-z]${attributes}>)`,
  'gisu',
);
const hashOf = (text: string) =>
  `'sha256-${createHash('sha256').update(text, 'latin1').digest('base64')}'`;

/**
 * The policy without the hashes of styles and scripts that the page does not have: Astro lists those of every page, at 40 bytes
 * each that nothing compresses. The rules for prefetching stay: a script adds them to the page.
 */
function ownHashes(policy: string, html: Buffer): string {
  const used = new Set([
    `'${PREFETCH_HASH}'`,
    ...[...html.toString('latin1').matchAll(markup)].flatMap(({ groups }) =>
      groups?.['text'] === undefined ? [] : [hashOf(groups['text'])],
    ),
  ]);
  return policy.replaceAll(/ ('sha256-[^']+')/gu, (entry, hash: string) =>
    used.has(hash) ? entry : '',
  );
}

/**
 * Moves a page's policy to the start of its <head>: Astro writes it at the end, and a browser applies it only to what follows.
 * Works on bytes: as strings, ten thousand pages would take 200 MB before they are collected.
 *
 * @throws when a page has no policy, which fails the build.
 */
function placePolicy(path: string, html: Buffer): Buffer[] {
  const from = html.indexOf(policyStart);
  const end = html.indexOf('">', from + policyStart.length) + 2;
  const head = html.indexOf(charset) + charset.length;
  if (from < head || head < charset.length)
    throw new Error(`${path} has no content security policy`);
  return [
    html.subarray(0, head),
    Buffer.from(ownHashes(html.toString('latin1', from, end), html), 'latin1'),
    html.subarray(head, from),
    html.subarray(end),
  ];
}

const moduleScript = Buffer.from('<script type="module" src=');
const lowPriority = Buffer.from('<script type="module" fetchpriority="low" src=');

/**
 * Lets images and fonts that are seen first come before the scripts, which nobody needs before them: browsers fetch a module script
 * with high priority, and on a slow phone it takes its time from the largest image.
 */
function yieldToImages(part: Buffer): Buffer[] {
  const at = part.indexOf(moduleScript);
  return at < 0
    ? [part]
    : [
        part.subarray(0, at),
        lowPriority,
        ...yieldToImages(part.subarray(at + moduleScript.length)),
      ];
}

/** Runs for every page of a build. */
export const onRequest: MiddlewareHandler = async ({ url }, next) => {
  const response = await next();
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
  const html = Buffer.from(await response.arrayBuffer());
  const parts = placePolicy(url.pathname, html).flatMap(yieldToImages);
  // A stream of the parts: a body of bytes would be copied twice more.
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      for (const part of parts) stream.enqueue(part);
      stream.close();
    },
  });
  return new Response(body, response);
};
