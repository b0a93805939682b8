import { createHash } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { onRequest } from '../../../src/integrations/page-html.ts';

// The build defines it.
beforeEach(() => {
  vi.stubGlobal('PREFETCH_HASH', 'sha256-prefetch');
});

const script = 'document.title="ring <b>";';
const style = '.ring{color:gold}';
const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A page with this body, after the build's middleware. */
async function built(body: string, after = ''): Promise<string> {
  const hashes = [script, style, 'of another page'].map(hashOf).join(' ');
  const html = `<!DOCTYPE html><html><head><meta charset="utf-8"><title>Ring</title><meta http-equiv="content-security-policy" content="script-src 'self' 'sha256-prefetch' ${hashes}"></head><body>${body}</body></html>${after}`;
  const response = await onRequest(
    { url: new URL('http://localhost/') } as Parameters<typeof onRequest>[0],
    async () => Promise.resolve(new Response(html, { headers: { 'content-type': 'text/html' } })),
  );
  return (response as Response).text();
}

async function policyOf(body: string): Promise<string> {
  const [, policy = ''] = /policy" content="([^"]*)"/u.exec(await built(body)) ?? [];
  return policy;
}

test('a page keeps the hashes of its own inline script and style, and those of no other page', async () => {
  const policy = await policyOf(`<script>${script}</script><style>${style}</style>`);
  expect(policy).toBe(`script-src 'self' 'sha256-prefetch' ${hashOf(script)} ${hashOf(style)}`);
});

for (const text of [
  '<script>',
  '<!--<script>',
  '<style>',
  '</script><script>',
  "it's <script",
  '<!--',
])
  test(`a name such as ${text} in an attribute takes no hash away`, async () => {
    const image = `<img src=/ring.webp alt="A ${text}" data-name='${text.replaceAll("'", '&#39;')}'>`;
    const policy = await policyOf(
      `${image}<!-- a note --><script>${script}</script>${image}<style data-of="${text}">${style}</style>${image}`,
    );
    expect(policy).toBe(`script-src 'self' 'sha256-prefetch' ${hashOf(script)} ${hashOf(style)}`);
  });

const moduleOf = (name: string, attributes = ''): string =>
  `<script type="module"${attributes} src="/_astro/${name}.js"></script>`;
const asyncOf = (name: string): string => moduleOf(name, ' async fetchpriority="low"');

test('module scripts stand at the end of the body in their order, async, and the rest of the page stays as it was', async () => {
  const inline = '<script type="module">first()</script>';
  const html = await built(
    `${inline}<p>One</p>${moduleOf('listing')}<p>Two ₹</p>${moduleOf('frame')}<p>Three</p>`,
    `${moduleOf('behind')}<!-- end -->`,
  );
  expect(html.slice(html.indexOf('<body>'))).toBe(
    `<body>${inline}<p>One</p><p>Two ₹</p><p>Three</p>${asyncOf('listing')}${asyncOf('frame')}${asyncOf('behind')}</body></html><!-- end -->`,
  );
});

test('a module script in the name of a product stays text', async () => {
  const image = `<img alt='A ring ${moduleOf('evil')}'>`;
  const html = await built(`${image}${moduleOf('frame')}<!-- ${moduleOf('old')} -->`);
  expect(html.slice(html.indexOf('<body>'))).toBe(
    `<body>${image}<!-- ${moduleOf('old')} -->${asyncOf('frame')}</body></html>`,
  );
});

test('module scripts of a page with a template for late ones wait in it', async () => {
  const html = await built(
    `<p>One</p>${moduleOf('cards')}<template data-late></template><script>late()</script>${moduleOf('frame')}`,
  );
  expect(html.slice(html.indexOf('<body>'))).toBe(
    `<body><p>One</p><template data-late>${asyncOf('cards')}${asyncOf('frame')}</template><script>late()</script></body></html>`,
  );
});

test('a template for late scripts in the name of a product stays text', async () => {
  const image = "<img alt='A ring <template data-late>'>";
  const html = await built(`${image}${moduleOf('frame')}`);
  expect(html.slice(html.indexOf('<body>'))).toBe(
    `<body>${image}${asyncOf('frame')}</body></html>`,
  );
});
