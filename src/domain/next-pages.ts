/** Pages that may be fetched ahead: static ones. What leads to a function, or signs somebody in, waits for the press. */
const paths = ['/', '/shop*', '/product/*', '/about', '/contact', '/cart', '/wishlist'];
const pages = { href_matches: paths.map((pathname) => ({ pathname })) };

/** The attribute of <html> on a device whose pointer can rest on a link. */
export const hoverAttribute = 'data-hover';

/**
 * Speculation rules, as text: the browser fetches a page ahead once somebody seems about to open it (the pointer rests on
 * its link, or a finger touches it). Fetched, not rendered: a rendered page would fetch prices from the database at which
 * nobody looks. `astro.config.mjs` puts the hash of this text into each page's content security policy.
 *
 * On phones 'moderate' means another thing: Chrome 138 for Android fetches links that only come into view, and most of these pages
 * are never opened (groups.google.com/a/chromium.org/g/blink-dev/c/YYBd-eksiE8).
 */
export const speculationRules = JSON.stringify({
  prefetch: [
    {
      where: { and: [pages, { selector_matches: `[${hoverAttribute}] a` }] },
      eagerness: 'moderate',
    },
    { where: pages, eagerness: 'conservative' },
  ],
});
