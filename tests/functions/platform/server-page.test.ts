import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { html } from '#core/platform/http/html.ts';
import { serverPage } from '#core/platform/http/page.ts';

const hashOf = (text = ''): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('the policy of a page that a function makes allows its very style and script', async () => {
  const response = serverPage({
    title: 'Invoice',
    style: 'main{color:red}',
    script: 'print()',
    body: html`<h1>Invoice</h1>`,
  });
  const page = await response.text();
  const policy = response.headers.get('content-security-policy') ?? '';
  const style = /<style>(.*?)<\/style>/su.exec(page)?.[1];
  const script = /<script>(.*?)<\/script>/su.exec(page)?.[1];
  expect(style).toContain('main{color:red}');
  expect(policy).toContain(`style-src ${hashOf(style)}`);
  expect(policy).toContain(`script-src ${hashOf(script)}`);
});
