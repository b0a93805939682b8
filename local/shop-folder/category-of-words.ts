import type { CategorySettings, WornOn } from '#shop-schema/shop-schema.ts';

/** A category as it was typed: its name, and the name for addresses. */
export interface TypedCategory {
  name: string;
  slug: string;
}

/** Where the measures of a category are drawn, by a word in its name. */
const wornOnByWord: readonly (readonly [RegExp, WornOn])[] = [
  [/anklet|payal/iu, 'ankle'],
  [/toe/iu, 'toe'],
  [/watch/iu, 'watch'],
  [/neck|mala|haar|chain|pendant|choker/iu, 'neck'],
  [/\bear|stud|jhumk|jimikk|nose/iu, 'ear'],
  [/bracelet|bangle|kada|vala|cuff/iu, 'wrist'],
  [/\brings?\b/iu, 'finger'],
];

/** Where a category is worn, as far as its name tells. */
export const wornOnOf = ({ name, slug }: TypedCategory): WornOn | undefined =>
  wornOnByWord.find(([word]) => word.test(`${name} ${slug}`))?.[1];

/** The longest that the settings allow. */
const maxLengths = { name: 32, slug: 30 };

/** 'Schmuck für Ärmel & 2 Ringe' → 'schmuck-fur-armel-2-ringe'. Letters of other scripts are left out. */
function slugOf(name: string): string {
  const words = name
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}|['’]/gu, '');
  const slug = (words.toLowerCase().match(/[a-z0-9]+/gu) ?? []).join('-');
  return slug.length <= maxLengths.slug
    ? slug
    : slug.slice(0, maxLengths.slug + 1).replace(/-[^-]*$/u, '');
}

/**
 * Reads 'Toe Rings', or a name with the one for addresses behind it: 'झुमके = jhumke'. Returns a sentence with the name when it
 * cannot be one.
 */
export function readCategory(typed: string): TypedCategory | string {
  const [name = '', given] = typed.split('=').map((part) => part.trim());
  const told = `"${name}"`;
  if (!/\p{L}/u.test(name)) return `${told} has no letter: give what customers call it`;
  // Joiners belong to the spelling of Indian scripts.
  const [odd] = /(?![\u200C\u200D])[^\p{L}\p{M}\p{N} &'’().+/-]/u.exec(name) ?? [];
  if (odd !== undefined) return `${told} has a "${odd}": use letters, digits, spaces, & and -`;
  // The lower-case form counts, because it is longer in some languages.
  const { length } = name.toLowerCase();
  if (length > maxLengths.name)
    return `${told} has ${String(length)} letters: ${String(maxLengths.name)} at most`;
  const slug = given === undefined ? slugOf(name) : slugOf(given);
  if (!/[a-z]{2}/u.test(slug))
    return `${told} needs a name in Latin letters for its address: type it behind "=", as in झुमके = jhumke`;
  if (slug === 'all' || slug === 'page')
    return `${told} would have the address /shop/${slug}, which the shop itself has: give another name`;
  return { name, slug };
}

/** 'Toe Rings' as a category of the settings. */
export function categoryOf(typed: TypedCategory): CategorySettings {
  const name = typed.name.toLowerCase();
  const wornOn = wornOnOf(typed);
  return {
    slug: typed.slug,
    label: name.charAt(0).toUpperCase() + name.slice(1),
    one: name.replace(/ies$/u, 'y').replace(/(?<=ch|sh|x)es$|(?<=[a-z])s$/u, ''),
    // An unknown word may be a brooch: its number in Google's list is that of all jewellery.
    ...(wornOn === undefined ? { wornOn: 'neck', googleCategory: 188 } : { wornOn }),
  };
}
