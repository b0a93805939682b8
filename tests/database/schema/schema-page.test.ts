import { afterAll, expect, test } from 'vitest';
import { readSchemas } from '../support/database.ts';
import { createDatabaseOf } from '../support/postgres.ts';

/* docs/schema.md is written from supabase/schemas: `npm run schema` updates it. */
const files = await readSchemas();
const postgres = await createDatabaseOf(files);
afterAll(postgres.close);

const introduction = `# The database

Generated from [supabase/schemas](../supabase/schemas/README.md) by \`npm run schema\`; \`npm test\` compares. Do not edit it by hand.

Row level security is on for every table. What browsers may do is listed below; everything else is reached by the Netlify
functions with the service key. Outcomes and errors of a function stand above it in its file. The lock order is at the top of
[orders.sql](../supabase/schemas/orders.sql), the states of an order are in [order-states.md](order-states.md).
`;

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

const readColumns = (): Promise<Column[]> =>
  postgres.query<Column>(
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

const readRelations = (): Promise<Relation[]> =>
  postgres.query<Relation>(
    `select child.relname as child, replace(k.confrelid::regclass::text, '.', '_') as parent,
       (select string_agg(a.attname, ', ' order by a.attnum) from pg_attribute a where a.attrelid = child.oid and a.attnum = any (k.conkey)) as columns,
       (select bool_or(not a.attnotnull) from pg_attribute a where a.attrelid = child.oid and a.attnum = any (k.conkey)) as optional,
       exists (select 1 from pg_index i where i.indrelid = child.oid and i.indisunique and i.indnatts = cardinality(k.conkey)
         and i.indkey::int2[] <@ k.conkey and k.conkey <@ i.indkey::int2[]) as single
     from pg_constraint k join pg_class child on child.oid = k.conrelid
     where k.contype = 'f' and child.relnamespace = 'public'::regnamespace order by 1, 2, 3`,
  );

/** The rights of the Data API's roles without the service key, one line a table. */
const readBrowserAccess = (): Promise<{ line: string }[]> =>
  postgres.query<{ line: string }>(
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
function describeFiles(): string {
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
    return `### ${name}\n\n[supabase/schemas/${name}](../supabase/schemas/${name}): ${subject}\n${list}`;
  });
  return sections.join('\n');
}

test('docs/schema.md describes the database that supabase/schemas makes', async () => {
  const columns = await readColumns();
  const entities = [...new Set(columns.map(({ table }) => table))].map((table) => {
    const lines = columns
      .filter((column) => column.table === table)
      .map(({ name, type, keys, nullable }) =>
        [`    ${type}`, name, keys, nullable ? '"or null"' : null].filter(Boolean).join(' '),
      );
    return `  ${table} {\n${lines.join('\n')}\n  }`;
  });
  const relations = (await readRelations()).map(
    ({ child, parent, columns, optional, single }) =>
      `  ${parent} ${optional ? '|o' : '||'}--${single ? 'o|' : 'o{'} ${child} : "${columns}"`,
  );
  const access = (await readBrowserAccess()).map(({ line }) => line);
  const page = [
    introduction,
    '## What browsers may do\n',
    `Row level security narrows each line to the rows that its policy allows.\n\n| table | role | privileges |\n|---|---|---|\n${access.join('\n')}\n`,
    '## Tables\n',
    `\`\`\`mermaid\nerDiagram\n${relations.join('\n')}\n\n${entities.join('\n')}\n\`\`\`\n`,
    '## Files, in the order in which they run\n',
    'Functions in `public` are called by the Netlify functions, those in `private` by other functions, triggers and policies.\n',
    describeFiles(),
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../../docs/schema.md');
});
