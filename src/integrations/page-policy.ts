import type { MiddlewareHandler } from 'astro';
import { deployMark } from './deploy-mark.ts';

const charset = Buffer.from('<meta charset="utf-8">');
const policyStart = '<meta http-equiv="content-security-policy" content="';
const inlineScript = /<script(?![^>]*\bsrc=)[^>]*>(?<code>.*?)<\/script>/gsu;

/**
 * Astro writes a page's policy at the end of its <head>, and a browser applies it to what follows: it is moved to where it covers
 * everything. Throws, and so fails the build, when a page has none, or one that would refuse a script of the page. Works on
 * bytes: as texts, ten thousand pages would take 200 MB before they are collected.
 */
function placePolicy(path: string, html: Buffer): Buffer[] {
  const from = html.indexOf(policyStart);
  const end = html.indexOf('">', from + policyStart.length) + 2;
  const head = html.indexOf(charset) + charset.length;
  if (from < head || head < charset.length)
    throw new Error(`${path} has no content security policy`);
  for (const { groups } of html.includes(deployMark)
    ? html.toString('latin1').matchAll(inlineScript)
    : []) {
    if (groups?.['code']?.includes(deployMark))
      throw new Error(
        `${path} has an inline script that names the deploy: its hash is of another text`,
      );
  }
  return [
    html.subarray(0, head),
    html.subarray(from, end),
    html.subarray(head, from),
    html.subarray(end),
  ];
}

/** Runs for each page that is rendered, and not for those that are copied from the last build. */
export const onRequest: MiddlewareHandler = async ({ url }, next) => {
  const response = await next();
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
  const parts = placePolicy(url.pathname, Buffer.from(await response.arrayBuffer()));
  // A stream of the parts: a body of bytes would be copied twice more.
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      for (const part of parts) stream.enqueue(part);
      stream.close();
    },
  });
  return new Response(body, response);
};
