import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/* docs/provider-facts.md: a fact without a source or a day cannot be read again. */
const page = readFileSync('docs/provider-facts.md', 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| fact |'))
  .map((line) =>
    line
      .split(/(?<!\\)\|/u)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
/** Names in square brackets that are no link yet: their addresses stand at the end of the page. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/\[([^\]]+)\](?!\()/gu)].map(([, name = '']) => name);
const addresses = new Map(
  [...page.matchAll(/^\[(.+)\]: (https:\/\/\S+)$/gmu)].map(([, name = '', url = '']) => [
    name,
    url,
  ]),
);

test('every fact has its source, the day on which it was read and a place that uses it', () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(
    rows.filter(
      ([fact, source, read, place, ...more]) =>
        !fact ||
        !source ||
        !/^\d{1,2} [A-Z][a-z]{2} 20\d\d$/u.test(read ?? '') ||
        !/`[^`]+`|\]\(/u.test(place ?? '') ||
        more.length > 0,
    ),
  ).toEqual([]);
});

test('every source has its address, and no address is left over', () => {
  const named = new Set(rows.flatMap(([, source = '']) => namesIn(source)));
  expect([...named].sort()).toEqual([...addresses.keys()].sort());
});
