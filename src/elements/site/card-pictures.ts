import { imageAddress, isResizable, sizedImage } from '../../domain/image.ts';
import { environment } from '../../services/environment.ts';
import { onFirstInteraction } from './first-interaction.ts';

/**
 * A card's further pictures. On a phone, thumbnails are fetched once somebody looks around (touches, scrolls), so that
 * a page opens with the pictures of its first screen alone.
 */
class CardPictures extends HTMLElement {
  // Once for the element's life: sorting the listing moves cards, and each move connects them again.
  constructor() {
    super();
    this.addEventListener('click', (event) => {
      const thumb = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-thumb]') : null;
      if (thumb) this.#choose(thumb);
    });
  }

  connectedCallback(): void {
    if (this.querySelector('[data-thumb]')) observer.observe(this);
  }

  /** Shows the thumbnails' pictures. */
  fill(): void {
    for (const thumb of this.querySelectorAll<HTMLElement>('[data-thumb]:empty')) {
      const image = new Image(60, 60);
      image.alt = '';
      image.src = sizedImage(pictureOf(thumb), 120, 'webp');
      thumb.append(image);
    }
  }

  #choose(thumb: HTMLElement): void {
    for (const other of this.querySelectorAll('[data-thumb]')) other.ariaPressed = String(other === thumb);
    const image = this.querySelector<HTMLImageElement>('picture img');
    if (!image) return;
    const from = addressIn(image.src);
    const address = pictureOf(thumb);
    const sources = this.querySelectorAll('source');
    if (from === null || !isResizable(address)) {
      // A picture of another host, before or now, has one size: nothing is left to choose from.
      for (const source of sources) source.remove();
      image.src = sizedImage(address, 640, 'webp');
      return;
    }
    const to = encodeURIComponent(address);
    // The same widths and formats of another picture.
    for (const source of sources) source.srcset = source.srcset.replaceAll(from, to);
    image.src = image.src.replace(from, to);
  }
}

const pictureOf = (thumb: HTMLElement) => imageAddress(thumb.dataset['thumb'], environment.supabaseUrl);

/** The encoded address of the picture in an address of the image CDN. */
const addressIn = (address = '') => /[?&]url=([^&]+)/u.exec(address)?.[1] ?? null;

const waiting = new Set<CardPictures>();
let interacted = matchMedia('(hover: hover)').matches;
const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting || !(target instanceof CardPictures)) continue;
    observer.unobserve(target);
    if (interacted) target.fill();
    else waiting.add(target);
  }
});

onFirstInteraction(() => {
  interacted = true;
  for (const card of waiting) card.fill();
  waiting.clear();
});

customElements.define('card-pictures', CardPictures);
