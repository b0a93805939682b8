import UFuzzy from '@leeoniya/ufuzzy';
import type { IndexedProduct } from './catalogue-index.ts';
import { categoryLabel } from '../product.ts';

export interface SearchResult {
  isFound: (position: number) => boolean;
  /** The corrected search, when a word was not found but one with a single different letter was. */
  corrected: string | null;
}

/** Lower case without accents. */
const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();

/** Folds many texts as one, which is several times faster. */
const foldTexts = (texts: readonly string[]): string[] => foldText(texts.join('\0')).split('\0');

/** Shorter words have too many similar words to guess from. */
const minCorrectedLength = 4;

/**
 * Finds words with one letter replaced, added, left out, or swapped with the next: the whole word, or only its beginning.
 * The library names its modes in types only: 1 is a single error within a term, 2 a strict boundary of words.
 */
function createMatcher(part: 'whole' | 'beginning'): UFuzzy {
  const options: object = {
    intraMode: 1,
    intraRules: () => ({
      intraSlice: [0, Infinity],
      intraIns: 1,
      intraSub: 1,
      intraTrn: 1,
      intraDel: 1,
    }),
    interLft: 2,
    interRgt: part === 'whole' ? 2 : 0,
    // The default creates a collator, which takes a slow phone 50 ms.
    compare: () => 0,
  };
  return new UFuzzy(options);
}

/** Returns the most frequent similar word, or null. Collects the words on the first call. */
function createCorrection(texts: readonly string[]): (word: string) => string | null {
  const matchers = [createMatcher('whole'), createMatcher('beginning')];
  let words: string[] | null = null;

  function collectWords(): string[] {
    const counts = new Map<string, number>();
    for (const word of texts.join('\n').match(/[a-z\d]+/gu) ?? [])
      counts.set(word, (counts.get(word) ?? 0) + 1);
    return [...counts].sort(([, a], [, b]) => b - a).map(([word]) => word);
  }

  return (word) => {
    words ??= collectWords();
    for (const matcher of matchers) {
      const [first] = matcher.filter(words, word) ?? [];
      if (first !== undefined) return words[first] ?? null;
    }
    return null;
  };
}

/** Search over names, categories and descriptions. A product matches when it contains every word, in any order. */
export function createSearch(
  products: readonly IndexedProduct[],
  descriptions: readonly string[],
): (search: string) => SearchResult {
  const names = foldTexts(
    products.map(({ name, category }) => `${name}\n${categoryLabel(category)}`),
  );
  const texts = foldTexts(descriptions);
  // Customers look for names more often than for words of a description.
  const [correctName, correctText] = [createCorrection(names), createCorrection(texts)];

  const correct = (word: string): string | null =>
    word.length < minCorrectedLength || !/^[a-z\d]+$/u.test(word)
      ? null
      : (correctName(word) ?? correctText(word));
  const contains = (position: number, word: string): boolean =>
    names[position]?.includes(word) === true || texts[position]?.includes(word) === true;

  return (search) => {
    const typed = [...new Set(foldText(search).match(/\S+/gu))];
    const used = typed.map((word) =>
      products.some((_, position) => contains(position, word)) ? word : (correct(word) ?? word),
    );
    return {
      isFound: (position) => used.every((word) => contains(position, word)),
      corrected: used.join(' ') === typed.join(' ') ? null : used.join(' '),
    };
  };
}
