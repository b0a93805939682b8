/*
 * The slug that WordPress makes of a name: `remove_accents`, then `sanitize_title_with_dashes` for 'save' in its
 * wp-includes/formatting.php, with the cases of its tests (read on 29 November 2026). Slugs are compared decoded, so nothing is percent-encoded here,
 * but the 200 bytes that a slug may have count encoded letters.
 */

const hyphens = /[\u00a0\u2013\u2014/.]|&nbsp;|&#160;|&ndash;|&#8211;|&mdash;|&#8212;/gu;
/** What `remove_accents` writes in two letters, or is no letter with a mark. */
const latin: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ſ: 's',
  ŧ: 't',
  '€': 'e',
  '£': '',
};
const maxBytes = 200;

/** Removes the marks of Latin letters; those of other scripts are vowels. */
const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/(?<=\p{Script=Latin})[\u0300-\u036f]+/gu, '')
    .normalize('NFC')
    .replaceAll(/[ßæœøđðþłħıŋſŧ€£]/gu, (letter) => latin[letter] ?? '');

/** The letters up to the 200 bytes: three for each byte of UTF-8 beyond ASCII. */
function shortened(text: string): string {
  let bytes = 0;
  return Array.from(text)
    .filter((letter) => {
      const size = new TextEncoder().encode(letter).length;
      bytes += size === 1 ? 1 : size * 3;
      return bytes <= maxBytes;
    })
    .join('');
}

/** The slug of a name, decoded. */
export const wordPressSlug = (name: string): string =>
  shortened(withoutAccents(name.replaceAll(/<[^>]*>/gu, '').toLowerCase()))
    .replaceAll(hyphens, '-')
    .replaceAll('×', 'x')
    .replaceAll(/&.+?;/gu, '')
    // Of ASCII letters, digits and these stay; of the rest, what is no punctuation.
    .replaceAll(/[\u0000-\u007f]/gu, (letter) =>
      /[a-z0-9 _-]/u.test(letter) ? letter : /\s/u.test(letter) ? ' ' : '',
    )
    .replaceAll(
      /[\u00a1\u00bf\u00ab\u00bb\u2018-\u201f\u2022\u00a9\u00ae\u00b0\u2026\u2122\u00b4\u02ca\u00ad\u200b-\u200f\u2039\u203a]/gu,
      '',
    )
    .replaceAll(/ +/gu, '-')
    .replaceAll(/-+/gu, '-')
    .replaceAll(/^-|-$/gu, '');
