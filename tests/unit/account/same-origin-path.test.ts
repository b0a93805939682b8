import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sameOriginPath } from '../../../src/domain/same-origin-path.ts';
import { eachRow } from '../../each-row.ts';
import { reportFigures } from '../../figures.ts';
import { times } from '../../soak.ts';

const origin = 'https://kasavu.example';
const leadsTo = (path: string) => new URL(path, origin).origin;

/** Tries of open-redirect lists: schemes, slashes, backslashes, dots, control characters, credentials, encodings. */
const attacks = [
  'https://evil.example',
  'http://evil.example/',
  'HTTPS://EVIL.EXAMPLE',
  'https:evil.example',
  'https:/evil.example',
  'https:///evil.example',
  '//evil.example',
  '///evil.example',
  '////evil.example',
  '//evil.example//',
  '//evil.example/%2f..',
  '//kasavu.example@evil.example',
  '//evil.example#kasavu.example',
  '//evil%2eexample',
  '//3627734734',
  '//[::1]',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  '\\/\\/evil.example',
  '/\\\\evil.example',
  '/%5cevil.example',
  '/%5Cevil.example',
  '/%5c%5cevil.example',
  '/%2fevil.example',
  '/%2Fevil.example',
  '%2f%2fevil.example',
  '/%2f%2fevil.example',
  '/%2f/evil.example',
  '//%2fevil.example',
  '/%09/evil.example',
  '/%0a/evil.example',
  '/%0d/evil.example',
  '/%0d%0aLocation:%20https://evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r/evil.example',
  '\t//evil.example',
  '\n//evil.example',
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
  '/%2E%2E//evil.example',
  '/.%2e//evil.example',
  '/.///evil.example',
  '/shop/..///evil.example',
  './/evil.example',
  '..//evil.example',
  '@evil.example',
  '.evil.example',
  'evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript://kasavu.example/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://evil.example/1',
  'file:///etc/passwd',
  'ftp://evil.example',
  '//evil.example:443',
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

  test('a path of the shop is followed', () =>
    eachRow(
      [
        ['/', '/'],
        ['/cart', '/cart'],
        ['/profile?tab=orders', '/profile?tab=orders'],
        ['/product/5b0c7a52#gallery', '/product/5b0c7a52#gallery'],
        ['/shop?category=rings&sort=latest', '/shop?category=rings&sort=latest'],
        ['/shop/../cart', '/cart'],
        ['/shop?next=/cart', '/shop?next=/cart'],
      ],
      ([text, expected]) => {
        expect(sameOriginPath(text)).toBe(expected);
      },
    ));

  test('nothing given, or refused, goes to the fallback', () => {
    expect(sameOriginPath(null)).toBe('/');
    expect(sameOriginPath(undefined, '/cart')).toBe('/cart');
    expect(sameOriginPath('//evil.example', '/cart')).toBe('/cart');
  });

  test('no text at all leads to another origin', () => {
    const parts = fc.constantFrom(
      ...[
        '/',
        '\\',
        '.',
        '..',
        '//',
        '%2f',
        '%5c',
        '%2e',
        '%09',
        '\t',
        '\n',
        '@',
        ':',
        '?',
        '#',
        'evil.example',
        'https:',
        ' ',
        '%',
      ],
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
