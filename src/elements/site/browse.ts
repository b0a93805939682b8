/*
 * What the frame of every page needs: header, messages, the newsletter's box. Elements of products are in `products.ts`,
 * what one page alone needs (the listing, the gallery) or few people call for (zoom, account) is apart.
 */
import './site-header.ts';
import './toast-region.ts';
import './newsletter-form.ts';
