import { imageAddress, sizedImage } from '../../domain/image.ts';
import { environment } from '../../services/environment.ts';
import { showToast } from '../../stores/toasts.ts';
import { onFirstInteraction } from './first-interaction.ts';

/** Two columns of a phone have dots in place of thumbnails: a finger moves the image itself. */
const hasDots = matchMedia('(max-width: 767px)');

const loadChooser = async () => import('./choose-image.ts');

/**
 * A card's further images: a press on a thumbnail shows its image, and so does a finger that moves the image sideways or presses
 * the bar of dots. Thumbnails are fetched for cards in view once somebody looks around, so that a page opens with the images of its
 * first screen alone.
 */
class CardImages extends HTMLElement {
  // Runs once per element: sorting the listing moves cards, and each move connects them again.
  constructor() {
    super();
    let start = 0;
    this.addEventListener('pointerdown', ({ clientX }) => {
      start = clientX;
    });
    const after = (step: number) => {
      const thumbs = this.#thumbs();
      return thumbs[thumbs.findIndex((thumb) => thumb.ariaPressed === 'true') + step] ?? thumbs[0];
    };
    this.addEventListener('pointerup', ({ clientX }) => {
      const step = Math.sign(Math.trunc((start - clientX) / 24));
      if (step !== 0 && hasDots.matches) after(step)?.click();
    });
    this.addEventListener('click', ({ target }) => {
      if (!(target instanceof Element)) return;
      // On a phone the bar of dots takes the presses.
      const thumb = target.matches('.card-thumbs')
        ? hasDots.matches && after(1)
        : target.closest<HTMLElement>('[data-thumb]');
      if (!thumb) return;
      loadChooser().then(
        ({ chooseImage }) => {
          chooseImage(this, thumb);
        },
        () => {
          showToast('Please try again', { tone: 'destructive' });
        },
      );
    });
  }

  #thumbs(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('[data-thumb]:not([data-thumb=""])')];
  }

  connectedCallback(): void {
    if (this.querySelector('[data-thumb]')) observer.observe(this);
  }

  /** Shows the images of the thumbnails. */
  fill(): void {
    const shown = this.querySelector<HTMLImageElement>('picture img')?.currentSrc;
    for (const thumb of this.#thumbs()) {
      if (thumb.firstChild) continue;
      const image = new Image(60, 60);
      image.alt = '';
      // The large image is there already: its thumbnail costs no request.
      image.src =
        (thumb.ariaPressed === 'true' && shown) ||
        sizedImage(imageAddress(thumb.dataset['thumb'], environment.supabaseUrl), 120, 'webp');
      thumb.append(image);
    }
  }
}

const inView = new Set<CardImages>();
let isAwake = false;
const fillInView = (): void => {
  if (!isAwake || hasDots.matches) return;
  for (const card of inView) card.fill();
  inView.clear();
};
const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting || !(target instanceof CardImages)) continue;
    observer.unobserve(target);
    inView.add(target);
  }
  fillInView();
});
hasDots.addEventListener('change', fillInView);
// A card that a script drew: what it shows is known from here on.
document.addEventListener('product-drawn', ({ target }) => {
  const card = target instanceof Element ? target.querySelector('card-images') : null;
  if (card) observer.observe(card);
});
const wake = (): void => {
  isAwake = true;
  fillInView();
};
onFirstInteraction(() => {
  wake();
  // It answers the mouse, too.
  loadChooser().catch(() => null);
});
// A mouse shows what can be pressed.
if (matchMedia('(hover: hover)').matches) wake();

customElements.define('card-images', CardImages);
