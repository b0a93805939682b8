import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sameOriginPath } from '#domain/same-origin-path.ts';
import { eachRow } from '#tests/each-row.ts';
import { reportFigures } from '#tests/figures.ts';
import { times } from '#tests/soak.ts';

const origin = 'https://kasavu.example';
const leadsTo = (path: string) => new URL(path, origin).origin;

/** Tries of open-redirect lists: schemes, slashes, backslashes, dots, control characters, credentials, encodings. */
const attacks = [
  'https://evil.example',
  'http://evil.example/',
  'https:evil.example',
  'https:/evil.example',
  'https:///evil.example',
  '//evil.example',
  '///evil.example',
  '//evil.example/%2f..',
  '//kasavu.example@evil.example',
  '//evil.example#kasavu.example',
  '//evil%2eexample',
  '//[::1]',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\\\\evil.example',
  '/%5cevil.example',
  '/%5c%5cevil.example',
  '/%2fevil.example',
  '%2f%2fevil.example',
  '/%2f%2fevil.example',
  '//%2fevil.example',
  '/%09/evil.example',
  '/%0a/evil.example',
  '/%0d%0aLocation:%20https://evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/ /evil.example',
  '/\u0000/evil.example',
  '/%00/evil.example',
  '/\u007f/evil.example',
  '/.//evil.example',
  '/./\\evil.example',
  '/..//evil.example',
  '/../..//evil.example',
  '/shop/..//evil.example',
  '/shop/../..//evil.example',
  '/shop/%2e%2e//evil.example',
  '/%2e//evil.example',
  '/.%2e//evil.example',
  '/shop/..///evil.example',
  './/evil.example',
  '..//evil.example',
  '@evil.example',
  '.evil.example',
  'evil.example',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript://kasavu.example/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://evil.example/1',
  'file:///etc/passwd',
  '/%',
  '/%zz',
  '/%c0%af/evil.example',
  '?next=//evil.example',
  '#//evil.example',
  '',
];

describe('where to go after signing in', () => {
  test('no payload redirects outside the shop', () => {
    reportFigures(17, {
      payloads: attacks.length,
      'that leave the shop': attacks.filter((text) => leadsTo(sameOriginPath(text)) !== origin)
        .length,
    });
    return eachRow(attacks, (text) => {
      const path = sameOriginPath(text);
      expect(path).toMatch(/^\/(?![/\\])/u);
      expect(leadsTo(path)).toBe(origin);
    });
  });

  test('a path of the shop is followed, and nothing given or refused goes to the fallback', () => {
    expect(sameOriginPath(null)).toBe('/');
    expect(sameOriginPath('//evil.example', '/cart')).toBe('/cart');
    expect(sameOriginPath('/shop/../cart')).toBe('/cart');
    for (const path of [
      '/',
      '/profile?tab=orders',
      '/product/5b0c7a52#gallery',
      '/shop?next=/cart',
    ])
      expect(sameOriginPath(path)).toBe(path);
  });

  test('no text at all leads to another origin', () => {
    const parts = fc.constantFrom(
      ...Array.from('/\\.\t\n@:?# %'),
      ...['..', '//', '%2f', '%5c', '%2e', '%09', 'evil.example', 'https:'],
    );
    const pieced = fc.array(parts, { maxLength: 8 }).map((each) => `/${each.join('')}`);
    fc.assert(
      fc.property(fc.oneof(pieced, fc.string(), fc.webUrl(), fc.webPath()), (text) => {
        const path = sameOriginPath(text);
        expect(path.startsWith('/')).toBe(true);
        expect(leadsTo(path)).toBe(origin);
        // Followed by a second redirect it must still stay.
        expect(leadsTo(sameOriginPath(path))).toBe(origin);
      }),
      { numRuns: times(1_500, 6_000) },
    );
  });
});
