/** Pages that may be fetched ahead: static ones. What leads to a function, or signs somebody in, waits for the press. */
const paths = ['/', '/shop*', '/product/*', '/about', '/contact', '/cart', '/wishlist'];

/**
 * Speculation rules, as text: the browser fetches a page ahead once somebody seems about to open it (the pointer rests on
 * its link, or a finger touches it). Fetched, not rendered: a rendered page would fetch prices from the database at which
 * nobody looks. `astro.config.mjs` puts the hash of this text into each page's content security policy.
 */
export const speculationRules = JSON.stringify({
  prefetch: [
    { where: { href_matches: paths.map((pathname) => ({ pathname })) }, eagerness: 'moderate' },
  ],
});
