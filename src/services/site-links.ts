/** A page of a customer's own things, such as the wishlist. Search engines are kept out of it. */
export interface SiteLink {
  href: string;
  label: string;
  /** One of `components/site/Icon.astro`. */
  icon: 'heart';
}

/** Links that features add beside the cart's: every `src/features/NAME/site-link.ts`. */
export const siteLinks: readonly SiteLink[] = Object.values(
  import.meta.glob<SiteLink>('../features/*/site-link.ts', { eager: true, import: 'siteLink' }),
);
