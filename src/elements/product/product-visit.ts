import {
  recordView,
  recentlyViewedProducts,
} from '../../services/storage/stored-recently-viewed.ts';
import { readProductMarkup } from '../site/product-markup.ts';

/** Fetches the code of the form for a sold-out product when it is opened. Without it the browser sends the form by itself. */
function awaitStockAlert(): void {
  const box = document.querySelector<HTMLDetailsElement>('[data-stock-alert]');
  const show = (): void => {
    if (box?.open)
      import('./stock-alert.ts')
        .then(({ showStockAlert }) => {
          showStockAlert(box);
        })
        .catch(() => undefined);
  };
  box?.addEventListener('toggle', show);
  // Sold out since the build.
  if (box?.closest('[data-stock="0"]')) box.open = true;
  show();
}

/** Records this page's product, and shows those viewed before it once the customer scrolls near their section. */
export function recordVisit(): void {
  awaitStockAlert();
  const root = document.querySelector<HTMLElement>('[data-product-view="page"]');
  const section = document.querySelector<HTMLElement>('[data-recently-viewed]');
  if (!root || !section) return;
  const { id, name, images, price, offerPrice } = readProductMarkup(root);
  recordView({ id, name, image: images[0] ?? '', price, offerPrice });
  if (recentlyViewedProducts().length < 2) return;
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
