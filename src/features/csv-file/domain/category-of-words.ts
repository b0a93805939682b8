import { categories, categoryLabel, type Category } from '#domain/catalogue/category.ts';
import { search } from '#settings/search.ts';

/** 'Toe Rings' → 'toe ring': small letters, each word in the singular. */
const singular = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
    .map((word) => word.replace(/(?<=[a-z]{2})s$/u, ''))
    .join(' ');

/** What categories are called: their names, and the words of customers that mean one alone. */
const named = new Map<string, Category>([
  ...search.synonyms.flatMap(({ words, within }) =>
    within === undefined
      ? []
      : words.split(',').map((word): [string, Category] => [singular(word), within]),
  ),
  ...categories.flatMap((slug): [string, Category][] => [
    [singular(slug), slug],
    [singular(categoryLabel(slug)), slug],
  ]),
]);

/** The category of the shop that a name means, in the singular or plural, or in customers' words; null for none. */
export const categoryNamed = (name: string): Category | null => named.get(singular(name)) ?? null;

/** The category that a product's name may mean. */
export interface GuessedCategory {
  category: Category;
  /** The category's word with the one before it: a "toe ring" may be no ring. */
  words: string;
}

/** The category that a product's name speaks of: of its words for one the longest, then the last. Null for none. */
export function categoryInName(name: string): GuessedCategory | null {
  const text = ` ${singular(name)} `;
  const [word] = [...named.keys()]
    .filter((one) => one !== '' && text.includes(` ${one} `))
    .sort((a, b) => b.length - a.length || text.lastIndexOf(b) - text.lastIndexOf(a));
  const category = word === undefined ? undefined : named.get(word);
  if (word === undefined || category === undefined) return null;
  const before =
    text
      .slice(0, text.lastIndexOf(` ${word} `))
      .trim()
      .split(' ')
      .at(-1) ?? '';
  return { category, words: before === '' ? word : `${before} ${word}` };
}
