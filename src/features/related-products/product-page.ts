import { recentlyViewedExcept } from './domain/recently-viewed.ts';
import { recordView, recentlyViewedProducts } from './stored-recently-viewed.ts';
import { readProductMarkup } from '#elements/site/product-markup.ts';

/** Records this page's product, and shows those viewed before it once the customer scrolls near their section. */
export function onProductPage(): void {
  const root = document.querySelector<HTMLElement>('[data-product-view="page"]');
  const section = document.querySelector<HTMLElement>('[data-recently-viewed]');
  if (!root || !section) return;
  const { id, name, images, price, offerPrice } = readProductMarkup(root);
  recordView({ id, name, image: images[0] ?? '', price, offerPrice });
  // One alone would leave its row empty.
  if (recentlyViewedExcept(recentlyViewedProducts(), id).length < 2) return;
  section.hidden = false;
  new IntersectionObserver(
    ([entry], observer) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      import('./recently-viewed.ts')
        .then(({ showRecentlyViewed }) => showRecentlyViewed(section, id))
        .catch(() => {
          section.hidden = true;
        });
    },
    { rootMargin: '600px' },
  ).observe(section);
}
