import type { Columns } from './catalogue-index.ts';
import { categories } from './product.ts';
import {
  correctWord,
  foldText,
  searchWords,
  vocabularyOf,
  type Vocabulary,
} from './search-text.ts';

/** Which products a search finds. */
export interface SearchResult {
  /** 1 for each position that is found; null when the search is empty, which finds all. */
  found: Uint8Array | null;
  /** The search that was made instead, when a word stands nowhere and another one is a letter away. */
  corrected: string | null;
}

/** Search over the index, and over the descriptions once they are there. */
export interface Search {
  run: (search: string) => SearchResult;
  /** Takes in the descriptions: a text with one a line, in the order of the index. */
  addDescriptions: (text: string) => void;
  /** Whether a search covers the descriptions. */
  readonly complete: boolean;
}

export function openSearch(columns: Columns): Search {
  const labels = categories.map((category) => foldText(category));
  const names = foldText(columns.names.join('\n')).split('\n');
  const texts = names.map(
    (name, position) => `${name}\n${labels[columns.categories[position] ?? 0] ?? ''}`,
  );
  let descriptions: string[] = [];
  let ofNames: Vocabulary | null = null;
  let ofDescriptions: Vocabulary | null = null;
  let complete = false;
  let last: { search: string; result: SearchResult } | null = null;

  const containing = (word: string): Uint8Array => {
    const hits = new Uint8Array(columns.count);
    for (let position = 0; position < columns.count; position += 1) {
      if (
        texts[position]?.includes(word) === true ||
        descriptions[position]?.includes(word) === true
      )
        hits[position] = 1;
    }
    return hits;
  };

  function find(search: string): SearchResult {
    const words = searchWords(search);
    if (words.length === 0) return { found: null, corrected: null };
    let isCorrected = false;
    const used: string[] = [];
    let found: Uint8Array | null = null;
    for (const word of words) {
      let hits = containing(word);
      let meant = word;
      // Not before the descriptions are there: the word may well stand in one.
      if (complete && !hits.includes(1)) {
        // What somebody looks for is a name more often than a description.
        const other =
          correctWord(word, (ofNames ??= vocabularyOf(texts))) ??
          correctWord(word, (ofDescriptions ??= vocabularyOf(descriptions)));
        if (other !== null) [hits, meant, isCorrected] = [containing(other), other, true];
      }
      used.push(meant);
      found = found === null ? hits : found.map((hit, position) => hit & (hits[position] ?? 0));
    }
    return { found, corrected: isCorrected ? used.join(' ') : null };
  }

  return {
    run(search) {
      if (last?.search !== search) last = { search, result: find(search) };
      return last.result;
    },
    addDescriptions(text) {
      descriptions = foldText(text).split('\n');
      [complete, ofDescriptions, last] = [true, null, null];
    },
    get complete() {
      return complete;
    },
  };
}
