/** `icon` is one of `components/site/Icon.astro`. */
export const siteLink = { href: '/wishlist', label: 'Wishlist', icon: 'heart' } as const;
