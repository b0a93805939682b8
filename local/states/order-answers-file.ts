import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { projectRoot } from '../shared/settings.ts';

/** A row of the view `private.order_answers`. */
export type AnswersRow = Readonly<Record<string, string | boolean>>;

type Query = <Row>(sql: string) => Promise<Row[]>;

/** Where the answers of a state stand for TypeScript. */
export const answersFile = join(projectRoot, 'src/domain/orders/order-answers.ts');

/** The rows of `private.order_answers`, in the order of the lists that it is made of. */
export const readAnswers = (query: Query): Promise<AnswersRow[]> =>
  query<AnswersRow>(
    `select a.* from private.order_answers a
     join (select state, row_number() over () as place from private.state_answers) s using (state)
     join (select kind, row_number() over () as place from private.kind_answers) k using (kind)
     order by s.place, k.place`,
  );

const camel = (name: string): string =>
  name.replaceAll(/_(?<letter>[a-z])/gu, (_, letter: string) => letter.toUpperCase());

const distinct = (rows: readonly AnswersRow[], column: string): string[] => [
  ...new Set(rows.map((row) => JSON.stringify(row[column]))),
];

/** What a row answers otherwise than another. */
const differences = (row: AnswersRow, other: AnswersRow, questions: readonly string[]) =>
  Object.fromEntries(
    questions
      .filter((question) => row[question] !== other[question])
      .map((question) => [camel(question), row[question]]),
  );

const ofKind = (rows: readonly AnswersRow[], state: string, kind: string): AnswersRow =>
  rows.find((row) => row['state'] === state && row['kind'] === kind) ?? {};

/**
 * The text of `src/domain/orders/order-answers.ts`: what a state answers otherwise than the cautious
 * answers for the kind `now`, and what other kinds answer otherwise than that. The pages of an account carry it, so nothing stands there
 * twice.
 */
export async function orderAnswersText(rows: readonly AnswersRow[]): Promise<string> {
  const questions = Object.keys(rows[0] ?? {}).filter(
    (name) => name !== 'state' && name !== 'kind',
  );
  const fields = questions.map((question) => {
    const words = distinct(rows, question);
    return `${camel(question)}: ${words.includes('true') || words.includes('false') ? 'boolean' : words.join(' | ')};`;
  });
  const cautious = ofKind(rows, 'unknown', 'now');
  const states = [...new Set(rows.map((row) => String(row['state'])))].map((state) => {
    const every = ofKind(rows, state, 'now');
    const but = rows.flatMap((row) => {
      const other = row['state'] === state ? differences(row, every, questions) : {};
      return Object.keys(other).length === 0 ? [] : [[String(row['kind']), other]];
    });
    const own = JSON.stringify(differences(every, cautious, questions));
    return `${state}: [${own}, ${JSON.stringify(Object.fromEntries(but))}]`;
  });
  const base = Object.fromEntries(questions.map((one) => [camel(one), cautious[one]]));
  const text = `/*
   * Written by \`npm run states\` from the view private.order_answers. supabase/schemas/orders/order-states.sql says what the words mean.
   */
  type OrderKind = ${distinct(rows, 'kind').join(' | ')};

  /** What an order of a state and kind answers. */
  export interface OrderAnswers { ${fields.join('\n')} }

  /** What a state answers otherwise than \`cautious\` for the kind \`now\`, and what other kinds answer otherwise than that. */
  type StateAnswers = readonly [Partial<OrderAnswers>, Partial<Record<OrderKind, Partial<OrderAnswers>>>];

  const cautious: OrderAnswers = ${JSON.stringify(base)};

  const table = { ${states.join(',\n')} } satisfies Record<string, StateAnswers>;
  const kinds: readonly string[] = [${distinct(rows, 'kind').join(', ')}] satisfies OrderKind[];

  /**
   * The answers for the columns \`state\` and \`kind\` of an order. A word that this build does not know, of a newer database, gets
   * the cautious ones.
   */
  export function answersOf({ state, kind }: { state: string | null; kind: string | null }): OrderAnswers {
    const isKnown = state !== null && Object.hasOwn(table, state) && kind !== null && kinds.includes(kind);
    const [every, but]: StateAnswers = table[isKnown ? (state as keyof typeof table) : 'unknown'];
    return { ...cautious, ...every, ...but[kind as OrderKind] };
  }
  `;
  return format(text, { ...(await resolveConfig(answersFile)), filepath: answersFile });
}
