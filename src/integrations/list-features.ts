import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AstroIntegration } from 'astro';

/*
 * A feature registers by being there: a file of a place's name in its folder. Pages find such files by `import.meta.glob`;
 * Netlify's bundler has none, so the places of the server are lists, which this writes. They are committed, so that a clone
 * works before its first build.
 */

/** The places of the server by their file's name, with the name of what each file exports. */
const serverPlaces = {
  'admin-routes': 'routes',
} as const;

const camelCase = (name: string): string =>
  name.replace(/-(\w)/gu, (_match, letter: string) => letter.toUpperCase());

/** The list of a place: `netlify/places/letters.ts` has the `letters` of every `netlify/functions/NAME/letters.ts`. */
function listOf(root: string, place: string, exported: string): string {
  const features = globSync(`netlify/functions/*/${place}.ts`, { cwd: root })
    .map((path) => path.split(/[/\\]/u).at(-2) ?? '')
    .sort();
  const names = features.map((feature) => ({ feature, name: camelCase(feature) }));
  return [
    `// Written by src/integrations/list-features.ts from every netlify/functions/*/${place}.ts.`,
    ...names.map(
      ({ feature, name }) =>
        `import { ${exported} as ${name} } from '../functions/${feature}/${place}.ts';`,
    ),
    '',
    `export const ${camelCase(place)} = [`,
    ...names.map(({ name }) => `  ...${name},`),
    '];',
    '',
  ].join('\n');
}

/** Writes the lists that differ from the folders under `root`; returns their paths. */
export function writePlaces(root: string): string[] {
  return Object.entries(serverPlaces).flatMap(([place, exported]) => {
    const path = join(root, 'netlify/places', `${place}.ts`);
    const list = listOf(root, place, exported);
    if (existsSync(path) && readFileSync(path, 'utf8') === list) return [];
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, list);
    return [path];
  });
}

/** Writes the lists before every build, check and start of the site. */
export const listFeatures: AstroIntegration = {
  name: 'list-features',
  hooks: {
    'astro:config:setup': () => {
      writePlaces(process.cwd());
    },
  },
};
