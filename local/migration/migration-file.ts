import { byHandMark } from './by-hand.ts';
import type { Plan } from './write-block.ts';

const begin = '-- Written by npm run migration';
const end = '-- end';

/** What the author wrote before and after the written block. */
export interface HandWritten {
  before: string;
  after: string;
}

export const emptyMigration: HandWritten = {
  before: '-- What changes, and why the previous site still works on it.\n',
  after: '',
};

const isByHand = (line: string): boolean => line.startsWith(byHandMark);
const withoutMarks = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !isByHand(line))
    .join('\n')
    .trim();

/** The hand-written parts of a migration, without its lines for the author. A file without a written block is all `before`. */
export function readMigration(text: string): HandWritten {
  const [before = '', rest = ''] = text.split(`${begin}\n`);
  const [, after = ''] = `\n${rest}`.split(`\n${end}\n`);
  return { before: withoutMarks(before), after: withoutMarks(after) };
}

/** The text of a migration: what the author wrote, with the lines that are still to do, around the written block. */
export function formatMigration(
  { before, after }: HandWritten,
  { sql, before: toDo, after: toDoAfter }: Plan,
): string {
  const marked = (lines: readonly string[]): string =>
    lines.map((line) => `${byHandMark}${line}`).join('\n');
  const block = sql === '' ? '' : `${begin}\n${sql}\n${end}`;
  const parts = [before.trim(), marked(toDo), block, after.trim(), marked(toDoAfter)];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
