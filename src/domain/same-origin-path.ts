/**
 * A path on this site to go to after sign-in, from untrusted text (a query parameter). Refuses everything that a
 * browser could read as another origin: schemes, `//`, backslashes, control characters, encoded forms of these.
 */
export function sameOriginPath(text: string | null | undefined, fallback = '/'): string {
  if (!text?.startsWith('/')) return fallback;
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    return fallback;
  }
  const refused = /^\/{2}|[\\\u0000-\u0020\u007f]|^\/+\//u;
  if (refused.test(text) || refused.test(decoded)) return fallback;
  const url = new URL(text, 'https://shop.invalid');
  // Dot segments are gone only now: '/..//evil' has become '//evil', which is another origin.
  if (url.origin !== 'https://shop.invalid' || url.pathname.startsWith('//')) return fallback;
  return `${url.pathname}${url.search}${url.hash}`;
}
