import { mayHaveWishlist } from './stored-wishlist.ts';
import { showToast } from '#stores/toasts.ts';

/** Loads the hearts' code with the first press, or at once when the wishlist may have entries. */
const load = (pressed?: HTMLElement) =>
  import('./wishlist-hearts.ts').then(
    (code) => {
      if (pressed) code.pressHeart(pressed);
    },
    () => {
      if (pressed) showToast('Please try again', { tone: 'destructive' });
    },
  );

/** The heart of the surrounding product. */
class WishlistButton extends HTMLElement {
  // Runs once per element: sorting the listing moves cards, and each move connects them again.
  constructor() {
    super();
    this.addEventListener('click', () => void load(this));
  }
}

customElements.define('wishlist-button', WishlistButton);
if (mayHaveWishlist()) void load();
