import { siteLink as wishlist } from '#features/wishlist/site-link.ts';

/** Links to a customer's own things, beside the cart's in header, menu and footer. Search engines are kept out of them. */
export const siteLinks = [wishlist] as const;
