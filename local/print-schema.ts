/*
 * `npm run schema`: prints the tables, what browsers may do with them, and every SQL function with its file and first sentence, as
 * Markdown.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { say } from './shared/log.ts';
import { createPgliteDatabase } from './shared/pglite-database.ts';
import { projectRoot } from './shared/settings.ts';
import { readMigrations } from './shared/sql-files.ts';

type Query = <Row>(sql: string) => Promise<Row[]>;

interface Column {
  table: string;
  name: string;
  type: string;
  keys: string | null;
  nullable: boolean;
}
interface Relation {
  child: string;
  parent: string;
  columns: string;
  optional: boolean;
  single: boolean;
}

const readColumns = (query: Query): Promise<Column[]> =>
  query<Column>(
    `select c.relname as "table", a.attname as name, not a.attnotnull as nullable,
       case t.typname when 'int4' then 'integer' when 'int8' then 'bigint' when 'int2' then 'smallint' when 'bool' then 'boolean'
         else regexp_replace(t.typname, '^_(.*)$', '\\1[]') end as type,
       (select string_agg(distinct case k.contype when 'p' then 'PK' when 'f' then 'FK' else 'UK' end, ', ')
        from pg_constraint k
        where k.conrelid = c.oid and a.attnum = any (k.conkey)
          and (k.contype in ('p', 'f') or k.contype = 'u' and cardinality(k.conkey) = 1)) as keys
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     join pg_type t on t.oid = a.atttypid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
     order by c.relname, a.attnum`,
  );

const readRelations = (query: Query): Promise<Relation[]> =>
  query<Relation>(
    `select child.relname as child, replace(k.confrelid::regclass::text, '.', '_') as parent,
       (select string_agg(a.attname, ', ' order by a.attnum) from pg_attribute a where a.attrelid = child.oid and a.attnum = any (k.conkey)) as columns,
       (select bool_or(not a.attnotnull) from pg_attribute a where a.attrelid = child.oid and a.attnum = any (k.conkey)) as optional,
       exists (select 1 from pg_index i where i.indrelid = child.oid and i.indisunique and i.indnatts = cardinality(k.conkey)
         and i.indkey::int2[] <@ k.conkey and k.conkey <@ i.indkey::int2[]) as single
     from pg_constraint k join pg_class child on child.oid = k.conrelid
     where k.contype = 'f' and child.relnamespace = 'public'::regnamespace order by 1, 2, 3`,
  );

/** The rights of the Data API's roles without the service key, one line a table. */
const readBrowserAccess = (query: Query): Promise<{ line: string }[]> =>
  query<{ line: string }>(
    `select '| \`' || table_name || '\` | ' || grantee || ' | ' || string_agg(distinct lower(privilege_type), ', ' order by lower(privilege_type)) || ' |' as line
     from (select table_schema, table_name, grantee, privilege_type from information_schema.column_privileges
       union select table_schema, table_name, grantee, privilege_type from information_schema.table_privileges) p
     where table_schema = 'public' and grantee in ('anon', 'authenticated')
     group by table_name, grantee order by table_name, grantee`,
  );

/** The text of a comment, up to its first list. */
const wordsOf = (comment: string): string =>
  comment
    .replace(/:\n-- {3,}[^]*/u, '.')
    .replaceAll(/^-- ?/gmu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();

const firstSentence = (text: string): string =>
  /^.*?[.](?= (?:[A-Z'`(]|[a-z]+_|[a-z]+:)|$)/u.exec(text)?.[0] ?? text;

/** Each file with what its first comment says, its tables and its functions, private ones included. */
function describeFiles(files: readonly { name: string; sql: string }[]): string {
  const sections = files.map(({ name, sql }) => {
    const [header = ''] = /^(?:--.*\n)+/u.exec(sql) ?? [];
    const found = [
      ...sql.matchAll(/((?:^--.*\n)*)^create (table|view|function) (\w+\.\w+)/gmu),
    ].map(([, comment = '', kind = '', object = '']) => ({ kind, object, comment }));
    const lines = found.map(({ kind, object, comment }) => {
      const words = firstSentence(wordsOf(comment));
      const label = kind === 'function' ? `\`${object}\`` : `${kind} \`${object}\``;
      return `- ${label}${words === '' ? '' : `: ${words}`}`;
    });
    const subject = wordsOf(header.split('\n--\n')[0] ?? '');
    const list = lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
    return `### supabase/schemas/${name}\n\n${subject}\n${list}`;
  });
  return sections.join('\n');
}

const folder = join(projectRoot, 'supabase/schemas');
const names = (await readdir(folder, { recursive: true }))
  .filter((name) => name.endsWith('.sql'))
  .sort();
const files = await Promise.all(
  names.map(async (name) => ({ name, sql: await readFile(join(folder, name), 'utf8') })),
);
const database = await createPgliteDatabase(await readMigrations());
try {
  const { query } = database;
  const columns = await readColumns(query);
  const entities = [...new Set(columns.map(({ table }) => table))].map((table) => {
    const lines = columns
      .filter((column) => column.table === table)
      .map(({ name, type, keys, nullable }) =>
        [`    ${type}`, name, keys, nullable ? '"or null"' : null].filter(Boolean).join(' '),
      );
    return `  ${table} {\n${lines.join('\n')}\n  }`;
  });
  const relations = (await readRelations(query)).map(
    ({ child, parent, columns, optional, single }) =>
      `  ${parent} ${optional ? '|o' : '||'}--${single ? 'o|' : 'o{'} ${child} : "${columns}"`,
  );
  const access = (await readBrowserAccess(query)).map(({ line }) => line);
  say(
    [
      '# The database\n',
      '## What browsers may do\n',
      `Row level security narrows each line to the rows that its policy allows.\n\n| table | role | privileges |\n|---|---|---|\n${access.join('\n')}\n`,
      '## Tables\n',
      `\`\`\`mermaid\nerDiagram\n${relations.join('\n')}\n\n${entities.join('\n')}\n\`\`\`\n`,
      '## Files\n',
      'Functions in `public` are called by the Netlify functions, those in `private` by other functions, triggers and policies.\n',
      describeFiles(files),
    ].join('\n'),
  );
} finally {
  await database.close();
}
