import { imageAddress, placeholderImage, sizedImage } from '../../domain/image.ts';
import * as environment from '../../services/environment.ts';

/** An absolute address of a product's image as Google and Meta take it: JPEG, 1080 px wide. Null for what cannot be made one. */
export function feedImage(entry: string, site: URL): string | null {
  const address = imageAddress(entry, environment.supabaseUrl);
  if (address === placeholderImage || address.startsWith('data:')) return null;
  return new URL(sizedImage(address, 1080, 'jpg'), site).href;
}
