import { globSync, readFileSync } from 'node:fs';

/* docs/features.md is the list of features: this file reads it and finds the home of every source file. */

export const featuresPage = 'docs/features.md';

export interface Feature {
  name: string;
  /** Path patterns, as the page writes them. */
  patterns: string[];
  /** Tables and functions of the database, without their schema. */
  sql: string[];
  /** Files of other features that mention this one; null for a feature that the shop cannot be without. */
  mentions: string[] | null;
}

/** The names in backticks of a section's line, `- files: …` for instance; null without that line. */
function namesOf(section: string, line: string): string[] | null {
  const text = new RegExp(`^- ${line}:(.*(?:\\n {2}.*)*)`, 'mu').exec(section)?.[1];
  return text === undefined ? null : [...text.matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name);
}

/** The features of the page, in its order. */
export function readFeatures(page: string): Feature[] {
  return page
    .split(/^### /mu)
    .slice(1)
    .map((section) => ({
      name: section.slice(0, section.indexOf('\n')),
      patterns: namesOf(section, 'files') ?? [],
      sql: namesOf(section, 'SQL') ?? [],
      mentions: namesOf(section, 'mentioned in'),
    }));
}

/** Every source file, with forward slashes. Documentation is none: it describes all features. */
export function listSources(root = '.'): string[] {
  const folders = '{src,netlify,local,supabase,tests,public}/**/*.*';
  return globSync([folders, '*.{ts,mjs,json,toml}', '.env.example', '.ci/run', 'supabase/.*/*'], {
    cwd: root,
    // One shop's own files belong to no feature of the engine.
    exclude: [
      '**/node_modules/**',
      'src/shop/**',
      'tests/second-shop/**',
      'supabase/.temp/**',
      'supabase/.branches/**',
    ],
  })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

/** `a{b,c}d` as `abd` and `acd`. */
function alternatives(pattern: string): string[] {
  const [whole = '', options = ''] = /\{([^{}]*)\}/u.exec(pattern) ?? [];
  if (whole === '') return [pattern];
  return options.split(',').flatMap((option) => alternatives(pattern.replace(whole, option)));
}

/** A folder ends in a slash and holds all below it. `*` stands for part of a name, `**` for any folders. Case is ignored. */
function expressionOf(pattern: string): RegExp {
  const text = pattern
    .replaceAll(/[\\^$.|?+()[\]{}]/gu, String.raw`\$&`)
    .replaceAll('**/', '§')
    .replaceAll('*', '[^/]*')
    .replaceAll('§', '(?:.*/)?');
  return new RegExp(`^${text}${pattern.endsWith('/') ? '' : '$'}`, 'iu');
}

/** The higher, the more specific: a file's pattern before a folder's, then the one with more letters of its own. */
const weightOf = (pattern: string): number =>
  (pattern.endsWith('/') ? 0 : 1000) + pattern.replaceAll('*', '').length;

export interface Homes {
  /** The files of each feature, by its name. */
  files: Map<string, string[]>;
  /** Sentences about files without a home, or with two, and about patterns without a file. */
  faults: string[];
}

/** Gives each file to the feature with the most specific pattern. */
export function findHomes(features: readonly Feature[], files: readonly string[]): Homes {
  const patterns = features
    .flatMap(({ name, patterns: written }) =>
      written.flatMap((whole) =>
        alternatives(whole).map((pattern) => ({
          name,
          pattern,
          whole,
          weight: weightOf(pattern),
          expression: expressionOf(pattern),
        })),
      ),
    )
    .sort((one, other) => other.weight - one.weight);
  const homes = new Map<string, string[]>(features.map(({ name }) => [name, []]));
  const faults: string[] = [];
  for (const file of files) {
    const [first, second] = patterns.filter(({ expression }) => expression.test(file));
    if (first === undefined) {
      faults.push(
        `${file} belongs to no feature. Add it, or its folder, to a "- files:" line of ${featuresPage}.`,
      );
      continue;
    }
    if (second?.weight === first.weight && second.name !== first.name)
      faults.push(
        `${file} belongs to "${first.name}" by \`${first.whole}\` and to "${second.name}" by \`${second.whole}\`. Make one of the two more exact in ${featuresPage}.`,
      );
    homes.get(first.name)?.push(file);
  }
  for (const { name, pattern, expression } of patterns)
    if (!homes.get(name)?.some((file) => expression.test(file)))
      faults.push(
        `No file of "${name}" matches \`${pattern}\`. Remove the pattern from ${featuresPage}, or correct it.`,
      );
  return { files: homes, faults };
}

export const readPage = (root = '.'): string => readFileSync(`${root}/${featuresPage}`, 'utf8');
