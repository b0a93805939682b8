import { linesOfFunction, type Target } from './target.ts';

/** One change of a source file. */
export interface Mutant {
  file: string;
  line: number;
  /** The text before, and the text after. */
  from: string;
  to: string;
  /** The whole file with the change. */
  text: string;
}

type Change = readonly [pattern: RegExp, to: string | ((found: string) => string)];

const addOne = (found: string): string => String(Number(found.replaceAll('_', '')) + 1);

/** Operators, conditions, numbers, truth values, filters of a query, and guards that are awaited, of TypeScript that Prettier has formatted. */
const typescriptChanges: readonly Change[] = [
  [/ === /gu, ' !== '],
  [/ !== /gu, ' === '],
  [/ < /gu, ' <= '],
  [/ < /gu, ' >= '],
  [/ <= /gu, ' < '],
  [/ <= /gu, ' > '],
  [/ > /gu, ' >= '],
  [/ > /gu, ' <= '],
  [/ >= /gu, ' > '],
  [/ >= /gu, ' < '],
  [/ && /gu, ' || '],
  [/ (?:\|\||\?\?) /gu, ' && '],
  [/ \+ /gu, ' - '],
  [/ - /gu, ' + '],
  [/ \* /gu, ' / '],
  [/ \/ /gu, ' * '],
  [/!(?=[\w(/])/gu, ''],
  // Numbers inside texts stay, because texts decide nothing.
  [/(?<![\w.$'{,[])\d[\d_]*(?![\w}'])(?=(?:[^']*'[^']*')*[^']*$)/gu, addOne],
  [/\btrue\b/gu, 'false'],
  [/\bfalse\b/gu, 'true'],
  ...['true', 'false'].flatMap((value): Change[] => [
    [/(?<=\bif \().+(?=\) (?:\{|return|throw))/gu, value],
    [/(?<=(?:\breturn|[^=!]=|\() )[^?]+(?= \? )/gu, value],
  ]),
  [/\.eq\([^()]*\)/gu, ''],
  [/Math\.min(?=\()/gu, 'Math.max'],
  [/(?<=^ *)await \w+\(.*\);$/gu, ''],
];

const sqlChanges: readonly Change[] = [
  [/ <> /gu, ' = '],
  [/(?<!set \w+) = /gu, ' <> '],
  [/is distinct from/gu, 'is not distinct from'],
  [/is not null/gu, 'is null'],
  [/is null/gu, 'is not null'],
  [/ and /gu, ' or '],
  [/ or /gu, ' and '],
  [/ \+ /gu, ' - '],
  [/ \* /gu, ' + '],
  [/ \/ /gu, ' * '],
  [/ <= /gu, ' > '],
  [/ < /gu, ' >= '],
  [/ >= /gu, ' > '],
  [/ >= /gu, ' + 1 >= '],
  [/(?<=where )(?=p\.id = )/gu, 'p.deleted_at is null and '],
  [/not between/gu, 'between'],
  [/\bnot (?=private\.)/gu, ''],
  [/(?<=[ (]|interval ')\d+(?=[ );]|$)/gu, addOne],
];

/** Changes the file on the lines that match, one thing at a time. */
export function mutantsOf(
  { file, within, lines }: Pick<Target, 'file' | 'within' | 'lines'>,
  text: string,
): Mutant[] {
  const [first, end] = within === undefined ? [0, Infinity] : linesOfFunction(text, within);
  const matches = (line: string, index: number): boolean =>
    index >= first &&
    index < end &&
    (lines instanceof RegExp ? lines.test(line) : lines(line, index + 1));
  const changes = file.endsWith('.sql') ? sqlChanges : typescriptChanges;
  let start = 0;
  return text.split('\n').flatMap((content, index) => {
    const offset = start;
    start += content.length + 1;
    if (!matches(content, index) || /^\s*(?:--|\/\/|\*|\/\*)/u.test(content)) return [];
    return changes.flatMap(([pattern, to]) =>
      [...content.matchAll(pattern)].map((found): Mutant => {
        const [from] = found;
        const changed = typeof to === 'string' ? to : to(from);
        const at = offset + found.index;
        return {
          file,
          line: index + 1,
          from,
          to: changed,
          text: text.slice(0, at) + changed + text.slice(at + from.length),
        };
      }),
    );
  });
}
