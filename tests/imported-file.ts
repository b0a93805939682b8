import { dirname, join, posix } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };

const names = Object.entries(packageJson.imports)
  .map(([name, folder]) => [name.slice(0, -1), posix.normalize(folder.slice(0, -1))] as const)
  .sort(([one], [other]) => other.length - one.length);

/** The path, from the root of the project, of what `file` imports as `source`; null for a package. Both paths are from the root, with `/`. */
export function importedFile(file: string, source: string): string | null {
  if (source.startsWith('.')) return join(dirname(file), source).replaceAll('\\', '/');
  const [name, folder] = names.find(([start]) => source.startsWith(start)) ?? [];
  return name === undefined || folder === undefined ? null : folder + source.slice(name.length);
}
