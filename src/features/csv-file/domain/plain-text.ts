import { decodeHTML } from 'entities/decode';

const markup = /<\/?[a-z][^<>]*>|&(?:[a-z]{2,31}|#\d{1,7}|#x[\da-f]{1,6});/iu;

/**
 * A cell's text as people read it: tags of HTML become lines, entities become letters, several spaces become one. Text without
 * either only loses its double spaces. The text is shown as text everywhere, so a tag that is left over is seen and harmless.
 */
export function plainText(text: string): string {
  const lines = markup.test(text)
    ? decodeHTML(
        text
          .replace(/<(script|style|head|title)\b[^>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/giu, '')
          // A line break in HTML is a space.
          .replace(/\s+/gu, ' ')
          .replace(/<li\b[^>]*>/giu, '\n• ')
          .replace(/<br\b[^>]*>|<\/(?:p|div|h[1-6]|tr|ul|ol|table|blockquote|section)\s*>/giu, '\n')
          .replace(/<\/?[a-z][^<>]*>/giu, ''),
      )
    : text;
  return lines
    .split('\n')
    .map((line) => line.replaceAll(/[^\S\n]+/gu, ' ').trim())
    .join('\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();
}

/** A name without entities of HTML, which some programs write twice: 'Rings &amp;amp; Bands'. */
export function withoutEntities(name: string): string {
  const decoded = decodeHTML(name);
  return decoded === name ? name.trim() : withoutEntities(decoded);
}
