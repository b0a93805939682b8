import UFuzzy from '@leeoniya/ufuzzy';
import type { IndexedProduct } from './catalogue-index.ts';
import { categoryLabel } from './product.ts';

export interface SearchResult {
  isFound: (position: number) => boolean;
  /** The search that was made instead, when a word was not found and another one is a letter away. */
  corrected: string | null;
}

/** Lower case without accents. Lines stay lines: one long text is folded several times faster than many short ones. */
const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();

/** A shorter word has too many neighbours to guess. */
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

/** The words of folded texts, the most frequent first. */
function wordsOf(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const word of texts.join('\n').match(/[\p{L}\p{N}]+/gu) ?? [])
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([word]) => word);
}

/** Search over names, categories and descriptions. A product matches when it contains every word, in any order. */
export function createSearch(
  products: readonly IndexedProduct[],
  descriptions: readonly string[],
): (search: string) => SearchResult {
  const fold = (texts: readonly string[]): string[] =>
    foldText(texts.map((text) => text.replaceAll(/\s+/gu, ' ')).join('\n')).split('\n');
  const names = fold(products.map(({ name, category }) => `${name} ${categoryLabel(category)}`));
  const foldedDescriptions = fold(descriptions);
  const texts = names.map((name, position) => `${name}\n${foldedDescriptions[position] ?? ''}`);
  const matchers = [createMatcher('whole'), createMatcher('beginning')];
  let words: string[] | null = null;

  function correct(word: string): string | null {
    if (word.length < minCorrectedLength || !/^[a-z\d]+$/u.test(word)) return null;
    // Customers look for names more often than for words of a description.
    words ??= [...new Set([...wordsOf(names), ...wordsOf(foldedDescriptions)])];
    for (const matcher of matchers) {
      const [first] = matcher.filter(words, word) ?? [];
      if (first !== undefined) return words[first] ?? null;
    }
    return null;
  }

  return (search) => {
    const asked = [...new Set(foldText(search).match(/\S+/gu))];
    const used = asked.map((word) =>
      texts.some((text) => text.includes(word)) ? word : (correct(word) ?? word),
    );
    return {
      isFound: (position) => used.every((word) => texts[position]?.includes(word)),
      corrected: used.join(' ') === asked.join(' ') ? null : used.join(' '),
    };
  };
}
