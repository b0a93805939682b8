import { imageAddress, sizedImage } from '../../domain/image.ts';
import { environment } from '../../services/environment.ts';
import { showToast } from '../../stores/toasts.ts';
import { onFirstInteraction } from './first-interaction.ts';

/**
 * A card's further pictures. On a phone, all thumbnails are fetched once somebody looks around (touches, scrolls), so that
 * a page opens with the pictures of its first screen alone; when that has loaded, the cards in view show two.
 */
class CardPictures extends HTMLElement {
  // Once for the element's life: sorting the listing moves cards, and each move connects them again.
  constructor() {
    super();
    this.addEventListener('click', (event) => {
      const thumb =
        event.target instanceof Element ? event.target.closest<HTMLElement>('[data-thumb]') : null;
      if (!thumb) return;
      import('../product/choose-picture.ts').then(
        ({ choosePicture }) => {
          choosePicture(this, thumb);
        },
        () => {
          showToast('Please try again', { tone: 'destructive' });
        },
      );
    });
  }

  connectedCallback(): void {
    if (this.querySelector('[data-thumb]')) observer.observe(this);
  }

  /** Shows the pictures of the first `count` thumbnails. */
  fill(count: number): void {
    const shown = this.querySelector<HTMLImageElement>('picture img')?.currentSrc;
    for (const [index, thumb] of [
      ...this.querySelectorAll<HTMLElement>('[data-thumb]'),
    ].entries()) {
      if (index >= count || thumb.firstChild || thumb.dataset['thumb'] === '') continue;
      const image = new Image(60, 60);
      image.alt = '';
      // The large picture is there already: its thumbnail costs no request.
      image.src =
        (thumb.ariaPressed === 'true' && shown) ||
        sizedImage(imageAddress(thumb.dataset['thumb'], environment.supabaseUrl), 120, 'webp');
      thumb.append(image);
    }
  }
}

const inView = new Set<CardPictures>();
/** How many thumbnails a card in view shows so far. */
let count = matchMedia('(hover: hover)').matches ? Infinity : 0;
const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting || !(target instanceof CardPictures)) continue;
    observer.unobserve(target);
    target.fill(count);
    if (count < Infinity) inView.add(target);
  }
});
const show = (more: number): void => {
  count = Math.max(count, more);
  for (const card of inView) card.fill(count);
  if (count === Infinity) inView.clear();
};
// A card that a script drew: what it shows is known from here on.
document.addEventListener('product-drawn', ({ target }) => {
  const card = target instanceof Element ? target.querySelector('card-pictures') : null;
  if (card) observer.observe(card);
});
onFirstInteraction(() => {
  show(Infinity);
});
// One that needs a request for each card of the first screen: /shop has no more requests to spare.
const showFirst = (): void => {
  show(navigator.connection?.saveData === true ? 1 : 2);
};
if (document.readyState === 'complete') showFirst();
else window.addEventListener('load', showFirst);

customElements.define('card-pictures', CardPictures);
