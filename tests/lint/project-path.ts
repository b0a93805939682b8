import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** A file's path in the project with forward slashes, e.g. `src/domain/cart/cart.ts`. Starts with `..` outside of it. */
export function projectPath(file: string): string {
  return relative(root, file).split(sep).join('/');
}

/** Where the file at a project path is on this machine. */
function absolutePath(path: string): string {
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
  'src/shop-schema',
  'src/shop',
  'src/settings',
  'src/domain',
  'src/services',
  'src/stores',
  'src/elements',
  'src/islands',
  'src/components',
  'src/layouts',
  'src/integrations',
  'src/features',
  'src/pages',
  'src/styles',
  'netlify/core',
  'netlify/places',
  'netlify/features',
  'netlify/functions',
  'netlify/edge-functions',
  'local',
  'tests',
] as const;
const files = ['tailwind.config.mjs'] as const;

/** A layer of the source, by its folder or file. */
export type Layer = (typeof folders)[number] | (typeof files)[number];

/** The layer of a project path: 'none' in `src` or `netlify` outside of every layer, 'root' elsewhere. */
export function layerOf(path: string): Layer | 'none' | 'root' {
  // A feature's rules are rules, and its unit tests are tests.
  if (/^src\/features\/.*\.test\.ts$/u.test(path)) return 'tests';
  if (/^src\/features\/[^/]+\/domain\//u.test(path)) return 'src/domain';
  // The shop's settings and the engine's version are one layer.
  if (path === 'package.json') return 'src/settings';
  // Astro has a place for it, and no other file imports it.
  if (path === 'src/content.config.ts') return 'src/pages';
  const layer =
    files.find((file) => file === path) ?? folders.find((folder) => path.startsWith(`${folder}/`));
  if (layer !== undefined) return layer;
  return /^(?:src|netlify)\/.*\.(?:astro|[cm]?[jt]sx?)$/u.test(path) && !path.endsWith('.d.ts')
    ? 'none'
    : 'root';
}

/**
 * The feature that a project path belongs to, 'wishlist' of `src/features/wishlist/wishlist.css`; null for the core.
 */
export function featureOf(path: string): string | null {
  const name = /^(?:src\/features|netlify\/features|tests\/features)\/([^/]+)\//u.exec(path)?.[1];
  if (name !== undefined) return name;
  // Most folders of local are the core's.
  const part = /^local\/([^/]+)\//u.exec(path)?.[1];
  return part !== undefined && existsSync(absolutePath(`src/features/${part}`)) ? part : null;
}
