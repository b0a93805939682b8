import { fetchCurrentStock } from '#services/catalogue/current-stock.ts';
import { afterPaint } from '#elements/motion/after-paint.ts';
import { updateProductMarkup } from './product-markup.ts';

/** Up to so many products are fetched in one request at once. A page with more fetches each when it comes near the screen. */
const maxIdsPerRequest = 24;

/**
 * Brings the products of a static page, and those that scripts draw later, to the price and stock of this moment. When the database cannot be reached the
 * page stays as it was built; payment checks again in any case.
 */
class CurrentStockElement extends HTMLElement {
  #wanted = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  connectedCallback(): void {
    const near = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (!isIntersecting || !(target instanceof HTMLElement)) continue;
          near.unobserve(target);
          this.#wanted.add(target.dataset['id'] ?? '');
        }
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.#refresh(), 150);
      },
      { rootMargin: '600px' },
    );
    document.addEventListener('product-drawn', ({ target }) => {
      if (target instanceof HTMLElement) near.observe(target);
    });
    const roots = [...document.querySelectorAll<HTMLElement>('[data-product-view]')];
    if (roots.length <= maxIdsPerRequest) {
      this.#wanted = new Set(roots.map((root) => root.dataset['id'] ?? ''));
      // The images come first: requests of scripts have a higher priority.
      afterPaint(() => void this.#refresh());
      return;
    }
    for (const root of roots) near.observe(root);
  }

  async #refresh(): Promise<void> {
    const ids = [...this.#wanted].filter((id) => id !== '');
    this.#wanted = new Set();
    if (ids.length === 0) return;
    try {
      const products = new Map(
        (await fetchCurrentStock(ids)).map((product) => [product.id, product]),
      );
      const requested = new Set(ids);
      for (const root of document.querySelectorAll<HTMLElement>('[data-product-view]')) {
        const id = root.dataset['id'] ?? '';
        const product = products.get(id);
        if (product) updateProductMarkup(root, product);
        else if (requested.has(id)) withdraw(root);
      }
      document.dispatchEvent(new Event('products-changed'));
    } catch (error) {
      console.info('No live prices', error);
    }
  }
}

/** A product that was hidden or deleted since the build: its card says so, its own page shows that nothing was found. */
function withdraw(root: HTMLElement): void {
  const notice = document.querySelector<HTMLTemplateElement>('template[data-not-found]');
  if (root.dataset['productView'] !== 'page' || !notice) {
    // Its style says so, in the card's own place: cards that moved up would be pressed by mistake.
    root.dataset['gone'] = '';
    return;
  }
  root.replaceWith(notice.content.cloneNode(true));
  document.title = 'Product not found';
}

customElements.define('current-stock', CurrentStockElement);
