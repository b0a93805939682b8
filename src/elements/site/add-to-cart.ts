import { limitTexts } from '#domain/cart/cart-limits.ts';
import { sizedName } from '#domain/catalogue/sizes.ts';
import { shop } from '#settings/shop.ts';
import { addCartItem } from '#stores/cart.ts';
import { dismissToast, showToast } from '#stores/toasts.ts';
import { readProductMarkup } from './product-markup.ts';

let lastToast = 0;

/** Adds the surrounding product to the cart in the chosen quantity. The result is visible in the same frame. */
class AddToCart extends HTMLElement {
  // Runs once per element: sorting the listing moves cards, and each move connects them again.
  constructor() {
    super();
    this.addEventListener('click', (event) => {
      const root = this.closest<HTMLElement>('[data-product-view]');
      // A card's link to the sizes stands beside the button.
      if (!(event.target as Element).closest('button') || !root) return;
      const product = readProductMarkup(root);
      const unchosen = root.querySelector<HTMLInputElement>('[name=size]:not([value=""]):invalid');
      if (unchosen) {
        // The size picker answers with its own message.
        unchosen.reportValidity();
        return;
      }
      const wanted = Number(root.querySelector<HTMLInputElement>('[data-quantity]')?.value ?? 1);
      const result = addCartItem(product, Math.max(1, wanted));
      if (result === 'unkept') {
        const title = 'Your cart cannot be kept';
        void import('#elements/lazy/explain-unkept.ts').then(
          ({ explainUnkept }) => {
            explainUnkept(title, product);
          },
          // Offline, or after a deploy that no longer has the file: the press is answered all the same.
          () => showToast(title, { tone: 'destructive' }),
        );
      } else if (result === 'added') {
        root.querySelector('[data-to-cart]')?.removeAttribute('hidden');
        // One such toast at a time, with a link to the cart.
        dismissToast(lastToast);
        lastToast = showToast('Added to cart!', {
          description: Object.assign(document.createElement('a'), {
            href: '/cart',
            className: 'link',
            textContent: `${sizedName(product.name, product.size)} · View cart`,
          }),
          durationMs: shop.toastMs.added,
          tone: 'success',
        });
      } else {
        const [title, description] = limitTexts[result];
        showToast(title, { description, tone: 'destructive' });
      }
    });
  }
}

customElements.define('add-to-cart', AddToCart);
