import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { featuresOff } from '#settings/features.ts';

/*
 * A place that several features use has a file of its name in the folder of each. Pages find such files by `import.meta.glob`;
 * Netlify's bundler has none, so the places of the server are lists, which this writes. They are committed, so that a clone
 * works before its first build.
 */

/** A place of the server: each feature's file exports one entry, which is one of `type`. */
interface ServerPlace {
  /** The name of a feature's file, and of the list. */
  file: string;
  list: string;
  /** The name that each file exports; with '...' before it, it is a list of entries. */
  exported: string;
  type: string;
  from: string;
}

const serverPlaces: readonly ServerPlace[] = [
  {
    file: 'admin-routes',
    list: 'adminRoutes',
    exported: '...routes',
    type: 'AdminRoute',
    from: 'auth/admin-routes.ts',
  },
  {
    file: 'sweep-step',
    list: 'sweepSteps',
    exported: 'step',
    type: 'SweepStep',
    from: 'scheduled/sweep-step.ts',
  },
  {
    file: 'letters',
    list: 'letters',
    exported: 'letters',
    type: 'LetterKinds',
    from: 'mail/letter-kinds.ts',
  },
];

const camelCase = (name: string): string =>
  name.replace(/-(\w)/gu, (_match, letter: string) => letter.toUpperCase());

/** Formats a list as Prettier would: in one line of at most 100 characters, or an entry a line. */
function listed(start: string, entries: readonly string[]): string[] {
  const line = `${start}${entries.join(', ')}];`;
  return line.length <= 100 ? [line] : [start, ...entries.map((entry) => `  ${entry},`), '];'];
}

/** The text of a place's list, with the entry of every `netlify/features/NAME/` that has the file. */
function listOf(root: string, { file, list, exported, type, from }: ServerPlace): string {
  const features = globSync(`netlify/features/*/${file}.ts`, { cwd: root })
    .map((path) => path.split(/[/\\]/u).at(-2) ?? '')
    .sort();
  const name = exported.replace('...', '');
  const entries = features.map((feature) => exported.replace(name, camelCase(feature)));
  return [
    `// Written by src/integrations/list-features.ts from every netlify/features/*/${file}.ts.`,
    ...features.map(
      (feature) =>
        `import { ${name} as ${camelCase(feature)} } from '#netlify/features/${feature}/${file}.ts';`,
    ),
    `import type { ${type} } from '#core/${from}';`,
    '',
    ...listed(`export const ${list}: readonly ${type}[] = [`, entries),
    '',
  ].join('\n');
}

/** Writes the lists that differ from the folders under `root`. */
export function writePlaces(root: string): void {
  const folder = join(root, 'netlify/places');
  mkdirSync(folder, { recursive: true });
  for (const place of serverPlaces) {
    const path = join(folder, `${place.file}.ts`);
    const text = listOf(root, place);
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  }
}

/** The address of a page by its file: 'stock-alert/confirm' of `src/features/stock-alerts/pages/stock-alert/confirm.astro`. */
const patternOf = (path: string): string =>
  path
    .replaceAll('\\', '/')
    .replace(/^src\/features\/[^/]+\/pages/u, '')
    .replace(/\.(?:astro|ts)$/u, '');

/** Writes the lists before every build and check of the site, and adds the pages of the features that are on. */
export const listFeatures: AstroIntegration = {
  name: 'list-features',
  hooks: {
    'astro:config:setup': ({ config, injectRoute }) => {
      const root = fileURLToPath(config.root);
      writePlaces(root);
      const off = featuresOff.map((name) => `src/features/${name}/**`);
      for (const path of globSync('src/features/*/pages/**/*.{astro,ts}', {
        cwd: root,
        exclude: off,
      }))
        injectRoute({ pattern: patternOf(path), entrypoint: new URL(path, config.root) });
    },
  },
};
