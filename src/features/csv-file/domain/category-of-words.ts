import { categories, categoryLabel, type Category } from '../../../domain/catalogue/category.ts';
import { search } from '../../../settings/search.ts';

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

/** The category that a product's name speaks of: of its words for one the longest, then the last. Null for none. */
export function categoryInName(name: string): Category | null {
  const text = ` ${singular(name)} `;
  const found = [...named.keys()]
    .filter((word) => word !== '' && text.includes(` ${word} `))
    .sort((a, b) => b.length - a.length || text.lastIndexOf(b) - text.lastIndexOf(a));
  return found[0] === undefined ? null : (named.get(found[0]) ?? null);
}
