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

/** The policy of a page with this body, after the build's middleware. */
async function policyOf(body: string): Promise<string> {
  const hashes = [script, style, 'of another page'].map(hashOf).join(' ');
  const html = `<!DOCTYPE html><html><head><meta charset="utf-8"><title>Ring</title><meta http-equiv="content-security-policy" content="script-src 'self' 'sha256-prefetch' ${hashes}"></head><body>${body}</body></html>`;
  const response = await onRequest(
    { url: new URL('http://localhost/') } as Parameters<typeof onRequest>[0],
    async () => Promise.resolve(new Response(html, { headers: { 'content-type': 'text/html' } })),
  );
  const [, policy = ''] =
    /policy" content="([^"]*)"/u.exec(await (response as Response).text()) ?? [];
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
