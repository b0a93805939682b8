/* Finds its way in the tokens of an SQL text, as far as the tests need: expressions, cases and the columns of a query. */

/** The tokens of an SQL text, without its comments. */
export const tokensOf = (source: string): string[] =>
  source.replaceAll(/--[^\n]*/gu, '').match(/'(?:[^']|'')*'|[\w.]+|:=|=>|->>?|\|\||<>|\S/gu) ?? [];

export const isLiteral = (token = ''): boolean => token.startsWith("'");
export const textOf = (literal: string): string => literal.slice(1, -1);
const opens: ReadonlySet<string> = new Set(['(', '[', 'case']);
const closes: ReadonlySet<string> = new Set([')', ']', 'end']);

/** Where the expression that begins at `from` ends: before the first of these tokens outside of parentheses and cases. */
export function endOf(tokens: readonly string[], from: number, ends: readonly string[]): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (depth === 0 && (ends.includes(token) || closes.has(token))) return at;
    if (opens.has(token)) depth += 1;
    if (closes.has(token)) depth -= 1;
  }
  return tokens.length;
}

/** Where the expression that ends before `to` begins: after the last of these tokens outside of parentheses and cases. */
export function startOf(tokens: readonly string[], to: number, starts: readonly string[]): number {
  let depth = 0;
  for (let at = to - 1; at >= 0; at -= 1) {
    const token = tokens[at] ?? '';
    if (depth === 0 && (starts.includes(token) || opens.has(token))) return at + 1;
    if (closes.has(token)) depth += 1;
    if (opens.has(token)) depth -= 1;
  }
  return 0;
}

/** The parts between separators outside of parentheses and cases. */
export function split(tokens: readonly string[], separator: string): string[][] {
  const parts: string[][] = [];
  for (let at = 0; at < tokens.length;) {
    const end = endOf(tokens, at, [separator]);
    parts.push(tokens.slice(at, end));
    at = end + 1;
  }
  return parts;
}

/** What the parenthesis at `open` encloses. */
export const inParentheses = (tokens: readonly string[], open: number): string[] =>
  tokens.slice(open + 1, endOf(tokens, open + 1, []));

/** The columns of each part of a query: `select a, b from … union all select …`. */
export const columnsOf = (query: readonly string[]): string[][][] =>
  split(query, 'union').map((part) => {
    const first = part.indexOf('select') + 1;
    return split(part.slice(first, endOf(part, first, ['from', 'into', 'where'])), ',');
  });

/** Each place where these tokens stand one after the other. */
export const everyIndex = (tokens: readonly string[], ...wanted: readonly string[]): number[] =>
  tokens.flatMap((_token, at) => (wanted.every((one, i) => tokens[at + i] === one) ? [at] : []));

/** What follows each `then` and the `else` of a case. */
export function branchesOf(given: readonly string[]): string[][] {
  const branches: string[][] = [];
  const ends = ['when', 'then', 'else'];
  for (let at = 1; at < given.length && given[at] !== 'end';) {
    const end = endOf(given, at + 1, ends);
    if (given[at] !== 'when') branches.push(given.slice(at + 1, end));
    at = end;
  }
  // Before the first `when` of `case value when` stands no result.
  return given[1] === 'when' ? branches : branches.slice(1);
}
