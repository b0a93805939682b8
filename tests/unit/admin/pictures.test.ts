import { expect, test } from 'vitest';
import { pictureAt, pictureFor, slots } from '../../../src/services/catalogue/pictures.ts';

test('a picture of another host is shown as it is, in every place: the CDN would refuse it', () => {
  for (const slot of Object.values(slots)) {
    expect(pictureFor('https://pictures.example/a b.jpg', slot)).toEqual({
      avif: null,
      src: 'https://pictures.example/a b.jpg',
    });
  }
});

test("a picture of the bucket or of the shop's own comes in every width of its place", () => {
  for (const address of ['/pictures/about.webp', 'https://db.supabase.co/storage/v1/object/public/product-images/a.webp']) {
    for (const slot of Object.values(slots)) {
      const { avif, src } = pictureAt(address, slot);
      expect(avif?.split(', ').map((entry) => Number(entry.split(' ')[1]?.slice(0, -1)))).toEqual([...slot.widths]);
      expect(src).toContain(`url=${encodeURIComponent(address)}`);
    }
  }
});
