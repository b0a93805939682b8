/** A path as it is stored: decoded, at most 500 characters, without spaces, query and fragment. */
export const oldPathForm = /^\/[^\s?#]{1,499}$/u;

/** A product's path in the shop that it comes from, as it is stored and looked up; null for what cannot be the path of a page. */
export function oldPathOf(path: string): string | null {
  try {
    const decoded = decodeURIComponent(path).replace(/\/+$/u, '');
    return oldPathForm.test(decoded) ? decoded : null;
  } catch {
    return null;
  }
}
