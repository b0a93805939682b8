/** Shown when a product has no image or its address cannot be made. */
export const placeholderImage = '/placeholder.svg';

/** The shortest side that a product's image may have in Google's listings from 31 January 2027 on, in pixels (docs/provider-facts.md). */
export const minFeedSide = 500;

/** Where a Supabase project serves the images of products. */
export const bucketPath = '/storage/v1/object/public/product-images/';

/**
 * The public address of a product's image entry (spec section 3): absolute http(s) addresses and data URLs of
 * images stay, other entries are paths in the bucket `product-images`. Anything else is the placeholder.
 */
export function imageAddress(entry: string | undefined, supabaseUrl: string): string {
  if (entry === undefined || entry.trim() === '') return placeholderImage;
  if (/^data:image\/(?:png|jpeg|webp|avif);base64,/u.test(entry)) return entry;
  try {
    if (/^https?:\/\//iu.test(entry)) return new URL(entry).href === '' ? placeholderImage : entry;
    if (/^[a-z][a-z0-9+.-]*:/iu.test(entry) || supabaseUrl === '') return placeholderImage;
    const segments = entry.replace(/^\/+/u, '').split('/');
    // Dots would climb out of the bucket.
    if (segments.some((segment) => segment === '.' || segment === '..')) return placeholderImage;
    return `${supabaseUrl.replace(/\/+$/u, '')}${bucketPath}${segments.map(encodeURIComponent).join('/')}`;
  } catch {
    // No address, or half a surrogate pair, which cannot be encoded.
    return placeholderImage;
  }
}

// The shop's own files, and buckets of Supabase: of these the CDN serves the shop's own project (astro.config.mjs).
const sizable =
  /^(?:\/(?!\/)|(?:https:\/\/[a-z0-9-]+\.supabase\.co|http:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?)\/storage\/v1\/object\/public\/product-images\/)/u;

/** Whether the image CDN makes other sizes of an image: of the shop's own and the bucket's, not of other hosts'. */
export function isResizable(address: string): boolean {
  return address !== placeholderImage && sizable.test(address);
}

/**
 * The qualities were chosen by eye, on fine goldwork (docs/measured.md): at the size of a card they show no halos. An image that is
 * looked at closely has a quality of its own. JPEG is for mails and feeds.
 */
const usualQuality = { avif: 55, webp: 85, jpg: 75 } as const;

/**
 * The same image through Netlify's image CDN, `width` pixels wide, as AVIF, as WebP for browsers without it, or as JPEG for
 * programs that know neither.
 * The placeholder, data URLs and images of other hosts are returned as they are.
 */
export function sizedImage(
  address: string,
  width: number,
  format: 'avif' | 'webp' | 'jpg' = 'avif',
  quality: number = usualQuality[format],
): string {
  if (!isResizable(address)) return address;
  return `/.netlify/images?url=${encodeURIComponent(address)}&w=${String(width)}&fm=${format}&q=${String(quality)}`;
}
