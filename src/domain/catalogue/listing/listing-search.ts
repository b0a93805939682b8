import type { IndexedProduct, SearchAnswer, SearchFile } from './catalogue-index.ts';
import { categoryLabel } from '#domain/catalogue/category.ts';
import { chargedPrice } from '#domain/catalogue/product.ts';
import { findNearest, type NearestResults, type RankedPart } from './nearest-results.ts';
import { createCorrection } from './search-correction.ts';
import { isInPrice, readPrice } from './search-price.ts';
import { foldText, plainWords } from './search-text.ts';
import { createSearchWords, listedWords, type SearchPart, type SearchRow } from './search-words.ts';

export interface SearchResult {
  /** How well the product at a position matches: 0 is best, null is no match. */
  rankOf: (position: number) => number | null;
  /** The product comes in a size that the search names, but not now. */
  lacksSize: (position: number) => boolean;
  /** The corrected search, when a word was not found but one with a single different letter was. */
  corrected: string | null;
  /** What the shop answers to words that name no product; null without any. */
  answer: SearchAnswer | null;
  /** The products that match most of the search, when none matches all of it. */
  nearest: NearestResults | null;
}

/** Folds many texts as one, which is several times faster. */
const foldTexts = (texts: readonly string[]): string => foldText(texts.join('\0'));
const separate = (texts: string): string[] => texts.split('\0');

/** Where a word was found, best first. Descriptions are not searched for synonyms, because they compare: 'wound like a bangle'. */
const ranks = {
  name: 0,
  nameBeginning: 1,
  nameSynonym: 2,
  fact: 3,
  factSynonym: 4,
  description: 5,
  within: 6,
} as const;

/** The rank of the product at a position, or null. */
type Ranking = (position: number) => number | null;

/** The sum of several ranks; null when one of them is. */
function sumOf(rankings: readonly Ranking[], position: number): number | null {
  let sum = 0;
  for (const rank of rankings) {
    const found = rank(position);
    if (found === null) return null;
    sum += found;
  }
  return sum;
}

/** Matches the words of a typed text: 'ring,gold' has two; '2-4' is one. */
const typedWords = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[-./'’][\p{L}\p{M}\p{N}]+)*/gu;

/** What customers type who look for a lower price. */
const offerWords = /^(?:sales?|offers?|discount(?:s|ed)?|deals?)$/u;

/** '2-4' and '2/4' are how bangle sizes are written by hand. */
const sizeOf = (word: string): string => word.replace(/^(\d)[-/](\d{1,2})$/u, '$1.$2');

/**
 * Search over names, categories, materials, descriptions, sizes and prices, with the shop's own words. A product matches when it has every
 * word, in any order. Where no product does, those that have most of the words are found.
 */
export function createSearch(
  products: readonly IndexedProduct[],
  { texts, words, answers }: SearchFile,
): (search: string) => SearchResult {
  const names = foldTexts(
    products.map(({ name, category }) => `${name}\n${categoryLabel(category)}`),
  );
  const facts = foldTexts(texts.map((text) => text.facts));
  const descriptions = foldTexts(texts.map(({ description }) => description));
  const [nameTexts, factTexts, descriptionTexts] = [
    separate(names),
    separate(facts),
    separate(descriptions),
  ];
  const [nameWords, factWords, descriptionWords] = [
    separate(plainWords(names)),
    separate(plainWords(facts)),
    separate(plainWords(descriptions)),
  ];
  const table = createSearchWords(words);
  // Customers look for names more often than for words of a description.
  const correctName = createCorrection([names]);
  const correctSynonym = createCorrection(table.latinWords);
  const correctText = createCorrection([facts, descriptions]);

  /** Ranks products by one word as it stands in their texts. */
  function rankByWord(word: string, isKnown: boolean): Ranking {
    if (offerWords.test(word))
      return (position) => (products[position]?.offerPrice === null ? null : ranks.name);
    const size = sizeOf(word);
    const plain = plainWords(word);
    const beginning = plain.trimEnd();
    return (position) => {
      const { sizes = [], soldOutSizes = [] } = texts[position] ?? {};
      if (sizes.includes(size) || soldOutSizes.includes(size)) return ranks.name;
      if (beginning !== '') {
        const name = nameWords[position] ?? '';
        if (name.includes(plain)) return ranks.name;
        if (name.includes(beginning)) return ranks.nameBeginning;
        if (factWords[position]?.includes(beginning) === true) return ranks.fact;
        // A word that the shop's table knows is meant whole: a ring is not 'ringed with gold'.
        if (descriptionWords[position]?.includes(isKnown ? plain : beginning) === true)
          return ranks.description;
      }
      const isWithin =
        !isKnown &&
        (nameTexts[position]?.includes(word) === true ||
          factTexts[position]?.includes(word) === true ||
          descriptionTexts[position]?.includes(word) === true ||
          // The first digit of a size.
          sizes.some((each) => each.startsWith(word)));
      return isWithin ? ranks.within : null;
    };
  }

  /** Ranks products by the synonyms of a row. */
  function rankByRow({ targets, within }: SearchRow): Ranking {
    const [inNames, inFacts] = [nameWords, factWords].map((all) => {
      const known = all.join('');
      const some = targets.filter((target) => known.includes(target));
      return (position: number): boolean =>
        some.some((target) => all[position]?.includes(target) === true);
    });
    return (position) => {
      if (within !== undefined && products[position]?.category !== within) return null;
      if (inNames?.(position) === true) return ranks.nameSynonym;
      return inFacts?.(position) === true ? ranks.factSynonym : null;
    };
  }

  function rankByPart({ words, rows }: SearchPart): Ranking {
    const byWord = words.map((word) => rankByWord(word, rows.length > 0));
    const byRow = rows.map(rankByRow);
    return (position) => {
      let best = sumOf(byWord, position);
      // Named so, but of another category than the shop means by the word.
      const category = products[position]?.category;
      if (
        best !== null &&
        rows.length > 0 &&
        rows.every(({ within }) => within !== undefined && within !== category)
      )
        best = Math.max(best, ranks.description);
      for (const rank of byRow) {
        const found = rank(position);
        if (found !== null) best = Math.min(best ?? found, found);
      }
      return best;
    };
  }

  /**
   * A word that the shop knows, and of which it has no product by name or fact, is not found in descriptions either: they compare, as
   * with butterfly clutches.
   */
  function rankByKnownPart(part: SearchPart): Ranking {
    const rank = rankByPart(part);
    if (part.rows.length === 0) return rank;
    const isSold = products.some(
      (_, position) => (rank(position) ?? ranks.description) < ranks.description,
    );
    return isSold ? rank : () => null;
  }

  const isAnywhere = (part: SearchPart): boolean => {
    const rank = rankByKnownPart(part);
    return products.some((_, position) => rank(position) !== null);
  };

  /** The word with one other letter; null where there is none, or where the shop knows the word and has no such product. */
  function correct(word: string): SearchPart | null {
    if (offerWords.test(word)) return null;
    const better = correctName(word) ?? correctSynonym(word) ?? correctText(word);
    if (better === null) return null;
    const part = { words: [better], rows: table.rowsOf(better) };
    return isAnywhere(part) ? part : null;
  }

  /** The parts that are searched for: unknown words are completed from the table, or corrected. */
  function partsOf(typed: readonly string[]): SearchPart[] {
    const split = table.split(typed);
    const parts: SearchPart[] = [];
    for (const [index, part] of split.entries()) {
      const { words, rows } = part;
      if (rows.length > 0 || isAnywhere(part)) {
        parts.push(part);
        continue;
      }
      const rest = split.slice(index).flatMap((later) => later.words);
      const completed = table.beginningWith(rest.join(' '));
      if (completed.length > 0) return [...parts, { words: rest, rows: completed }];
      parts.push(correct(words[0] ?? '') ?? part);
    }
    return parts;
  }

  /** A word that only a text has in passing makes nothing near to what was searched for. */
  const withoutText = ({ typed, rankOf }: RankedPart): RankedPart => ({
    typed,
    rankOf: (position) => {
      const rank = rankOf(position);
      return rank === null || rank >= ranks.description ? null : rank;
    },
  });
  const phrases = answers
    .flatMap((answer) => listedWords(answer.words).map((phrase) => ({ answer, phrase })))
    .sort((a, b) => b.phrase.length - a.phrase.length);
  /** Takes the words out of a search that the shop answers with a sentence: the longest phrase counts. */
  function takeAnswer(folded: string): { answer: SearchAnswer | null; rest: string } {
    const plain = plainWords(folded);
    const found = phrases.find(({ phrase }) => plain.includes(phrase));
    return found === undefined
      ? { answer: null, rest: folded }
      : { answer: found.answer, rest: plain.replace(found.phrase, ' ').trim() };
  }

  return (search) => {
    const { answer, rest: unanswered } = takeAnswer(foldText(search));
    const { price, rest } = readPrice(unanswered);
    const typed = [...new Set(rest.match(typedWords) ?? rest.match(/\S+/gu))];
    const parts = partsOf(typed);
    const used = parts.flatMap(({ words }) => words);
    const asked = table.split(typed).flatMap(({ words }) => words);
    const ranked: RankedPart[] = parts.map((part) => ({
      typed: part.words.join(' '),
      rankOf: rankByKnownPart(part),
    }));
    if (price)
      ranked.push({
        typed: price.typed,
        rankOf: (position) => {
          const product = products[position];
          return product && isInPrice(chargedPrice(product), price) ? ranks.name : null;
        },
      });
    const byPart = ranked.map(({ rankOf }) => rankOf);
    const rankList = products.map((_, position) => sumOf(byPart, position));
    const nearest = rankList.every((rank) => rank === null)
      ? findNearest(ranked.map(withoutText), products.length)
      : null;
    return {
      answer,
      nearest,
      rankOf: (position) => (nearest?.ranks ?? rankList)[position] ?? null,
      lacksSize: (position) =>
        used.some((word) => texts[position]?.soldOutSizes.includes(sizeOf(word))),
      corrected: used.join(' ') === asked.join(' ') ? null : used.join(' '),
    };
  };
}
