/**
 * Adds styles that come with code loaded on demand. A plain import would put them into every page, and the content policy refuses a
 * style element.
 *
 * @returns False in a browser that cannot: Safari before 16.4.
 */
export function adoptStyles(...texts: readonly string[]): boolean {
  if (!('adoptedStyleSheets' in document) || !('replaceSync' in CSSStyleSheet.prototype))
    return false;
  for (const text of texts) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
  }
  return true;
}
