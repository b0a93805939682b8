/** A text as it is searched: in lower case, without accents. Lines stay lines: many folded at once are several times faster. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();
}

/** The words of a search, folded, each once. Every one of them must be in a product, in any order. */
export const searchWords = (search: string): string[] => [
  ...new Set(
    foldText(search)
      .split(/\s+/u)
      .filter((word) => word !== ''),
  ),
];

/** How often each word stands in folded texts. */
export type Vocabulary = ReadonlyMap<string, number>;

export function vocabularyOf(foldedTexts: Iterable<string>): Vocabulary {
  const counts = new Map<string, number>();
  for (const text of foldedTexts) {
    for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? [])
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** A shorter word has too many neighbours to guess among. */
const shortestCorrected = 4;

/**
 * The word that was meant by one that stands nowhere: the most frequent one of `vocabulary` with one letter other, more,
 * fewer or changed places; else one that begins so, for a word that is still being typed. Null when there is none.
 */
export function correctWord(word: string, vocabulary: Vocabulary): string | null {
  if (word.length < shortestCorrected) return null;
  let best: string | null = null;
  let bestScore = 0;
  for (const [known, count] of vocabulary) {
    // A whole word goes before any beginning.
    const score = isOneEditAway(word, known)
      ? count + 1e9
      : beginsOneEditAway(word, known)
        ? count
        : 0;
    if (score > bestScore) [best, bestScore] = [known, score];
  }
  return best;
}

const beginsOneEditAway = (word: string, known: string): boolean =>
  known.length > word.length &&
  [-1, 0, 1].some((more) => isOneEditAway(word, known.slice(0, word.length + more)));

/** Whether two words differ by one letter replaced, put in, left out, or by two neighbours that changed places. */
function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  let at = 0;
  while (a[at] === b[at]) at += 1;
  if (a.length < b.length) return a.slice(at) === b.slice(at + 1);
  if (a.length > b.length) return a.slice(at + 1) === b.slice(at);
  if (a.slice(at + 1) === b.slice(at + 1)) return true;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
