import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { eachRow } from '#tests/each-row.ts';
import { importedFile } from '#tests/imported-file.ts';

const root = resolve(import.meta.dirname, '../../..');

/** Which folders below `parent` import from which, at this depth: 'a/b' is two deep. */
function foldersImportedBy(parent: string, depth: number): Map<string, Set<string>> {
  const imported = new Map<string, Set<string>>();
  const folderOf = (file: string): string =>
    dirname(file.slice(parent.length + 1))
      .split('/')
      .slice(0, depth)
      .join('/');
  for (const entry of readdirSync(join(root, parent), { recursive: true, encoding: 'utf8' })) {
    const file = `${parent}/${entry.replaceAll('\\', '/')}`;
    if (!/\.(?:ts|tsx|astro)$/u.test(file)) continue;
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, , source = ''] of text.matchAll(/\b(from|import\()\s*'([.#][^']+)'/gu)) {
      const target = importedFile(file, source) ?? '';
      const [from, to] = [folderOf(file), folderOf(target)];
      // A page imports a feature by name, and the feature imports the layers of pages.
      if (!target.startsWith(`${parent}/`) || to.startsWith('features') || from === to) continue;
      imported.set(from, (imported.get(from) ?? new Set()).add(to));
    }
  }
  return imported;
}

/** The folders that import themselves by way of others. */
function circles(imported: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reachedFrom = (folder: string): Set<string> => {
    const reached = new Set<string>(imported.get(folder));
    for (const one of reached) for (const next of imported.get(one) ?? []) reached.add(next);
    return reached;
  };
  return [...imported.keys()].filter((folder) => reachedFrom(folder).has(folder));
}

test('folders import in one direction: what two of them need from each other lies in a third', () =>
  eachRow(
    [
      ['src', 1],
      ['src', 2],
      ['src/islands/admin', 1],
      ['src/islands/admin', 2],
      ['netlify/core', 1],
      ['local', 1],
    ] as const,
    ([parent, depth]) => {
      const imported = foldersImportedBy(parent, depth);
      expect(imported.size).toBeGreaterThan(3);
      expect(circles(imported)).toEqual([]);
    },
  ));
