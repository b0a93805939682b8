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
const moduleScript = '<script type="module" src=';
/** Holds the module scripts of a page that loads them late (`LateScripts.astro`). */
const lateTemplate = '<template data-late>';
const asyncScript = Buffer.from('<script type="module" async fetchpriority="low" src=');

/** A part of a page, in bytes. */
interface Range {
  start: number;
  end: number;
}

/** The parts of a page that `arrange` reads. */
interface Markup {
  /** Hashes of the inline styles and scripts. */
  hashes: Set<string>;
  /** Module scripts with an address. */
  modules: Range[];
  /** Start of the content of its template for late scripts, in bytes; null without one. */
  late: number | null;
}

/** Reads a page's tags, not its attributes: a product's name may contain `<template data-late>`. */
function readMarkup(html: Buffer): Markup {
  const hashes = new Set([`'${PREFETCH_HASH}'`]);
  const modules: Range[] = [];
  let late: number | null = null;
  for (const { 0: part, index, groups } of html.toString('latin1').matchAll(markup)) {
    if (part === lateTemplate) late = index + part.length;
    else if (part.startsWith(moduleScript))
      modules.push({ start: index, end: index + part.length });
    else if (groups?.['text'] !== undefined) hashes.add(hashOf(groups['text']));
  }
  return { hashes, modules, late };
}

/**
 * Moves a page's policy to the start of its <head>: Astro writes it at the end, and a browser applies it only to what follows. It
 * keeps the hashes that the page has: Astro lists those of every page, at 40 bytes each that nothing compresses. The rules for
 * prefetching stay: a script adds them to the page.
 *
 * Moves module scripts to the end of the <body> and makes them async, so that the browser lays out the page before they arrive;
 * with deferred scripts it does so in one frame with them, which takes a slow phone 60 ms longer at a stretch. At the end, because a
 * cached one runs at once: every element is there by then. Their low priority lets the images and fonts on the first screen come first.
 * A page that loads them late has them in its template instead.
 *
 * Works on bytes: as strings, ten thousand pages would take 200 MB before they are collected.
 *
 * @throws when a page has no policy or no end of its body, which fails the build.
 */
function arrange(path: string, html: Buffer): Buffer[] {
  const { hashes, modules, late } = readMarkup(html);
  const start = html.indexOf(policyStart);
  const end = html.indexOf('">', start + policyStart.length) + 2;
  const head = html.indexOf(charset) + charset.length;
  if (start < head || head < charset.length)
    throw new Error(`${path} has no content security policy`);
  const bodyEnd = html.lastIndexOf('</body>');
  if (bodyEnd < 0) throw new Error(`${path} has no </body>`);
  const policy = html
    .toString('latin1', start, end)
    .replaceAll(/ ('sha256-[^']+')/gu, (entry, hash: string) => (hashes.has(hash) ? entry : ''));
  const scriptsAt = late ?? bodyEnd;
  const scripts = modules.flatMap((range) => [
    asyncScript,
    html.subarray(range.start + moduleScript.length, range.end),
  ]);
  const edits: { start: number; end: number; put?: Buffer[] }[] = [
    { start: head, end: head, put: [Buffer.from(policy, 'latin1')] },
    { start, end },
    ...modules,
    { start: scriptsAt, end: scriptsAt, put: scripts },
  ];
  const parts: Buffer[] = [];
  let at = 0;
  for (const edit of edits.sort((one, other) => one.start - other.start)) {
    parts.push(html.subarray(at, edit.start), ...(edit.put ?? []));
    at = edit.end;
  }
  parts.push(html.subarray(at));
  return parts;
}

/** Runs for every page of a build. */
export const onRequest: MiddlewareHandler = async ({ url }, next) => {
  const response = await next();
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
  const html = Buffer.from(await response.arrayBuffer());
  const parts = arrange(url.pathname, html);
  // A stream of the parts: a body of bytes would be copied twice more.
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      for (const part of parts) stream.enqueue(part);
      stream.close();
    },
  });
  return new Response(body, response);
};
