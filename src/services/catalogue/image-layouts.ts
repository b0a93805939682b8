import { imageAddress, isResizable, placeholderImage, sizedImage } from '#domain/image.ts';
import * as environment from '#services/environment.ts';

/** The sources of a `<picture>`. `avif` is null for the placeholder, data URLs and other hosts' images: they have one size. */
export interface Picture {
  avif: string | null;
  src: string;
}

/** How images are shown somewhere: the widths made for it, in pixels, and the `sizes` by which a browser chooses. */
export interface ImageLayout {
  widths: readonly number[];
  sizes: string;
  /** Quality as AVIF, when it is not the usual one. */
  avif?: number;
}

/** The quality of images that people look at closely: none can be told from its original (docs/measured.md). */
const fine = 65;

/*
 * Widths meet common screens: 45 % of a phone of 412 px at 1.75 is 325, 92 % of it 664, the whole 721. A width one pixel
 * short makes the browser take the next. On screens of more than 2.5 pixels a pixel, full-width images are sized for about
 * two: nobody sees the difference, and they weigh twice as much.
 */
const dense = '(max-width: 767px) and (min-resolution: 2.5dppx)';
export const imageLayouts = {
  card: {
    widths: [200, 330, 640],
    sizes: '(min-width: 1024px) 22vw, (min-width: 768px) 30vw, 45vw',
  },
  feature: {
    widths: [330, 480, 670, 840],
    sizes: `(min-width: 768px) 30vw, ${dense} 200px, 272px`,
  },
  category: { widths: [130, 220], sizes: '(min-width: 768px) 104px, 72px' },
  detail: {
    widths: [380, 540, 730, 960, 1300],
    sizes: '(min-width: 1440px) 650px, (min-width: 768px) 46vw, 100vw',
    avif: fine,
  },
  hero: { widths: [960, 1280, 1920, 2760], sizes: '100vw', avif: fine },
  heroPhone: { widths: [360, 540, 730, 1035], sizes: `${dense} 62vw, 100vw`, avif: fine },
  about: { widths: [420, 730, 960, 1600], sizes: `(min-width: 1024px) 48vw, ${dense} 62vw, 100vw` },
  thumb: { widths: [120], sizes: '60px' },
} as const satisfies Record<string, ImageLayout>;

/** The image of a product's entry (a path in the bucket or an address) in a layout. */
export function imageFor(entry: string | undefined, layout: ImageLayout): Picture {
  return imageAt(imageAddress(entry, environment.supabaseUrl), layout);
}

/** The image at an address in a layout. */
export function imageAt(address: string, layout: ImageLayout): Picture {
  const middle = layout.widths[Math.floor(layout.widths.length / 2)] ?? 640;
  return {
    avif: isResizable(address)
      ? layout.widths
          .map((width) => `${sizedImage(address, width, 'avif', layout.avif)} ${String(width)}w`)
          .join(', ')
      : null,
    src: sizedImage(address, middle, 'webp'),
  };
}

/** An absolute address of a product's image, for social cards, structured data and the sitemap: JPEG, which every program draws. */
export function socialImage(entry: string | undefined, site: URL | undefined): string {
  const address = imageAddress(entry, environment.supabaseUrl);
  return new URL(
    address === placeholderImage ? '/social-card.jpg' : sizedImage(address, 1200, 'jpg'),
    site,
  ).href;
}
