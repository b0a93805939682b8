import { expect, test } from 'vitest';
import { imageAt, imageFor, imageLayouts } from '../../../src/services/catalogue/image-layouts.ts';

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
