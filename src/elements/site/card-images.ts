import { chooseImage } from './choose-image.ts';

/** Two columns of a phone have dots in place of thumbnails: a finger moves the image itself. */
const hasDots = matchMedia('(max-width: 767px)');

/**
 * A card's further images: a press on a thumbnail shows its image, and so does a finger that moves the image sideways or presses
 * the bar of dots.
 */
class CardImages extends HTMLElement {
  // Runs once per element: sorting the listing moves cards, and each move connects them again.
  constructor() {
    super();
    let start = 0;
    this.addEventListener('pointerdown', ({ clientX }) => {
      start = clientX;
    });
    this.addEventListener('pointerup', ({ clientX }) => {
      const step = Math.sign(Math.trunc((start - clientX) / 24));
      if (step !== 0 && hasDots.matches) this.#chooseAfter(step);
    });
    this.addEventListener('click', ({ target }) => {
      if (!(target instanceof Element)) return;
      const thumb = target.closest<HTMLElement>('[data-thumb]');
      if (thumb) chooseImage(this, thumb);
      // On a phone the bar of dots takes the presses.
      else if (target.matches('.card-thumbs') && hasDots.matches) this.#chooseAfter(1);
    });
  }

  /** Shows the image so many after the present one; past either end the first. */
  #chooseAfter(step: number): void {
    const thumbs = [...this.querySelectorAll<HTMLElement>('[data-thumb]:not([data-thumb=""])')];
    const thumb =
      thumbs[thumbs.findIndex(({ ariaPressed }) => ariaPressed === 'true') + step] ?? thumbs[0];
    if (thumb) chooseImage(this, thumb);
  }
}

customElements.define('card-images', CardImages);
