import * as v from '../../domain/validate.ts';
import { storedJson } from '../../services/storage/stored-json.ts';
import type { Mapping } from './domain/sources/price-list.ts';

const entriesOf = (value: unknown): [string, unknown][] => Object.entries(Object(value) as object);

const columns = storedJson('local', 'kasavu:import-columns', (value) =>
  Object.fromEntries(entriesOf(value).map(([heading, label]) => [heading, v.string(label)])),
);

/** What these columns of a list were said to be when a file had them before; null when one of them is new. */
export function readMapping(headings: readonly string[]): Mapping | null {
  const known = columns.read() ?? {};
  const named = headings.filter((heading) => heading !== '');
  return named.every((heading) => heading in known)
    ? Object.fromEntries(named.map((heading) => [heading, known[heading] ?? '']))
    : null;
}

export function storeMapping(mapping: Mapping): void {
  columns.write({ ...columns.read(), ...mapping });
}

/** The shop's category for names that other shops have; null for those that are left out. */
export const storedCategories = storedJson('local', 'kasavu:import-categories', (value) =>
  Object.fromEntries(
    entriesOf(value).map(([name, category]): [string, string | null] => [
      name,
      category === null ? null : v.string(category),
    ]),
  ),
);
