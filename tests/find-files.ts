import { globSync } from 'node:fs';

/**
 * The files that match each of these patterns, with `/` between folders, sorted. Throws for a pattern that matches none: a test that
 * looks at no file would pass without a word once files have moved.
 */
export function findFiles(
  patterns: string | readonly string[],
  options: { cwd?: string; exclude?: readonly string[] } = {},
): string[] {
  const found = [patterns].flat().flatMap((pattern) => {
    const files = globSync(pattern, { ...options, exclude: [...(options.exclude ?? [])] });
    if (files.length === 0) throw new Error(`No file matches ${pattern}`);
    return files;
  });
  return [...new Set(found.map((path) => path.replaceAll('\\', '/')))].sort();
}
