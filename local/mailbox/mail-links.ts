/** The addresses in a mail, each once: those of links in the HTML first, then those in the text. */
export function linksIn(text: string, html: string | null): string[] {
  const inHtml = [...(html ?? '').matchAll(/\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/giu)].map(([, a, b]) => decode(a ?? b ?? ''));
  const inText = [...text.matchAll(/https?:\/\/[^\s<>"')\]]+/gu)].map(([address]) => address.replace(/[.,;:!?]+$/u, ''));
  return [...new Set([...inHtml, ...inText])].filter((address) => /^https?:/iu.test(address));
}

const decode = (attribute: string): string =>
  attribute.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&#x27;', "'").replaceAll('&amp;', '&').trim();
