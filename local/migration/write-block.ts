import type { Description } from '#local/shared/describe-database.ts';
import { listByHand, type ByHand } from './by-hand.ts';
import { findStoredResults, withoutArguments, type Dependents } from './dependents.ts';
import { quoteName, splitColumn, writeGrants } from './grants.ts';
import type { Statement } from './sql-statements.ts';

/** Two databases: what supabase/schemas make, and what the migrations make. */
export interface Sides {
  declared: Description;
  migrated: Description;
  /** What depends on each object of the migrated database. */
  dependents: Dependents;
  /** The statements of the schema files, in the order of supabase/config.toml. */
  creations: readonly Statement[];
}

const kinds = ['trigger', 'policy', 'view', 'function', 'index'] as const;
const isWritten = (object: string): boolean => kinds.some((kind) => object.startsWith(`${kind} `));

/** Arguments and result, which `create or replace` may not change. */
const headerOf = (text = ''): string => text.slice(0, text.indexOf('\n LANGUAGE '));

function dropStatement(object: string): string {
  const [, kind = '', name = ''] = /^(\w+) (.*)$/su.exec(object) ?? [];
  if (kind !== 'policy' && kind !== 'trigger') return `drop ${kind} ${name};`;
  const [, table = '', own = ''] = /^(.*?): (.*)$/su.exec(name) ?? [];
  return `drop ${kind} ${quoteName(own)} on ${table};`;
}

/** Drops each object after those that depend on it. */
function orderDrops(drops: ReadonlySet<string>, dependents: Dependents): string[] {
  const ordered = new Set<string>();
  const seen = new Set<string>();
  const visit = (object: string): void => {
    if (seen.has(object)) return;
    seen.add(object);
    for (const dependent of dependents.get(object) ?? [])
      if (drops.has(dependent)) visit(dependent);
    ordered.add(object);
  };
  for (const kind of kinds)
    for (const object of [...drops].sort()) if (object.startsWith(`${kind} `)) visit(object);
  return [...ordered];
}

const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function writeComments({ declared, migrated }: Sides, dropped: ReadonlySet<string>): string[] {
  const comments = [...new Set([...declared.keys(), ...migrated.keys()])].filter((object) =>
    object.startsWith('comment '),
  );
  return comments.sort().flatMap((comment) => {
    const [, kind = '', name = ''] = /^comment (\w+) (.*)$/su.exec(comment) ?? [];
    const { table, column } = splitColumn(name);
    const isOfDropped =
      dropped.has(`${kind} ${name}`) || (kind === 'column' && dropped.has(`view ${table}`));
    const text = declared.get(comment);
    if (text === migrated.get(comment) && !isOfDropped) return [];
    const target = kind === 'column' ? `${table}.${quoteName(column)}` : name;
    if (text !== undefined) return [`comment on ${kind} ${target} is ${quoteText(text)};`];
    const owners =
      kind === 'column' ? [`column ${name}`, `view-column ${name}`] : [`${kind} ${name}`];
    return owners.some((owner) => declared.has(owner))
      ? [`comment on ${kind} ${target} is null;`]
      : [];
  });
}

/** What a migration has to do, as SQL and as lines for the author. */
export interface Plan extends ByHand {
  sql: string;
}

/**
 * Writes the statements that make the functions, views, policies, triggers, indexes, comments and rights of `declared` in the database
 * of `migrated`, and lists what the author writes.
 */
export function planMigration(sides: Sides): Plan {
  const { declared, migrated, dependents, creations } = sides;
  const byHand = listByHand(declared, migrated);
  const texts = new Set(creations.map(({ object }) => object));
  const changed = [...declared.keys()].filter(
    (object) => isWritten(object) && declared.get(object) !== migrated.get(object),
  );
  const gone = [...migrated.keys()].filter((object) => isWritten(object) && !declared.has(object));
  const names = new Set([...declared.keys()].map(withoutArguments));

  const refused = new Map<string, string>();
  for (const object of changed) {
    if (!texts.has(withoutArguments(object)))
      refused.set(object, 'no statement of supabase/schemas creates it by this name.');
    const stored =
      object.startsWith('function ') && migrated.has(object)
        ? findStoredResults(object, dependents, [declared, migrated])
        : [];
    if (stored.length > 0)
      refused.set(
        object,
        `stored rows keep the old value in ${stored.join(', ')}: write the function here, and what computes them anew.`,
      );
  }

  const drops = new Set(
    changed.filter(
      (object) =>
        migrated.has(object) &&
        !refused.has(object) &&
        (!object.startsWith('function ') ||
          headerOf(declared.get(object)) !== headerOf(migrated.get(object))),
    ),
  );
  const lateDrops: string[] = [];
  for (const object of gone) {
    const table = / ON (?:ONLY )?([\w.]+) /u.exec(migrated.get(object) ?? '')?.[1] ?? '';
    if (object.startsWith('index ') && !declared.has(`table ${table}`)) continue;
    // A function of the same name and other arguments would make a call ambiguous.
    if (/^(?:function|index) /u.test(object) && !names.has(withoutArguments(object)))
      lateDrops.push(dropStatement(object));
    else drops.add(object);
  }
  // A set visits what is added while it is walked.
  for (const object of drops)
    for (const dependent of dependents.get(object) ?? []) {
      if (isWritten(dependent)) drops.add(dependent);
      else if (!refused.has(object)) {
        refused.set(object, `${dependent} depends on it: drop it here first, and create it anew.`);
        drops.delete(object);
      }
    }
  const creating = new Set(
    [...changed, ...drops]
      .filter((object) => declared.has(object) && !refused.has(object))
      .map(withoutArguments),
  );
  const replaced = new Set(
    [...creating].filter((name) =>
      changed.some(
        (object) => withoutArguments(object) === name && migrated.has(object) && !drops.has(object),
      ),
    ),
  );
  for (const [object, why] of refused) byHand.before.push(`${object}: ${why}`);

  const created = creations
    .filter(({ object }) => creating.has(object))
    .map(({ object, text }) =>
      replaced.has(object) ? text.replace(/^create /iu, 'create or replace ') : text,
    );
  const isGone = (rights: string): boolean =>
    !declared.has(rights) && !declared.has(rights.replace(/^rights /u, ''));
  const isFresh = (rights: string): boolean => {
    const object = rights.replace(/^rights /u, '');
    const column = object.startsWith('column ') ? splitColumn(object.slice(7)).table : null;
    return (
      drops.has(object) ||
      drops.has(`view ${column ?? ''}`) ||
      (!migrated.has(rights) && !migrated.has(object))
    );
  };
  const sections = [
    orderDrops(drops, dependents).map(dropStatement),
    created,
    writeComments(sides, drops),
    writeGrants(declared, migrated, isFresh, isGone),
    lateDrops,
  ];
  const sql = sections
    .filter((section) => section.length > 0)
    .map((section) => section.join(section === created ? '\n\n' : '\n'))
    .join('\n\n');
  return { ...byHand, sql };
}
