import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { speculationRules } from '#domain/next-pages.ts';
import { onRequest } from '#integrations/page-html.ts';

const rules = Object.values(speculationRules);
const script = 'document.title="ring <b>";';
const style = '.ring{color:gold}';
const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A page with this body, after the build's middleware. */
async function built(body: string): Promise<string> {
  const hashes = [...rules, script, style, 'of another page'].map(hashOf).join(' ');
  const html = `<!DOCTYPE html><html><head><meta charset="utf-8"><title>Ring</title><meta http-equiv="content-security-policy" content="script-src 'self' ${hashes}"></head><body>${body}</body></html>`;
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
  expect(policy).toBe(`script-src 'self' ${[...rules, script, style].map(hashOf).join(' ')}`);
});

for (const text of ['<script>', '<style>', '</script><script>'])
  test(`a name such as ${text} in an attribute takes no hash away`, async () => {
    const image = `<img src=/ring.webp alt="A ${text}" data-name='${text.replaceAll("'", '&#39;')}'>`;
    const policy = await policyOf(
      `${image}<!-- a note --><script>${script}</script>${image}<style data-of="${text}">${style}</style>${image}`,
    );
    expect(policy).toBe(`script-src 'self' ${[...rules, script, style].map(hashOf).join(' ')}`);
  });

test('the policy is the first tag behind the charset, scripts have a low priority, and the rest stays as it was', async () => {
  const script = (priority: string): string =>
    `<p>Two ₹</p><script type="module"${priority} src="/_astro/frame.js"></script>`;
  const body = script(' fetchpriority="low"');
  expect(await built(script(''))).toBe(
    `<!DOCTYPE html><html><head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="script-src 'self' ${rules.map(hashOf).join(' ')}"><title>Ring</title></head><body>${body}</body></html>`,
  );
});

test('an inline script that the build does not know gets no hash', async () => {
  expect(await policyOf('<script>stranger()</script>')).toBe(
    `script-src 'self' ${rules.map(hashOf).join(' ')}`,
  );
});
