/*
 * The frame of every page: header, messages, what features add, pages fetched ahead. Elements of products are in `products.ts`,
 * what one page alone needs (the listing, the gallery) or few people call for (zoom, account) is apart.
 */
import './site-header.ts';
import './toast-region.ts';
import './renewed-shop.ts';
import { speculationRules } from '#domain/next-pages.ts';

// What features add to every page.
import.meta.glob('../../features/*/every-page.ts', { eager: true });

// Prefetches nothing in data-saving mode. Browsers without speculation rules ignore them.
if (navigator.connection?.saveData !== true) {
  const script = document.createElement('script');
  script.type = 'speculationrules';
  script.textContent = speculationRules[matchMedia('(hover: hover)').matches ? 'hover' : 'touch'];
  document.head.append(script);
}
