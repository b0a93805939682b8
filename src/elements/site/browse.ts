/*
 * The frame of every page: header, messages, the admin's notice, the newsletter's box, pages fetched ahead. Elements of products are in `products.ts`,
 * what one page alone needs (the listing, the gallery) or few people call for (zoom, account) is apart.
 */
import './site-header.ts';
import '../notice/shop-notice.ts';
import './toast-region.ts';
import './newsletter-form.ts';
import { speculationRules } from '../../domain/next-pages.ts';

// Prefetches nothing in data-saving mode. Browsers without speculation rules ignore them.
if (navigator.connection?.saveData !== true) {
  const script = document.createElement('script');
  script.type = 'speculationrules';
  script.textContent = speculationRules;
  document.head.append(script);
}
