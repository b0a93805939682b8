/** Pages that may be fetched ahead: static ones. What leads to a function, or signs somebody in, waits for the press. */
const paths = ['/', '/shop*', '/product/*', '/about', '/contact', '/cart', '/wishlist'];

const rulesFor = (eagerness: 'moderate' | 'conservative'): string =>
  JSON.stringify({
    prefetch: [{ where: { href_matches: paths.map((pathname) => ({ pathname })) }, eagerness }],
  });

/**
 * Speculation rules, as text: the browser fetches a page ahead once somebody seems about to open it (the pointer rests on
 * its link, or a finger touches it). Fetched, not rendered: a rendered page would fetch prices from the database at which
 * nobody looks. `astro.config.mjs` puts the hashes of both texts into each page's content security policy.
 *
 * `hover` is for devices whose pointer can rest on a link. On phones 'moderate' means another thing: Chrome 138 for Android fetches
 * links that only come into view, and most of these pages are never opened (groups.google.com/a/chromium.org/g/blink-dev/c/YYBd-eksiE8).
 */
export const speculationRules = { hover: rulesFor('moderate'), touch: rulesFor('conservative') };
