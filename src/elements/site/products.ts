/*
 * The custom elements of products and their cards, in one file that home, listing and product pages
 * share.
 */
import './add-to-cart.ts';
import './card-images.ts';
import './current-stock.ts';
import './image-fallback.ts';
import '#features/wishlist/wishlist-button.ts';
