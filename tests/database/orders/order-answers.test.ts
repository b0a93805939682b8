import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { answersOf } from '#domain/orders/order-answers.ts';
import {
  answersFile,
  orderAnswersText,
  readAnswers,
  type AnswersRow,
} from '#local/states/order-answers-file.ts';
import { sqlState } from '#tests/database/support/database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { SqlWords } from '#tests/database/support/sql-words.ts';

/*
 * The one table of what a state of an order answers (supabase/schemas/orders/order-states.sql). A query that joins it drops an order whose state
 * has no row, so the words of the functions are walked here.
 */
const database = await useDatabase();

const wordsOf = async (name: string): Promise<string[]> => (await SqlWords.read(database)).of(name);

/** Each pair of a state and a kind that the functions can give, which has no row, or one without an answer. */
async function missingAnswers(): Promise<string[]> {
  const rows = new Map(
    (await readAnswers(database.query)).map((row) => [
      `${String(row['state'])} ${String(row['kind'])}`,
      !Object.values<unknown>(row).includes(null),
    ]),
  );
  const kinds = await wordsOf('private.order_kind');
  const states = await wordsOf('private.order_state');
  return states
    .flatMap((state) => kinds.map((kind) => `${state} ${kind}`))
    .filter((pair) => rows.get(pair) !== true);
}

test('each state answers each question for each kind of order', async () => {
  const states = await wordsOf('private.order_state');
  const kinds = await wordsOf('private.order_kind');
  expect(states.length).toBeGreaterThan(10);
  expect(kinds.length).toBeGreaterThan(5);
  expect(await missingAnswers()).toEqual([]);
  // A row of a word that no function gives would be an answer to nothing.
  expect(await readAnswers(database.query)).toHaveLength(states.length * kinds.length);
});

test('a state without a row, a kind without one and an answer that is null are found', async () => {
  const kinds = await wordsOf('private.order_kind');
  const states = await wordsOf('private.order_state');
  const broken = async (sql: string): Promise<string[]> => {
    await database.run('begin');
    try {
      await database.run(sql);
      return await missingAnswers();
    } finally {
      await database.run('rollback');
    }
  };
  const rows = async (view: string): Promise<string> =>
    (await database.value<string>(`select pg_get_viewdef('private.${view}'::regclass)`)).replace(
      /;$/u,
      '',
    );
  const [ofStates, ofKinds] = [await rows('state_answers'), await rows('kind_answers')];
  const replace = (view: string, sql: string): string =>
    `create or replace view private.${view} as ${sql}`;
  expect(
    await broken(
      replace('state_answers', `select * from (${ofStates}) t where state <> 'written_off'`),
    ),
  ).toEqual(kinds.map((kind) => `written_off ${kind}`));
  expect(
    await broken(replace('kind_answers', `select * from (${ofKinds}) t where kind <> 'test'`)),
  ).toEqual(states.map((state) => `${state} test`));
  expect(await broken(replace('state_answers', ofStates.replace(`'pay'`, 'null')))).toContain(
    'open now',
  );
});

test('a question about an order without a row is an error, not a silent no', async () => {
  expect(await sqlState(database.query(`select private.answers_of('paid', 'now')`))).toBe('none');
  expect(await sqlState(database.query(`select private.answers_of('lost', 'now')`))).toBe('P0002');
});

test('the list of TypeScript is the one that npm run states writes', async () => {
  const rows = await readAnswers(database.query);
  expect(await readFile(answersFile, 'utf8')).toBe(await orderAnswersText(rows));
  const inCamel = ({ state: _, kind: __, ...answers }: AnswersRow) =>
    Object.fromEntries(
      Object.entries(answers).map(([name, value]) => [
        name.replaceAll(/_(?<letter>[a-z])/gu, (_match, letter: string) => letter.toUpperCase()),
        value,
      ]),
    );
  for (const row of rows)
    expect(answersOf({ state: String(row['state']), kind: String(row['kind']) })).toEqual(
      inCamel(row),
    );
});

test('a word that TypeScript does not know gets the cautious answers', () => {
  const cautious = answersOf({ state: 'unknown', kind: 'now' });
  expect(cautious).toMatchObject({ isSale: false, isPurchase: false, customerMay: 'nothing' });
  for (const [state, kind] of [
    ['on_approval', 'now'],
    ['paid', 'barter'],
    [null, null],
    ['toString', 'now'],
  ] as const)
    expect(answersOf({ state, kind })).toEqual(cautious);
});
