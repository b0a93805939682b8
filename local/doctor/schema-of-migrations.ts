import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../stack/settings.ts';

/** What the migrations say that a database is, in the words of SQL `describe_schema`. */
export interface MigratedSchema {
  versions: string[];
  tables: string[];
  /** MD5 of each function's body by its name with its schema. */
  functions: ReadonlyMap<string, string>;
  policies: string[];
  /** 'role privilege table' or 'role privilege table(column)', of the browser roles. */
  grants: string[];
}

const browserRoles = new Set(['anon', 'authenticated']);

/** The grants of one statement to the browser roles, on tables and columns of `public`. */
function grantsOf([, what = '', objects = '', roles = '']: RegExpMatchArray): string[] {
  // `select (a, b)`: of these columns; `select, update`: of the whole table.
  const privileges = [...what.matchAll(/(\w+)\s*(?:\(([^)]*)\))?/gu)].flatMap(
    ([, privilege = '', columns]) =>
      columns === undefined
        ? [[privilege, '']]
        : columns.split(',').map((column) => [privilege, `(${column.trim()})`]),
  );
  const tables = objects.split(',').map((name) => name.trim().replace(/^public\./u, ''));
  return roles
    .split(',')
    .map((role) => role.trim())
    .filter((role) => browserRoles.has(role))
    .flatMap((role) =>
      tables.flatMap((table) =>
        privileges.map(
          ([privilege, column]) => `${role} ${privilege ?? ''} ${table}${column ?? ''}`,
        ),
      ),
    );
}

/** Reads supabase/migrations. A function or policy that a later file makes anew counts as that file has it. */
export async function readMigratedSchema(): Promise<MigratedSchema> {
  const folder = join(projectRoot, 'supabase/migrations');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  // Without comments, which quote names and statements.
  const texts = await Promise.all(files.map(async (name) => readFile(join(folder, name), 'utf8')));
  const bare = texts.map((text) => text.replaceAll(/^\s*--.*$/gmu, '')).join('\n');
  const functions = [
    ...texts
      .join('\n')
      .matchAll(
        /^create (?:or replace )?function ((?:public|private)\.\w+)\([\s\S]*?\nas \$\$([\s\S]*?)\$\$;/gmu,
      ),
  ];
  return {
    versions: files.map((name) => name.slice(0, 14)),
    tables: [...bare.matchAll(/^create table public\.(\w+)/gmu)].map(([, name]) => name ?? ''),
    functions: new Map(
      functions.map(([, name = '', body = '']) => [
        name,
        createHash('md5').update(body).digest('hex'),
      ]),
    ),
    policies: [...bare.matchAll(/^create policy "([^"]+)" on public\.(\w+)/gmu)].map(
      ([, name, table]) => `${table ?? ''}: ${name ?? ''}`,
    ),
    grants: [
      ...bare.matchAll(
        /^grant ((?:select|insert|update|delete)\b[^;]*?) on ((?:public\.\w+(?:,\s*)?)+) to ([^;]+);/gmu,
      ),
    ].flatMap(grantsOf),
  };
}
