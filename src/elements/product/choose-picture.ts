import { imageAddress, isResizable, sizedImage } from '../../domain/image.ts';
import { environment } from '../../services/environment.ts';

/** Shows a thumbnail's image as the card's large one. */
export function choosePicture(card: HTMLElement, thumb: HTMLElement): void {
  for (const other of card.querySelectorAll('[data-thumb]'))
    other.ariaPressed = String(other === thumb);
  const image = card.querySelector<HTMLImageElement>('picture img');
  if (!image) return;
  const from = addressIn(image.src);
  const address = imageAddress(thumb.dataset['thumb'], environment.supabaseUrl);
  const sources = card.querySelectorAll('source');
  if (from === null || !isResizable(address)) {
    // An image of another host, before or now, has one size: nothing is left to choose from.
    for (const source of sources) source.remove();
    image.src = sizedImage(address, 640, 'webp');
    return;
  }
  const to = encodeURIComponent(address);
  // The same widths and formats of another image.
  for (const source of sources) source.srcset = source.srcset.replaceAll(from, to);
  image.src = image.src.replace(from, to);
}

/** The encoded address of the image in an address of the image CDN. */
const addressIn = (address: string): string | null => /[?&]url=([^&]+)/u.exec(address)?.[1] ?? null;
