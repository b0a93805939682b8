import type { Description } from '#local/shared/describe-database.ts';
import { splitColumn } from './grants.ts';

/** What a migration does not get written, because it moves data: lines for the parts before and after the written one. */
export interface ByHand {
  before: string[];
  after: string[];
}

export const byHandMark = '-- BY HAND: ';

const writtenKinds = /^(?:function|view|view-column|policy|trigger|index|comment|rights) /u;
/** What a line says of an object: its definition, where that is short. */
function describeChange(now: string, was: string | undefined): string {
  const [definition = '', before] = [now, was].map((text) => text?.replaceAll(/\s*\n\s*/gu, ', '));
  if (definition.length + (before?.length ?? 0) > 160) return was === undefined ? '' : ' (changed)';
  return ` ${definition}${before === undefined ? '' : ` (was ${before})`}`;
}

/** The table, view or type that a column, constraint, sequence or attribute belongs to, as a description names it. */
function wholeOf(object: string, others: readonly string[]): string | null {
  const [, kind = '', name = ''] = /^([\w-]+) (.*)$/u.exec(object) ?? [];
  if (kind === 'column') return `table ${splitColumn(name).table}`;
  if (kind === 'attribute') return `type ${splitColumn(name).table}`;
  if (kind === 'constraint') return `table ${name.slice(0, name.indexOf(': '))}`;
  // PostgreSQL names the sequence of an identity column after table and column.
  if (kind === 'sequence')
    return others.find((one) => name.startsWith(`${one.replace(/^table /u, '')}_`)) ?? null;
  return null;
}

const rowsOf = (text = ''): string[] => text.split('\n').filter(Boolean);

/** What differs between two databases in objects that hold data, or that rows are held against. */
export function listByHand(declared: Description, migrated: Description): ByHand {
  const isDifferent = (object: string): boolean => declared.get(object) !== migrated.get(object);
  const differing = [...new Set([...declared.keys(), ...migrated.keys()])]
    .filter((object) => isDifferent(object) && !writtenKinds.test(object))
    .sort();
  const whole = differing.filter(
    (object) => /^(?:table|type) /u.test(object) && !(declared.has(object) && migrated.has(object)),
  );
  const lines: ByHand = { before: [], after: [] };
  for (const object of differing) {
    const owner = wholeOf(object, whole);
    if (owner !== null && whole.includes(owner)) continue;
    const [now, was] = [declared.get(object), migrated.get(object)];
    if (object.startsWith('rows ')) {
      const table = object.slice('rows '.length);
      // Every row differs by a column that differs. They are compared again once it does not.
      if (differing.some((one) => one.startsWith(`column ${table}.`))) continue;
      const [wanted, given] = [rowsOf(now), rowsOf(was)];
      if (declared.has(`table ${table}`))
        lines.after.push(
          ...wanted.filter((row) => !given.includes(row)).map((row) => `${object} ${row}`),
          ...given.filter((row) => !wanted.includes(row)).map((row) => `drop ${object} ${row}`),
        );
    } else if (now === undefined) lines.after.push(`drop ${object}`);
    else {
      const line = `${object}${describeChange(now, was)}`;
      // A constraint and a generated column may call a function that the file writes.
      const isLate =
        object.startsWith('constraint ') ||
        (was !== undefined && /^(?:stored|virtual)$/mu.test(now));
      lines[isLate ? 'after' : 'before'].push(line);
    }
  }
  return lines;
}
