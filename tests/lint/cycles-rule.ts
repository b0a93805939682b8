import { readFileSync, statSync } from 'node:fs';
import type { CreateRule } from '@oxlint/plugins';
import { eachImport } from './each-import.ts';
import { absolutePath, importedPath, projectPath } from './project-path.ts';

const known = new Map<string, { changed: number; imports: readonly string[] }>();

/** The project files that the file at this project path imports; none for a file that is not there, or no script. */
function importsOf(path: string): readonly string[] {
  const file = absolutePath(path);
  const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (changed === undefined || !/\.(?:astro|[cm]?[jt]sx?)$/u.test(path)) return [];
  const kept = known.get(path);
  if (kept?.changed === changed) return kept.imports;
  const sources = readFileSync(file, 'utf8').matchAll(
    /\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/gu,
  );
  const imports = [...sources]
    .map(([, , source]) => importedPath(path, source ?? ''))
    .filter((target) => target !== null);
  known.set(path, { changed, imports });
  return imports;
}

/** The shortest way by imports from one project path to another, both named; null when there is none. */
function wayBetween(from: string, to: string): string[] | null {
  const ways = new Map([[from, [from]]]);
  for (const [path, way] of ways) {
    if (path === to) return way;
    for (const next of importsOf(path)) if (!ways.has(next)) ways.set(next, [...way, next]);
  }
  return null;
}

/** No file imports itself by way of others, not even for a type: each can be read, tested and moved without them. */
export const cyclesRule: CreateRule = {
  meta: {
    type: 'problem',
    messages: { cycle: 'Import cycle: {{way}}. Move what both need into a file of its own.' },
    schema: [],
  },
  create(context) {
    const importer = projectPath(context.filename);
    return eachImport((node, source) => {
      const target = importedPath(importer, source);
      const way = target === null ? null : wayBetween(target, importer);
      if (way !== null)
        context.report({ node, messageId: 'cycle', data: { way: [importer, ...way].join(' → ') } });
    });
  },
};
