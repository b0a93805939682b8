/*
 * How the search reads a text. Folding makes equal what customers write in several ways; plain words make whole words, their
 * beginnings and phrases comparable by `includes`.
 */

/** Malayalam's final consonants have a letter of their own; older keyboards type consonant, virama and a joiner. */
const chillus: Readonly<Record<string, string>> = {
  ൺ: 'ണ്',
  ൻ: 'ന്',
  ർ: 'ര്',
  ൽ: 'ല്',
  ൾ: 'ള്',
  ൿ: 'ക്',
};

/**
 * Lower case without accents. Vowel signs of Indian scripts stay, because they distinguish words. What Unicode or keyboards write in
 * two ways becomes one: composed and full-width letters, joiners, Malayalam's chillu letters, Devanagari's nukta and chandrabindu.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F\u093C\u200B-\u200D\u2060\uFEFF]+/gu, '')
    .replaceAll(/[ൺൻർൽൾൿ]/gu, (letter) => chillus[letter] ?? letter)
    .replaceAll('\u0901', '\u0902')
    .toLowerCase();

/** Plural endings of English, Malayalam and Tamil, and the final virama, which Malayalam drops before an ending. */
const endings: readonly (readonly [RegExp, string])[] = [
  [/([a-z]{2})ies(?= )/gu, '$1y'],
  [/(ss|x|zz|ch|sh)es(?= )/gu, '$1'],
  [/([a-z]{2}[a-rt-z])s(?= )/gu, '$1'],
  [/ങ്ങള്(?= )/gu, 'ം'],
  [/ു?കള്(?= )/gu, ''],
  [/ங்கள்(?= )/gu, 'ம்'],
  [/கள்(?= )/gu, ''],
  [/്(?= )/gu, ''],
];

/** The words of folded texts in their singular, each between two spaces: ' palakka ring '. '\0' separates texts and stays. */
export function plainWords(folded: string): string {
  const words = folded.replaceAll(/[^\p{L}\p{M}\p{N}\0]+/gu, ' ').replaceAll(/ ?\0 ?/gu, ' \0 ');
  return endings.reduce(
    (text, [ending, singular]) => text.replaceAll(ending, singular),
    ` ${words.trim()} `,
  );
}
