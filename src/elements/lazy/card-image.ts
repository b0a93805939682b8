import { imageAddress, isResizable, sizedImage } from '#domain/image.ts';
import * as environment from '#services/environment.ts';
import { moveBriefly } from '#elements/motion/short-motion.ts';

const thumbsOf = (card: Element): HTMLElement[] => [
  ...card.querySelectorAll<HTMLElement>('[data-thumb]:not([data-thumb=""])'),
];

/** Shows a thumbnail's image as the card's large one. */
export function chooseImage(card: Element, thumb: HTMLElement): void {
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

/** Shows the image `step` after the present one; past either end the first. */
export function chooseImageAfter(card: Element, step: number): void {
  const thumbs = thumbsOf(card);
  const thumb =
    thumbs[thumbs.findIndex(({ ariaPressed }) => ariaPressed === 'true') + step] ?? thumbs[0];
  if (thumb) chooseImage(card, thumb);
}

/** The card under the mouse, and the thumbnail of the image that it showed before. */
let hovered: { card: Element; before: HTMLElement } | null = null;

/** A card under the mouse shows its last image: the product worn, when the admin gave one. Null: no card is under it. */
export function showHovered(card: Element | null): void {
  if (card === (hovered?.card ?? null)) return;
  if (hovered) chooseImage(hovered.card, hovered.before);
  hovered = null;
  if (!card) return;
  const thumbs = thumbsOf(card);
  const before = thumbs.find(({ ariaPressed }) => ariaPressed === 'true');
  const last = thumbs.at(-1);
  if (!before || !last || before === last) return;
  hovered = { card, before };
  chooseImage(card, last);
}
