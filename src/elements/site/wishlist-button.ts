import { mayHaveWishlist } from '../../services/storage/stored-wishlist.ts';
import { showToast } from '../../stores/toasts.ts';

/** What a heart does comes with the first press; at once for those who may have kept something, so that they see it. */
const load = (pressed?: HTMLElement) =>
  import('../wishlist/wishlist-hearts.ts').then(
    (code) => {
      if (pressed) code.pressHeart(pressed);
    },
    () => {
      if (pressed) showToast('Please try again', { tone: 'destructive' });
    },
  );

/** The heart of the product around it. */
class WishlistButton extends HTMLElement {
  // Once for the element's life: sorting the listing moves cards, and each move connects them again.
  constructor() {
    super();
    this.addEventListener('click', () => void load(this));
  }
}

customElements.define('wishlist-button', WishlistButton);
if (mayHaveWishlist()) void load();
