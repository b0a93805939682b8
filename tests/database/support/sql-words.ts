import type { ShopDatabase } from './shop-database.ts';
import {
  branchesOf,
  columnsOf,
  endOf,
  everyIndex,
  inParentheses,
  isLiteral,
  split,
  startOf,
  textOf,
  tokensOf,
} from './sql-tokens.ts';

/** A list of TypeScript and the words of SQL that it must have: all that `read` finds, or those of the function `sql`. */
export interface WordList {
  /** 'public.mark_paid'. */
  sql: string;
  words: readonly string[];
  /** Reads from other than the outcomes of the function. */
  read?: (sql: SqlWords) => string[];
}

/** Names what is read: the value of a key of the objects that a function returns, or the text that it returns. */
interface Wanted {
  key: string;
  /** Only objects with this word as their outcome. */
  outcome?: string;
}

/** A function, or a place in one, with what its parameters stand for. */
interface Scope {
  tokens: readonly string[];
  parameters: readonly string[];
  given: ReadonlyMap<string, () => string[]>;
  depth: number;
}

/**
 * Reads from the sources of a database's functions which words they can answer with: literals, the branches of cases, what
 * variables are set to, and the answers of the functions that they call.
 */
export class SqlWords {
  private readonly functions = new Map<string, { tokens: string[]; parameters: string[] }[]>();

  /** Reads all functions of the schemas `public` and `private` as they are now. */
  static async read(database: Pick<ShopDatabase, 'query'>): Promise<SqlWords> {
    const words = new SqlWords();
    const rows = await database.query<{ name: string; source: string; parameters: string[] }>(
      `select pronamespace::regnamespace || '.' || proname as name, prosrc as source, coalesce(proargnames, '{}') as parameters
       from pg_proc where pronamespace in ('public'::regnamespace, 'private'::regnamespace)`,
    );
    for (const { name, source, parameters } of rows)
      words.functions.set(name, [
        ...(words.functions.get(name) ?? []),
        { tokens: tokensOf(source), parameters },
      ]);
    return words;
  }

  /** The words of a function's answers, each once and sorted. Throws for a function that is not there. */
  of(name: string, wanted: Wanted = { key: 'outcome' }): string[] {
    return sorted(this.scopesOf(name).flatMap((scope) => this.answers(scope, wanted)));
  }

  /** The words that a variable of a function is set to. */
  ofVariable(name: string, variable: string): string[] {
    return sorted(
      this.scopesOf(name).flatMap((scope) => this.assigned(scope, variable, { key: 'outcome' })),
    );
  }

  /**
   * The words that are stored in a column: by `insert` and `update` of any function, also through a parameter of a function
   * that others call.
   */
  ofColumn(table: string, column: string): string[] {
    const wanted: Wanted = { key: column };
    const sinks = new Map<string, number>();
    const found: string[] = [];
    const store = (name: string, scope: Scope, value: readonly string[]): void => {
      const place = scope.parameters.indexOf(value[0] ?? '');
      if (place >= 0 && value.length === 1) sinks.set(name, place);
      else found.push(...this.valueOf(value, scope, wanted));
    };
    for (const [name, scope] of this.everyScope()) {
      const { tokens } = scope;
      for (const at of everyIndex(tokens, 'insert', 'into', table)) {
        const open = tokens.indexOf('(', at);
        const place = inParentheses(tokens, open)
          .filter((token) => token !== ',')
          .indexOf(column);
        const rest = tokens.slice(endOf(tokens, open + 1, []) + 1);
        const values =
          rest[0] === 'values' ? split(inParentheses(rest, 1), ',') : (columnsOf(rest)[0] ?? []);
        if (place >= 0) store(name, scope, values[place] ?? []);
      }
      for (const at of everyIndex(tokens, 'update', table)) {
        const set = tokens.indexOf('set', at) + 1;
        for (const one of split(tokens.slice(set, endOf(tokens, set, ['where', ';'])), ','))
          if (one[0] === column) store(name, scope, one.slice(2));
      }
    }
    // A function that passes its parameter on is another way into the column.
    for (const [sink, place] of sinks)
      for (const [name, scope] of this.everyScope())
        for (const value of argumentsOf(scope, sink, place)) store(name, scope, value);
    return sorted(found);
  }

  /** The words that functions give a parameter of another one. */
  ofArgument(name: string, parameter: string): string[] {
    const place = this.scopesOf(name)[0]?.parameters.indexOf(parameter) ?? -1;
    if (place < 0) throw new Error(`${name} has no parameter ${parameter}`);
    return sorted(
      [...this.everyScope()].flatMap(([, scope]) =>
        argumentsOf(scope, name, place).flatMap((value) =>
          this.valueOf(value, scope, { key: parameter }),
        ),
      ),
    );
  }

  private *everyScope(): Generator<[string, Scope]> {
    for (const name of this.functions.keys())
      for (const scope of this.scopesOf(name)) yield [name, scope];
  }

  private scopesOf(name: string): Scope[] {
    const sources = this.functions.get(name);
    if (!sources) throw new Error(`There is no function ${name}`);
    return sources.map((source) => ({ ...source, given: new Map(), depth: 0 }));
  }

  private answers(scope: Scope, wanted: Wanted): string[] {
    const { tokens } = scope;
    const returns = everyIndex(tokens, 'return');
    // The body of a function in SQL is its query.
    if (returns.length === 0) return this.query(tokens, scope, wanted);
    return returns.flatMap((at) => {
      const value = tokens.slice(at + 1, endOf(tokens, at + 1, [';']));
      if (value[0] === 'query') return this.query(value.slice(1), scope, wanted);
      const guard = guardOf(tokens, at);
      return this.valueOf(guard?.value ?? value, scope, wanted).filter(
        (word) => guard?.excluded.includes(word) !== true,
      );
    });
  }

  private query(query: readonly string[], scope: Scope, wanted: Wanted): string[] {
    return columnsOf(query).flatMap(([first = []]) => this.valueOf(first, scope, wanted));
  }

  private valueOf(given: readonly string[], scope: Scope, wanted: Wanted): string[] {
    const joined = split(given, '||');
    if (joined.length > 1) return joined.flatMap((part) => this.valueOf(part, scope, wanted));
    const [first = '', second] = given;
    if (isLiteral(first)) return literalWords(textOf(first), wanted);
    if (first === '(') return this.valueOf(inParentheses(given, 0), scope, wanted);
    if (first === 'select') return this.query(given, scope, wanted);
    if (first === 'case')
      return branchesOf(given).flatMap((branch) => this.valueOf(branch, scope, wanted));
    if (second === '(')
      return this.called(first, split(inParentheses(given, 1), ','), scope, wanted);
    return this.named(first, scope, wanted);
  }

  private called(name: string, args: readonly string[][], scope: Scope, wanted: Wanted): string[] {
    if (name === 'jsonb_build_object') {
      const valueAt = (key: string) =>
        args[args.findIndex((arg) => arg[0] === `'${key}'`) + 1] ?? [];
      const value = args.some((arg) => arg[0] === `'${wanted.key}'`) ? valueAt(wanted.key) : [];
      const isWanted =
        wanted.outcome === undefined || valueAt('outcome')[0] === `'${wanted.outcome}'`;
      return isWanted ? this.valueOf(value, scope, wanted) : [];
    }
    if (name === 'jsonb_strip_nulls' || name === 'coalesce')
      return args.flatMap((arg) => this.valueOf(arg, scope, wanted));
    if (!this.functions.has(name) || scope.depth > 8) return [];
    return this.scopesOf(name).flatMap((callee) => {
      const values = args.map((arg, at) => {
        const isNamed = arg[1] === '=>';
        const parameter = isNamed ? arg[0] : callee.parameters[at];
        return [
          parameter ?? '',
          () => this.valueOf(isNamed ? arg.slice(2) : arg, scope, wanted),
        ] as const;
      });
      return this.answers({ ...callee, given: new Map(values), depth: scope.depth + 1 }, wanted);
    });
  }

  /** A parameter, a variable, a field of a row of a loop, or a column's alias. */
  private named(name: string, scope: Scope, wanted: Wanted): string[] {
    const { tokens, given } = scope;
    const parameter = given.get(name);
    if (parameter) return parameter();
    // `if name in ('a', 'b') then` stands around an outcome that is a word of another list.
    const [tested] = everyIndex(tokens, 'if', name, 'in', '(');
    if (tested !== undefined && wanted.key === 'outcome')
      return inParentheses(tokens, tested + 3)
        .filter(isLiteral)
        .map(textOf);
    return this.assigned(scope, name, wanted);
  }

  private assigned(scope: Scope, name: string, wanted: Wanted): string[] {
    if (scope.depth > 8) return [];
    const { tokens } = scope;
    const inner = { ...scope, depth: scope.depth + 1 };
    const values = everyIndex(tokens, name).flatMap((at) => {
      // A type stands between a variable and its first value.
      const sign = at + 1 + tokens.slice(at + 1).findIndex((token) => !/^\w+$/u.test(token));
      return tokens[sign] === ':=' ? [tokens.slice(sign + 1, endOf(tokens, sign + 1, [';']))] : [];
    });
    for (const at of everyIndex(tokens, 'into')) {
      const targets = split(tokens.slice(at + 1, endOf(tokens, at + 1, [';', 'from'])), ',');
      const place = targets.findIndex(([target, ...more]) => target === name && more.length === 0);
      const select = startOf(tokens, at, ['select', ';']);
      if (place >= 0) values.push(split(tokens.slice(select, at), ',')[place] ?? []);
    }
    const [row = '', field = ''] = name.split('.');
    for (const at of everyIndex(tokens, 'for', row, 'in')) {
      const parts = columnsOf(tokens.slice(at + 3, endOf(tokens, at + 3, ['loop'])));
      const place = (parts[0] ?? []).findIndex((column) => column.at(-1) === field);
      if (place >= 0) values.push(...parts.map((part) => part[place] ?? []));
    }
    for (const at of everyIndex(tokens, 'as', name))
      values.push(tokens.slice(startOf(tokens, at, ['select', ',']), at));
    return values.flatMap((value) => (value[0] === name ? [] : this.valueOf(value, inner, wanted)));
  }
}

/** What each call of a function in this one gives it at a place. */
const argumentsOf = ({ tokens }: Scope, name: string, place: number): string[][] =>
  everyIndex(tokens, name, '(').map((at) => split(inParentheses(tokens, at + 1), ',')[place] ?? []);

const sorted = (words: readonly string[]): string[] => [...new Set(words)].sort();

function literalWords(text: string, { key }: Wanted): string[] {
  if (!text.startsWith('{')) return /^[a-z][a-z_]*$/u.test(text) ? [text] : [];
  const value = (JSON.parse(text) as Record<string, unknown>)[key];
  return typeof value === 'string' ? [value] : [];
}

/**
 * What stands before `return value` in `value := …; if value ->> 'outcome' not in ('a', 'b') then`, or `… <> 'a' then`: the
 * words that are ruled out, and the expression that the value was set to just before.
 */
function guardOf(
  tokens: readonly string[],
  at: number,
): { excluded: string[]; value?: string[] } | null {
  if (tokens[at - 1] !== 'then') return null;
  const start = Math.max(tokens.lastIndexOf('if', at), tokens.lastIndexOf('elsif', at));
  const [value, arrow, key, sign, ...test] = tokens.slice(start + 1, at - 1);
  if (value !== tokens[at + 1] || arrow !== '->>' || key !== "'outcome'") return null;
  if ((sign !== 'not' && sign !== '<>') || test.includes('or')) return null;
  const set = tokens.lastIndexOf(';', start - 2) + 1;
  const assigned = tokens.slice(set, start - 1);
  const sets = assigned.indexOf(':=');
  return {
    excluded: test.filter(isLiteral).map(textOf),
    ...(assigned[sets - 1] === value && { value: assigned.slice(sets + 1) }),
  };
}
