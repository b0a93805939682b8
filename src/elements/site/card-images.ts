/** Loads the code that changes a card's image with the first touch of one. */
const cardImage = () => import('#elements/lazy/card-image.ts');
/** Offline the card keeps its image. */
const keepImage = () => undefined;

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
      if (thumb)
        void cardImage().then(({ chooseImage }) => {
          chooseImage(this, thumb);
        }, keepImage);
      // On a phone the bar of dots takes the presses.
      else if (target.matches('.card-thumbs') && hasDots.matches) this.#chooseAfter(1);
    });
  }

  #chooseAfter(step: number): void {
    void cardImage().then(({ chooseImageAfter }) => {
      chooseImageAfter(this, step);
    }, keepImage);
  }
}

customElements.define('card-images', CardImages);

let isOver = false;
document.addEventListener('pointerover', ({ target, pointerType }) => {
  const link =
    target instanceof Element && pointerType === 'mouse' ? target.closest('.card-image') : null;
  if (link === null && !isOver) return;
  isOver = link !== null;
  void cardImage().then(({ showHovered }) => {
    showHovered(link?.parentElement ?? null);
  }, keepImage);
});
