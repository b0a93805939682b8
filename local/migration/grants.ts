import type { Description } from '#local/shared/describe-database.ts';

const parseRights = (text = ''): string[] =>
  text.split('\n').filter((line) => / may (?!use it$)/u.test(line));

/** A name as SQL takes it: in quotes where it has more than small letters, digits and underscores. */
export const quoteName = (name: string): string =>
  /^[a-z_][a-z\d_]*$/u.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

/** Table and column of `public.orders.id`. */
export function splitColumn(name: string): { table: string; column: string } {
  const [schema = '', table = '', ...column] = name.split('.');
  return { table: `${schema}.${table}`, column: column.join('.') };
}

interface Right {
  verb: 'grant' | 'revoke';
  /** Such as `table public.orders`. */
  object: string;
  column: string | null;
  role: string;
  privilege: string;
  grantable: boolean;
}

function readRight(verb: Right['verb'], object: string, line: string): Right {
  const [, role = '', privilege = '', option] =
    /^(.*) may (\w+)( and grant it)?$/u.exec(line) ?? [];
  const [, kind = '', name = ''] = /^rights (\w+) (.*)$/u.exec(object) ?? [];
  const { table, column } = splitColumn(name);
  return {
    verb,
    object: kind === 'column' ? `table ${table}` : `${kind === 'view' ? 'table' : kind} ${name}`,
    column: kind === 'column' ? column : null,
    role: role === 'everyone' ? 'public' : quoteName(role),
    privilege,
    grantable: option !== undefined,
  };
}

/** Every right on a table, with `maintain` of PostgreSQL 17. */
const allOfTable = 8;

/**
 * The grants and revokes that give the rights of `declared` to a database with those of `migrated`. Of objects in `fresh` nobody but
 * the owner has a right yet.
 */
export function writeGrants(
  declared: Description,
  migrated: Description,
  fresh: (object: string) => boolean,
  gone: (object: string) => boolean,
): string[] {
  const rights: Right[] = [];
  const objects = new Set([...declared.keys(), ...migrated.keys()]);
  for (const object of [...objects].filter((one) => one.startsWith('rights ')).sort()) {
    if (gone(object)) continue;
    const wanted = parseRights(declared.get(object));
    const isFresh = fresh(object);
    const given = isFresh
      ? wanted.filter((line) => line.startsWith('postgres '))
      : parseRights(migrated.get(object));
    for (const line of given)
      if (!wanted.includes(line)) rights.push(readRight('revoke', object, line));
    for (const line of wanted)
      if (!given.includes(line)) rights.push(readRight('grant', object, line));
  }
  // One statement for the privileges of a role on an object, and for the columns of a privilege.
  const statements = new Map<string, Right[]>();
  for (const right of rights) {
    const { verb, object, role, grantable, column, privilege } = right;
    const key = [verb, object, role, grantable, column === null ? 'whole' : privilege].join('\n');
    statements.set(key, [...(statements.get(key) ?? []), right]);
  }
  return [...statements.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { verb, object, role, grantable, column, privilege } = first;
    const columns = group.map((right) => quoteName(right.column ?? '')).join(', ');
    const isAll = object.startsWith('table ') && column === null && group.length === allOfTable;
    const privileges = isAll ? 'all' : group.map((right) => right.privilege).join(', ');
    const what = column === null ? privileges : `${privilege} (${columns})`;
    const to = verb === 'grant' ? `to ${role}` : `from ${role}`;
    return [
      `${verb} ${what} on ${object} ${to}${grantable && verb === 'grant' ? ' with grant option' : ''};`,
    ];
  });
}
