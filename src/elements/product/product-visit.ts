import { recordView, recentlyViewedProducts } from '../../services/storage/stored-recently-viewed.ts';
import { readPiece } from '../site/product-markup.ts';
import { showSeen } from './recently-viewed.ts';

/** Remembers this page's piece, and shows the ones seen before it once the shopper comes near their place. */
export function noteVisit(): void {
  const root = document.querySelector<HTMLElement>('[data-piece="page"]');
  const place = document.querySelector<HTMLElement>('[data-seen]');
  if (!root || !place) return;
  const { id, name, images, price, offerPrice } = readPiece(root);
  recordView({ id, name, image: images[0] ?? '', price, offerPrice });
  if (recentlyViewedProducts().length < 2) return;
  place.hidden = false;
  new IntersectionObserver(
    ([entry], observer) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      void showSeen(place, id);
    },
    { rootMargin: '600px' },
  ).observe(place);
}
