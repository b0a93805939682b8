import * as v from '#domain/validate.ts';
import { storedJson } from '#services/storage/stored-json.ts';
import type { Mapping } from './domain/sources/guess-columns.ts';

const entriesOf = (value: unknown): [string, unknown][] => Object.entries(Object(value) as object);
const texts = (value: unknown): Record<string, string> =>
  Object.fromEntries(entriesOf(value).map(([heading, label]) => [heading, v.string(label)]));

/*
 * Choices are stored by a heading or a name of a file, which may be any text ("constructor", "__proto__"): so they are looked up in
 * maps, and never as a property.
 */

const columns = storedJson('local', 'kasavu:import-columns', texts);
/** What a confirmed column of prices is, by heading. */
const prices = storedJson('local', 'kasavu:import-prices', texts);
const categories = storedJson('local', 'kasavu:import-categories', (value) =>
  Object.fromEntries(
    entriesOf(value).map(([name, category]): [string, string | null] => [
      name,
      category === null ? null : v.string(category),
    ]),
  ),
);

const mapOf = <Value>(stored: Readonly<Record<string, Value>> | null): Map<string, Value> =>
  new Map(Object.entries(stored ?? {}));
const joined = <Value>(
  stored: Readonly<Record<string, Value>> | null,
  entries: Iterable<readonly [string, Value]>,
): Record<string, Value> => Object.fromEntries([...mapOf(stored), ...entries]);
const without = <Value>(
  stored: Readonly<Record<string, Value>> | null,
  names: readonly string[],
): Record<string, Value> =>
  Object.fromEntries([...mapOf(stored)].filter(([name]) => !names.includes(name)));

/** What these columns of a list were said to be when a file had them before; null when one of them is new. */
export function readMapping(headings: readonly string[]): Mapping | null {
  const known = mapOf(columns.read());
  const named = headings.filter((heading) => heading !== '');
  return named.every((heading) => known.has(heading))
    ? Object.fromEntries(named.map((heading) => [heading, known.get(heading) ?? '']))
    : null;
}

export function storeMapping(mapping: Mapping): void {
  columns.write(joined(columns.read(), Object.entries(mapping)));
}

/** Whether the admin has confirmed these columns of prices, in a file before. */
export function arePricesConfirmed(mapped: ReadonlyMap<string, string>): boolean {
  const known = mapOf(prices.read());
  return mapped.size > 0 && [...mapped].every(([heading, field]) => known.get(heading) === field);
}

export function storePrices(mapped: ReadonlyMap<string, string>): void {
  prices.write(joined(prices.read(), mapped));
}

/** The shop's category for names that other shops have; null for those that are left out. */
export const readCategories = (): ReadonlyMap<string, string | null> => mapOf(categories.read());

export function storeCategories(chosen: ReadonlyMap<string, string | null>): void {
  categories.write(joined(categories.read(), chosen));
}

/** Takes back what was said of these headings and names of categories. */
export function forgetChoices(headings: readonly string[], names: readonly string[]): void {
  columns.write(without(columns.read(), headings));
  prices.write(without(prices.read(), headings));
  categories.write(without(categories.read(), names));
}
