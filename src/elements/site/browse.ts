/*
 * Every custom element, in one file that is fetched once and kept: split by page it would be six files with the
 * same parts between them. What one page alone needs (the listing, the gallery) or few people call for (zoom,
 * account) is apart.
 */
import './site-header.ts';
import './toast-region.ts';
import './newsletter-form.ts';
import './add-to-cart.ts';
import './card-pictures.ts';
import './current-stock.ts';
import './picture-fallback.ts';
