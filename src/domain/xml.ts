/** Characters that XML 1.0 cannot hold in any spelling (W3C, section 2.2), and control characters that it advises against. */
const unspeakable = /[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu;

/** Text for XML's elements and quoted attributes. What XML cannot hold is left out. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(unspeakable, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** The text that `escapeXml` wrote. */
export const unescapeXml = (xml: string): string =>
  xml
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
