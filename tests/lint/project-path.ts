import { relative, resolve, sep } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** A file's path in the project with forward slashes, e.g. `src/domain/cart/cart.ts`. Starts with `..` outside of it. */
export function projectPath(file: string): string {
  return relative(root, file).split(sep).join('/');
}

/** Where the file at a project path is on this machine. */
export function absolutePath(path: string): string {
  return resolve(root, path);
}

/** The project file that an import in `importer` (a project path) means; null for a package. */
export function importedPath(importer: string, source: string): string | null {
  const file = source.replace(/[?#].*$/u, '');
  if (file.startsWith('/')) return file.slice(1);
  if (!file.startsWith('.')) return null;
  return projectPath(resolve(root, importer, '..', file));
}

const folders = [
  'src/domain',
  'src/services',
  'src/stores',
  'src/elements',
  'src/islands',
  'src/components',
  'src/layouts',
  'src/integrations',
  'src/pages',
  'src/styles',
  'netlify/server',
  'netlify/functions',
  'netlify/edge-functions',
  'local',
  'tests',
] as const;
const files = ['tailwind.config.mjs', 'src/shop.config.ts'] as const;

/** A floor of the building, by its folder or file. */
export type Floor = (typeof folders)[number] | (typeof files)[number];

/** The floor of a project path: 'none' in `src` or `netlify` outside of every floor, 'root' elsewhere. */
export function floorOf(path: string): Floor | 'none' | 'root' {
  // The facts of the shop and its version are on one floor.
  if (path === 'src/seller.config.ts' || path === 'package.json') return 'src/shop.config.ts';
  const floor =
    files.find((file) => file === path) ?? folders.find((folder) => path.startsWith(`${folder}/`));
  if (floor !== undefined) return floor;
  return /^(?:src|netlify)\/.*\.(?:astro|[cm]?[jt]sx?)$/u.test(path) && !path.endsWith('.d.ts')
    ? 'none'
    : 'root';
}
