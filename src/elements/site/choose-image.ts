import { imageAddress, isResizable, sizedImage } from '../../domain/image.ts';
import { environment } from '../../services/environment.ts';
import { moveBriefly } from './short-motion.ts';

/** Shows a thumbnail's image as the card's large one. */
export function chooseImage(card: HTMLElement, thumb: HTMLElement): void {
  for (const other of card.querySelectorAll('[data-thumb]'))
    other.ariaPressed = String(other === thumb);
  const image = card.querySelector<HTMLImageElement>('picture img');
  if (!image) return;
  image.onload = () => {
    moveBriefly(image, { opacity: [0.4, 1] });
  };
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

/** The card under the mouse, and the thumbnail of the image that it showed before. */
let hovered: { link: Element; before: HTMLElement } | null = null;

/** A card under the mouse shows its last image: the product worn, when the admin gave one. */
document.addEventListener('pointerover', ({ target, pointerType }) => {
  const link =
    target instanceof Element && pointerType === 'mouse' ? target.closest('.card-image') : null;
  if (link === (hovered?.link ?? null)) return;
  if (hovered) show(hovered.link, hovered.before);
  hovered = null;
  const thumbs = [
    ...(link?.parentElement?.querySelectorAll<HTMLElement>('[data-thumb]:not([data-thumb=""])') ??
      []),
  ];
  const before = thumbs.find((thumb) => thumb.ariaPressed === 'true');
  const last = thumbs.at(-1);
  if (!link || !before || !last || before === last) return;
  hovered = { link, before };
  show(link, last);
});

function show(link: Element, thumb: HTMLElement): void {
  if (link.parentElement) chooseImage(link.parentElement, thumb);
}
