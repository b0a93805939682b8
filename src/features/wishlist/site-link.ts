import type { SiteLink } from '../../services/site-links.ts';

/** The wishlist's link in header, menu and footer. */
export const siteLink: SiteLink = { href: '/wishlist', label: 'Wishlist', icon: 'heart' };
