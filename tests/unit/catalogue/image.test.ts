import { matchPattern } from 'astro/assets/utils';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { imageAddress, isResizable, placeholderImage, sizedImage } from '#domain/image.ts';
import { eachRow } from '#tests/each-row.ts';
import { times } from '#tests/soak.ts';
import { imageAt, imageFor, imageLayouts } from '#services/catalogue/image-layouts.ts';

const supabase = 'https://db.example';
const bucket = 'https://db.example/storage/v1/object/public/product-images/';

describe('the address of an image', () => {
  test('of a path is in the bucket product-images', () =>
    eachRow(
      [
        ['products/ring.jpg', `${bucket}products/ring.jpg`],
        ['products/gold ring?.jpg', `${bucket}products/gold%20ring%3F.jpg`],
        ['products/മോതിരം#1.png', `${bucket}products/${encodeURIComponent('മോതിരം#1.png')}`],
        ['//evil.example/x.png', `${bucket}evil.example/x.png`],
      ],
      ([entry, address]) => {
        expect(imageAddress(entry, supabase)).toBe(address);
        expect(imageAddress(entry, `${supabase}//`)).toBe(address);
      },
    ));

  test('stays as it is when it is complete, or an image as data', () =>
    eachRow(
      ['http://cdn.example/a.jpg?w=1#x', 'HTTPS://cdn.example/a.jpg', 'data:image/png;base64,AA=='],
      (entry) => {
        expect(imageAddress(entry, supabase)).toBe(entry);
        expect(imageAddress(entry, '')).toBe(entry);
      },
    ));

  test('of anything else is the placeholder', () =>
    eachRow(
      [
        undefined,
        '',
        'javascript:alert(1)',
        'data:text/html,<script>alert(1)</script>',
        'data:image/svg+xml;base64,PHN2Zz4=',
        'data:image/png,plain',
        'https://',
        'https://exa mple/x.png',
        '../../../auth/v1/logout',
        'products/../../secret.png',
        '\uD800.png',
      ],
      (entry) => {
        expect(imageAddress(entry, supabase)).toBe(placeholderImage);
        expect(imageAddress('products/ring.jpg', '')).toBe(placeholderImage);
      },
    ));

  test('of any text is the placeholder, an image as data, http(s), or inside the bucket', () => {
    const anyEntry = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc
        .array(fc.constantFrom('..', '.', '', 'a', '%2e%2e', '\\', 'x.png'), { maxLength: 6 })
        .map((parts) => parts.join('/')),
      fc
        .tuple(
          fc.constantFrom('java\tscript:', ' javascript:', '\u0001javascript:', 'data:'),
          fc.string(),
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(anyEntry, (entry) => {
        const address = imageAddress(entry, supabase);
        if (address === placeholderImage || address === entry) {
          if (address === entry)
            expect(address).toMatch(/^(?:https?:\/\/|data:image\/|\/placeholder)/iu);
          return;
        }
        expect(new URL(address).href.startsWith(bucket)).toBe(true);
      }),
      { numRuns: times(300, 1_000) },
    );
  });
});

describe('a sized image', () => {
  test('goes through the image CDN, its address encoded', () => {
    const bucket = 'https://db.supabase.co/storage/v1/object/public/product-images/';
    expect(sizedImage(`${bucket}a b.jpg?x=1&y=2`, 400)).toBe(
      `/.netlify/images?url=${encodeURIComponent(bucket)}a%20b.jpg%3Fx%3D1%26y%3D2&w=400&fm=avif&q=55`,
    );
    expect(sizedImage('/a.jpg', 800, 'webp')).toBe(
      '/.netlify/images?url=%2Fa.jpg&w=800&fm=webp&q=85',
    );
  });

  test('of another origin, as data or of the shop’s placeholder does not go there', () =>
    eachRow(
      [
        placeholderImage,
        'data:image/png;base64,AAAA',
        'https://pictures.example/a.jpg',
        '//pictures.example/a.jpg',
      ],
      (address) => {
        expect(sizedImage(address, 400)).toBe(address);
      },
    ));

  test('is requested from the CDN at addresses of product images, and the CDN serves those of the shop’s own project', async () => {
    vi.stubEnv('PUBLIC_SUPABASE_URL', 'https://db.supabase.co');
    vi.resetModules();
    const { default: config } = await import('../../../astro.config.mjs');
    vi.unstubAllEnvs();
    const isServed = (address: string): boolean =>
      (config.image?.remotePatterns ?? []).some((pattern) =>
        matchPattern(new URL(address), pattern),
      );
    const path = '/storage/v1/object/public/product-images/';
    const hosts = [
      'https://db.supabase.co',
      'https://other.supabase.co',
      'http://localhost:8888',
      'http://127.0.0.1',
      'https://pictures.example',
      'http://db.supabase.co',
      'https://supabase.co.evil.example',
      'https://localhost',
      'https://evil.example/?https://db.supabase.co',
    ];
    for (const host of hosts) {
      const image = `${host}${path}products/a.png`;
      expect(isServed(image), image).toBe(host === 'https://db.supabase.co');
      expect(isResizable(image) || !isServed(image), image).toBe(true);
      for (const address of [`${host}/storage/v1/object/public/others/a.png`, `${host}/a.png`]) {
        expect([isServed(address), isResizable(address)], address).toEqual([false, false]);
      }
    }
  });
});

test('an image of another host is shown as it is, in every place: the CDN would refuse it', () => {
  for (const layout of Object.values(imageLayouts)) {
    expect(imageFor('https://pictures.example/a b.jpg', layout)).toEqual({
      avif: null,
      src: 'https://pictures.example/a b.jpg',
    });
  }
});

test("an image of the bucket or of the shop's own comes in every width of its place", () => {
  for (const address of [
    '/pictures/about.webp',
    'https://db.supabase.co/storage/v1/object/public/product-images/a.webp',
  ]) {
    for (const layout of Object.values(imageLayouts)) {
      const { avif, src } = imageAt(address, layout);
      expect(avif?.split(', ').map((entry) => Number(entry.split(' ')[1]?.slice(0, -1)))).toEqual([
        ...layout.widths,
      ]);
      expect(src).toContain(`url=${encodeURIComponent(address)}`);
    }
  }
});
