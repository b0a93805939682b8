import UFuzzy from '@leeoniya/ufuzzy';

/** Shorter words have too many similar words to guess from. */
const minCorrectedLength = 4;
/** How many letters may follow a corrected beginning: 'polki' is no 'polished'. */
const maxLettersAfterCorrected = 2;

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

/** Returns the most frequent word with one other letter, or null. Collects the words on the first call. */
export function createCorrection(texts: readonly string[]): (word: string) => string | null {
  const matchers = [createMatcher('whole'), createMatcher('beginning')];
  let words: string[] | null = null;

  function collectWords(): string[] {
    const counts = new Map<string, number>();
    for (const word of texts.join('\n').match(/[a-z\d]+/gu) ?? [])
      counts.set(word, (counts.get(word) ?? 0) + 1);
    return [...counts].sort(([, a], [, b]) => b - a).map(([word]) => word);
  }

  return (word) => {
    if (word.length < minCorrectedLength || !/^[a-z\d]+$/u.test(word)) return null;
    words ??= collectWords();
    for (const matcher of matchers) {
      const found = (matcher.filter(words, word) ?? []).map((index) => words?.[index] ?? '');
      const near = found.find((each) => each.length <= word.length + maxLettersAfterCorrected);
      if (near !== undefined) return near;
    }
    return null;
  };
}
