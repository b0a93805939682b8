import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { one, sqlState } from '../support/database.ts';
import { createDatabase, type Asker } from '../support/postgres.ts';
import { eachRow } from '../../each-row.ts';

/*
 * What visitors wrote: messages and newsletter addresses. The rights on the whole tables are in permissions.test.ts;
 * here are the rows behind them, with and without those rights, and the functions.
 */
const database = await createDatabase();
afterAll(() => database.close());

const visitor: Asker = { role: 'anon' };
const shopper: Asker = {
  role: 'authenticated',
  claims: { sub: '00000000-0000-4000-8000-000000000001', email: 'devika@example.org' },
};
const service: Asker = { role: 'service_role' };

const save = (subject = ''): Promise<unknown> =>
  database.as(
    service,
    `select public.save_contact_message('Devika', 'devika@example.org', $1, 'Which size?')`,
    subject,
  );
const subscribe = (email: string): Promise<unknown> =>
  database.as(service, `select public.subscribe($1, 'I agree')`, email);
const confirm = async (token: unknown): Promise<unknown> =>
  (await database.as(service, 'select public.confirm_subscription($1) as subscribed', token))[0]?.[
    'subscribed'
  ];
const unsubscribe = (token: unknown): Promise<Record<string, unknown>[]> =>
  database.as(service, 'select public.unsubscribe($1) as known', token);
const mails = (): Promise<Record<string, unknown>[]> =>
  database.query('select kind, recipient, payload from public.outbox order by id');

beforeEach(() =>
  database.run(
    'truncate public.contact_messages, public.subscribers, public.outbox restart identity',
  ),
);

describe.each([
  ['a visitor', visitor],
  ['a shopper with the address of the rows', shopper],
])('%s', (_name, asker) => {
  test('may not call the functions of messages and subscriptions', () =>
    eachRow(
      [
        `select public.save_contact_message('E', 'e@example.org', '', 'Hi')`,
        `select public.subscribe('e@example.org', 'I agree')`,
        'select public.confirm_subscription(gen_random_uuid())',
        'select public.unsubscribe(gen_random_uuid())',
      ],
      async (call) => {
        expect(await sqlState(database.as(asker, call))).toBe('42501');
      },
    ));

  // The embedded stack grants whole tables to the browser roles; no policy lets a row through.
  test.each(['contact_messages', 'subscribers'])(
    'sees and changes no row of %s even with the table granted',
    async (table) => {
      await save();
      await subscribe('devika@example.org');
      await database.run(`grant all on public.${table} to anon, authenticated`);
      expect(await database.as(asker, `select 1 from public.${table}`)).toEqual([]);
      expect(
        await database.as(
          asker,
          `update public.${table} set email = 'thief@example.org' returning 1`,
        ),
      ).toEqual([]);
      expect(await database.as(asker, `delete from public.${table} returning 1`)).toEqual([]);
      const [column, text] =
        table === 'subscribers' ? ['consent_text', 'I agree'] : ['message', 'Hi'];
      const insert = `insert into public.${table} (email, ${column}) values ('e@example.org', '${text}')`;
      expect(await sqlState(database.as(asker, insert))).toBe('42501');
      expect(await database.query(`select email from public.${table}`)).toEqual([
        { email: 'devika@example.org' },
      ]);
      await database.run(`revoke all on public.${table} from anon, authenticated`);
    },
  );
});

test('a message and the mail to the owner are written together', async () => {
  await save('Ring size');
  expect(
    await one(database, 'select name, email, subject, message from public.contact_messages'),
  ).toEqual({
    name: 'Devika',
    email: 'devika@example.org',
    subject: 'Ring size',
    message: 'Which size?',
  });
  expect(await mails()).toMatchObject([
    { kind: 'contact_message', recipient: null, payload: { subject: 'Ring size' } },
  ]);
});

test('a message that the table refuses leaves no mail', async () => {
  expect(await sqlState(save('x'.repeat(201)))).toBe('23514');
  expect(await mails()).toEqual([]);
});

test('an address is kept once, whatever its case, and asked once a day until it confirms', async () => {
  for (const email of ['Gita@Example.org', ' gita@example.org ', 'GITA@EXAMPLE.ORG'])
    await subscribe(email);
  const { email, token } = await one(database, 'select email, token from public.subscribers');
  expect(email).toBe('gita@example.org');
  const asked = {
    kind: 'newsletter_confirmation',
    recipient: 'gita@example.org',
    payload: { token },
  };
  expect(await mails()).toEqual([asked]);
  await database.run(
    `update public.outbox set dedupe_key = replace(dedupe_key, current_date::text, (current_date - 1)::text)`,
  );
  await subscribe('gita@example.org');
  expect(await mails()).toEqual([asked, asked]);
});

test('it is subscribed when it confirms, keeps the moment of the first time, and is welcomed once', async () => {
  await subscribe('gita@example.org');
  const read = () => one(database, 'select token, confirmed_at as at from public.subscribers');
  const { token } = await read();
  expect(await confirm(crypto.randomUUID())).toBe(false);
  expect(await read()).toMatchObject({ at: null });
  expect([await confirm(token), await confirm(token)]).toEqual([true, true]);
  expect((await mails()).map(({ kind }) => kind)).toEqual([
    'newsletter_confirmation',
    'newsletter_welcome',
  ]);
  const confirmed = await read();
  expect(confirmed['at']).not.toBeNull();
  await subscribe('gita@example.org');
  expect(await read()).toEqual(confirmed);
});

test('leaving keeps the moment of the first time; coming back is a consent of its own', async () => {
  await subscribe('gita@example.org');
  const read = () => one(database, 'select token, unsubscribed_at as left from public.subscribers');
  const { token } = await read();
  expect(await unsubscribe(token)).toEqual([{ known: true }]);
  const left = await read();
  expect(left['left']).not.toBeNull();
  expect(await unsubscribe(token)).toEqual([{ known: true }]);
  expect(await read()).toEqual(left);
  expect(await confirm(token)).toBe(false);
  expect(await read()).toEqual(left);
  await subscribe('gita@example.org');
  const back = await read();
  expect(back['left']).toBeNull();
  expect(await unsubscribe(token)).toEqual([{ known: false }]);
  expect(await read()).toEqual(back);
});

test('the tables themselves refuse what no form sends', () =>
  eachRow(
    [
      `insert into public.contact_messages (name, email, message) values ('', 'e@example.org', 'Hi')`,
      `insert into public.contact_messages (name, email, message) values ('E', 'e@example.org', repeat('x', 5001))`,
      `insert into public.subscribers (email, consent_text) values ('Upper@example.org', 'I agree')`,
      `insert into public.subscribers (email, consent_text) values ('g@example.org', '')`,
    ],
    async (statement) => {
      expect(await sqlState(database.query(statement))).toBe('23514');
    },
  ));
