import { mayHaveWishlist } from '../../services/storage/stored-wishlist.ts';
import { showToast } from '../../stores/toasts.ts';

/** What a heart does comes with the first press; at once for those who may have kept something, so that they see it. */
const load = () => import('../wishlist/wishlist-hearts.ts');

/** The heart of the product around it. */
class WishlistButton extends HTMLElement {
  // Once for the element's life: sorting the listing moves cards, and each move connects them again.
  constructor() {
    super();
    this.addEventListener('click', () => {
      load().then(({ pressHeart }) => { pressHeart(this); }, () => { showToast('Please try again', { tone: 'destructive' }); });
    });
  }
}

customElements.define('wishlist-button', WishlistButton);
if (mayHaveWishlist()) load().catch(() => undefined);
