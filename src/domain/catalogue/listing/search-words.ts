import type { SearchSettings } from '#shop-schema/search-schema.ts';
import { foldText, plainWords } from './search-text.ts';

/** A row of the shop's table of words, as the search compares it. */
export interface SearchRow {
  /** Plain words: what the row's words find. */
  targets: readonly string[];
  /** The slug of the only category that they find. */
  within: string | undefined;
}

/** A part of a search: words that belong together, with the rows of the table that have them. */
export interface SearchPart {
  words: readonly string[];
  rows: readonly SearchRow[];
}

export interface SearchWords {
  /** The parts of a search, without the words that say nothing about a product. */
  split: (typed: readonly string[]) => SearchPart[];
  /** The rows with a word or phrase that begins with this one, which customers are still typing. */
  beginningWith: (phrase: string) => SearchRow[];
  /** The rows of a word or phrase. */
  rowsOf: (phrase: string) => readonly SearchRow[];
  /** The single words in Latin letters, which the search corrects to. */
  latinWords: readonly string[];
}

/** Beginnings shorter than this are those of too many words. */
const minBeginning = 3;

/** The words of a list with commas between, as the search compares them; none of a list that is left out. */
export const listedWords = (list: string | undefined): string[] =>
  list?.split(',').map((word) => plainWords(foldText(word))) ?? [];

/** Reads the shop's table of synonyms and ignored words. */
export function createSearchWords({ synonyms, ignored }: SearchSettings): SearchWords {
  const rowsByPhrase = new Map<string, SearchRow[]>();
  const latinWords: string[] = [];
  for (const { words, finds, within } of synonyms) {
    const plain = listedWords(words);
    const row = { targets: [...plain, ...listedWords(finds)], within };
    for (const phrase of plain) {
      rowsByPhrase.set(phrase, [...(rowsByPhrase.get(phrase) ?? []), row]);
      if (/^ [a-z\d]+ $/u.test(phrase)) latinWords.push(phrase.trim());
    }
  }
  const ignoredPhrases = new Set(listedWords(ignored));
  const phrases = [...rowsByPhrase.keys()];
  const maxWords = Math.max(
    1,
    ...[...phrases, ...ignoredPhrases].map((phrase) => phrase.trim().split(' ').length),
  );

  const rowsOf: SearchWords['rowsOf'] = (phrase) => rowsByPhrase.get(plainWords(phrase)) ?? [];
  const beginningWith: SearchWords['beginningWith'] = (phrase) => {
    const start = plainWords(phrase).trimEnd();
    return start.length <= minBeginning
      ? []
      : phrases
          .filter((known) => known.startsWith(start))
          .flatMap((known) => rowsByPhrase.get(known) ?? []);
  };

  return {
    rowsOf,
    beginningWith,
    latinWords,
    split: (typed) => {
      const parts: SearchPart[] = [];
      for (let start = 0; start < typed.length;) {
        // The longest phrase wins, so that a nose ring is no ring.
        let length = Math.min(maxWords, typed.length - start);
        let rows: readonly SearchRow[] = [];
        let isIgnored = false;
        for (; length > 0; length -= 1) {
          const phrase = typed.slice(start, start + length).join(' ');
          rows = rowsOf(phrase);
          isIgnored = rows.length === 0 && ignoredPhrases.has(plainWords(phrase));
          if (rows.length > 0 || isIgnored) break;
        }
        length = Math.max(1, length);
        if (!isIgnored) parts.push({ words: typed.slice(start, start + length), rows });
        start += length;
      }
      return parts;
    },
  };
}
