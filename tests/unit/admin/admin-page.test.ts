import { describe, expect, test } from 'vitest';
import { isImageAddress, readImageDataUrl } from '#domain/admin/products/data-url.ts';
import { readAdminRoute } from '#domain/admin/page-route.ts';
import { eachRow } from '#tests/each-row.ts';

describe('the address of the owner’s page', () => {
  test('leads to the section or the order that it names, or else to the shop', () =>
    eachRow(
      [
        ['', { section: 'shop' }],
        ['#elsewhere', { section: 'shop' }],
        ['#more', { section: 'more' }],
        ['#orders?filter=to_pack&q=a/b', { section: 'orders', orderId: null }],
        ['#orders/1001', { section: 'orders', orderId: 1001 }],
        ['#orders/0', { section: 'orders', orderId: null }],
        ['#customers?q=anjali', { section: 'view', name: 'customers', detail: '' }],
        ['#inbox', { section: 'view', name: 'inbox', detail: '' }],
        ['#inbox/forms', { section: 'view', name: 'inbox', detail: 'forms' }],
      ],
      ([hash, route]) => {
        expect(readAdminRoute(hash, ['inbox', 'customers'])).toEqual(route);
      },
    ));
});

describe('an address typed for an image', () => {
  test('a data URL is read to its bytes', () => {
    expect(readImageDataUrl('data:image/png;base64,iVBO')).toEqual({
      type: 'image/png',
      bytes: Uint8Array.of(0x89, 0x50, 0x4e),
    });
  });

  test('is no data URL of an image when it is another kind of address', () =>
    eachRow(
      [
        'data:text/html;base64,PGI+',
        'data:image/png,abc',
        'data:image/png;base64,!',
        'https://a.example/b.png',
      ],
      (text) => {
        expect(readImageDataUrl(text)).toBeNull();
      },
    ));

  test('is an address only with http or https', () =>
    eachRow(
      [
        ['https://a.example/b.png', true],
        ['http://a.example/b', true],
        ['javascript:alert(1)', false],
        ['//a.example/b.png', false],
        ['https://a example/b.png', false],
        ['', false],
      ],
      ([text, is]) => {
        expect(isImageAddress(text)).toBe(is);
      },
    ));
});
