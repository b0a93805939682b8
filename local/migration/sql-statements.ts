/** A statement of a schema file that creates something. */
export interface Statement {
  /** Kind and name as in the description of a database. A function has no arguments here: `function public.place_order`. */
  object: string;
  /** Without the comment above it, with the semicolon. */
  text: string;
}

/*
 * What ends at its own delimiter, a semicolon in it included: comments, quoted texts and names, and bodies between $$ or $name$.
 * `e'…'` alone knows backslashes.
 */
const token =
  /--[^\n]*|\/\*[^]*?\*\/|\be'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[^]*?\1|;|[^]/giu;

/** The top-level statements of SQL, each with its semicolon, without the comments before it. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let text = '';
  for (const [part] of sql.matchAll(token)) {
    const isComment = part.startsWith('--') || part.startsWith('/*');
    if (text === '' && (isComment || part.trim() === '')) continue;
    text += part;
    if (part !== ';') continue;
    statements.push(text);
    text = '';
  }
  if (text.trim() !== '') statements.push(text.trimEnd());
  return statements;
}

const unquote = (name: string): string =>
  name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;

/** How each kind of object is created, and its name in the description of a database. */
const creations: readonly (readonly [
  kind: string,
  expression: RegExp,
  nameOf: (name: string, other: string) => string,
])[] = [
  ['function', /^create function ([\w.]+)/iu, (name) => name],
  ['view', /^create view ([\w.]+)/iu, (name) => name],
  [
    'policy',
    /^create policy ("(?:[^"]|"")+"|\w+)\s+on\s+([\w.]+)/iu,
    (name, table) => `${table}: ${unquote(name)}`,
  ],
  [
    'trigger',
    /^create (?:constraint )?trigger (\w+)\s[^]*?\son\s+([\w.]+)/iu,
    (name, table) => `${table}: ${name}`,
  ],
  [
    'index',
    /^create (?:unique )?index (\w+)\s+on\s+(\w+)\./iu,
    (name, schema) => `${schema}.${name}`,
  ],
];

/** The functions, views, policies, triggers and indexes that SQL creates, in its order. */
export const readCreations = (sql: string): Statement[] =>
  splitStatements(sql).flatMap((text) => {
    for (const [kind, expression, nameOf] of creations) {
      const found = expression.exec(text);
      if (found) return [{ object: `${kind} ${nameOf(found[1] ?? '', found[2] ?? '')}`, text }];
    }
    return [];
  });
