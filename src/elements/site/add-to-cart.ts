import { sizedName } from '../../domain/catalogue/sizes.ts';
import { shop } from '../../shop.config.ts';
import { addCartItem } from '../../stores/cart.ts';
import { dismissToast, showToast } from '../../stores/toasts.ts';
import { readProductMarkup } from './product-markup.ts';

let lastAdded = 0;
/** One such message at a time, with the way to the cart. */
function tellAdded(name: string): void {
  const link = document.createElement('a');
  link.href = '/cart';
  link.className = 'p-3 underline';
  link.textContent = 'View cart';
  const description = document.createDocumentFragment();
  description.append(`${name} `, link);
  dismissToast(lastAdded);
  lastAdded = showToast('Added to cart!', {
    description,
    durationMs: shop.toastMs.added,
    tone: 'success',
  });
}

/** Puts the product around it into the cart, in the quantity chosen there. The answer is on screen in the same frame. */
class AddToCart extends HTMLElement {
  // Once for the element's life: sorting the listing moves cards, and each move connects them again.
  constructor() {
    super();
    this.addEventListener('click', (event) => {
      const button = event.target instanceof Element ? event.target.closest('button') : null;
      const root = this.closest<HTMLElement>('[data-product-view]');
      if (!button || !root) return;
      const product = readProductMarkup(root);
      const unchosen = root.querySelector<HTMLInputElement>('[name=size]:not([value=""]):invalid');
      if (unchosen) {
        // The picker says that a size is to be chosen, as soon as its script is there; without it the browser does.
        import('../product/size-picker.ts')
          .catch(() => undefined)
          .then(() => unchosen.reportValidity())
          .catch(() => undefined);
        return;
      }
      const wanted = Number(root.querySelector<HTMLInputElement>('[data-quantity]')?.value ?? 1);
      if (addCartItem(product, Math.max(1, wanted)) === 'added') {
        tellAdded(sizedName(product.name, product.size));
      } else {
        showToast('Stock Limit', {
          description: 'Cannot exceed available stock',
          tone: 'destructive',
        });
      }
    });
  }
}

customElements.define('add-to-cart', AddToCart);
