import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Feature, findHomes, listSources } from './read-features.ts';

export interface Figures {
  code: number;
  sql: number;
  tests: number;
}

export interface FeatureFacts extends Figures {
  name: string;
  files: string[];
  /** Features whose files it imports, in the order of the page. */
  needs: string[];
  /** Files of other features, tests aside, that import a file of this one. */
  mentions: string[];
}

/** Lists of data, images and fonts cost nobody reading. */
const written = /\.(?:tsx?|astro|css|mjs|js|html|toml|sql)$/u;
const schemaFile = /^supabase\/schemas\/.*\.sql$/u;
const linesOf = (text: string): number => text.replace(/\n$/u, '').split('\n').length;

/** A file's statements, each with the comment above it. A function's body ends at the second `$$`. */
function statementsOf(sql: string): string[] {
  const statements: string[] = [];
  let current = '';
  for (const line of sql.replace(/\n$/u, '').split('\n')) {
    current += `${line}\n`;
    const inBody = current.split('$$').length % 2 === 0;
    if (inBody || !/;\s*$/u.test(line)) continue;
    statements.push(current);
    current = '';
  }
  return current === '' ? statements : [...statements, current];
}

/** The tables and functions that a statement is about: what it creates, else all that it names. */
function subjectsOf(statement: string): string[] {
  const text = statement.replaceAll(/^\s*--.*$/gmu, '');
  const created = /^\s*create (?:or replace )?(?:function|table|view) \w+\.(\w+)/u.exec(text)?.[1];
  if (created !== undefined) return [created];
  return [...text.matchAll(/\b(?:public|private)\.(\w+)/gu)].map(([, name = '']) => name);
}

/** Paths of the project that a file imports. */
function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/(?:\bfrom|\bimport|\bimport\(|@import)\s*['"](\.[^'"]+)['"]/gu)].map(
    ([, path = '']) => join(dirname(file), path).replaceAll('\\', '/'),
  );
}

/** Figures and couplings of each feature, and sentences about files, patterns and names that do not fit. */
export function measureFeatures(
  features: readonly Feature[],
  root = '.',
): { facts: FeatureFacts[]; faults: string[] } {
  const sources = listSources(root);
  const { files, faults } = findHomes(features, sources);
  const homeOf = new Map<string, string>();
  for (const [name, own] of files) for (const file of own) homeOf.set(file, name);
  const facts = new Map<string, FeatureFacts>(
    features.map(({ name }) => [
      name,
      { name, files: files.get(name) ?? [], code: 0, sql: 0, tests: 0, needs: [], mentions: [] },
    ]),
  );
  const ownerOfSubject = new Map<string, string>();
  for (const { name, sql } of features)
    for (const subject of sql) {
      const other = ownerOfSubject.get(subject);
      if (other !== undefined)
        faults.push(`"${name}" and "${other}" both list \`${subject}\` under SQL.`);
      ownerOfSubject.set(subject, name);
    }
  const foundSubjects = new Set<string>();
  for (const [file, home] of homeOf) {
    // Migrations are frozen copies of what the schema files have.
    if (!written.test(file) || file.startsWith('supabase/migrations/')) continue;
    const text = readFileSync(join(root, file), 'utf8');
    if (schemaFile.test(file)) {
      for (const statement of statementsOf(text)) {
        const subject = subjectsOf(statement).find((one) => ownerOfSubject.has(one)) ?? '';
        foundSubjects.add(subject);
        const owner = facts.get(ownerOfSubject.get(subject) ?? home);
        if (owner) owner.sql += linesOf(statement);
      }
      continue;
    }
    const own = facts.get(home);
    if (!own) continue;
    own[file.startsWith('tests/') ? 'tests' : 'code'] += linesOf(text);
    if (file.startsWith('tests/')) continue;
    for (const target of importsOf(file, text)) {
      const other = homeOf.get(target);
      if (other === undefined || other === home) continue;
      if (!own.needs.includes(other)) own.needs.push(other);
      const mentions = facts.get(other)?.mentions;
      if (mentions && !mentions.includes(file)) mentions.push(file);
    }
  }
  for (const [subject, name] of ownerOfSubject)
    if (!foundSubjects.has(subject))
      faults.push(
        `"${name}" lists \`${subject}\` under SQL, and no file of supabase/schemas names it.`,
      );
  const order = features.map(({ name }) => name);
  for (const { needs, mentions } of facts.values()) {
    needs.sort((one, other) => order.indexOf(one) - order.indexOf(other));
    mentions.sort();
  }
  return { facts: [...facts.values()], faults };
}
