import { beforeEach, expect, test } from 'vitest';
import { sqlState } from '#tests/database/support/database.ts';
import { useDatabase, type Asker } from '#tests/database/support/postgres.ts';

/* Visitors' texts: messages and newsletter addresses. The rights on the tables are in permissions.test.ts. */
const database = await useDatabase();

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

test('a message and the mail to the owner are written together, or not at all', async () => {
  expect(await sqlState(save('x'.repeat(201)))).toBe('23514');
  expect(await mails()).toEqual([]);
  await save('Ring size');
  const kept = 'select name, email, subject, message from public.contact_messages';
  expect(await database.one(kept)).toEqual({
    name: 'Devika',
    email: 'devika@example.org',
    subject: 'Ring size',
    message: 'Which size?',
  });
  expect(await mails()).toMatchObject([
    { kind: 'contact_message', recipient: null, payload: { subject: 'Ring size' } },
  ]);
});

const read = () => database.one('select * from public.subscribers');
/** Makes the last request so many days old. */
const later = (days: number): Promise<unknown> =>
  database.run(
    `update public.subscribers set asked_at = asked_at - interval '${String(days)} days', confirmed_at = confirmed_at - interval '${String(days)} days',
       unsubscribed_at = unsubscribed_at - interval '${String(days)} days'`,
  );

test('an address is stored once, whatever its case, and gets one mail that asks in 30 days', async () => {
  for (const email of ['Gita@Example.org', ' gita@example.org ', 'GITA@EXAMPLE.ORG'])
    await subscribe(email);
  const first = await read();
  expect(first).toMatchObject({ email: 'gita@example.org', confirmed_at: null });
  const asked = (token: unknown) => ({
    kind: 'newsletter_confirmation',
    recipient: 'gita@example.org',
    payload: { token },
  });
  expect(await mails()).toEqual([asked(first['asked_token'])]);
  await later(29);
  await subscribe('gita@example.org');
  expect(await mails()).toHaveLength(1);
  await later(2);
  await subscribe('gita@example.org');
  const second = await read();
  expect(await mails()).toEqual([asked(first['asked_token']), asked(second['asked_token'])]);
  expect(await confirm(first['asked_token'])).toBe(false);
  expect(await confirm(second['asked_token'])).toBe(true);
});

test('it is subscribed when it confirms, keeps the moment of the first time, and is welcomed once', async () => {
  await subscribe('gita@example.org');
  const { asked_token: asked, token } = await read();
  expect(await confirm(crypto.randomUUID())).toBe(false);
  expect(await confirm(token)).toBe(false);
  expect(await read()).toMatchObject({ confirmed_at: null });
  expect([await confirm(asked), await confirm(asked)]).toEqual([true, true]);
  expect(await mails()).toMatchObject([
    { kind: 'newsletter_confirmation' },
    { kind: 'newsletter_welcome', payload: { token } },
  ]);
  const confirmed = await read();
  expect(confirmed['confirmed_at']).not.toBeNull();
  await subscribe('gita@example.org');
  expect(await read()).toEqual(confirmed);
});

test('a link that asks is good for 30 days', async () => {
  await subscribe('gita@example.org');
  await later(31);
  expect(await confirm((await read())['asked_token'])).toBe(false);
});

/** The proof of consent and leaving, and the token of the links that unsubscribe. */
const proof = async () => {
  const { consent_at, consent_text, token, confirmed_at, unsubscribed_at } = await read();
  return { consent_at, consent_text, token, confirmed_at, unsubscribed_at };
};

test('a stranger who enters an address that left changes nothing of its opt-out, however often they do it', async () => {
  await subscribe('gita@example.org');
  const { asked_token: asked, token } = await read();
  await confirm(asked);
  await unsubscribe(token);
  await later(31);
  const left = await proof();
  await subscribe('gita@example.org');
  await subscribe('gita@example.org');
  expect(await proof()).toEqual(left);
  expect((await mails()).map(({ kind }) => kind)).toEqual([
    'newsletter_confirmation',
    'newsletter_welcome',
    'newsletter_confirmation',
  ]);
  expect(await unsubscribe(token)).toEqual([{ known: true }]);
  expect(await proof()).toEqual(left);
  expect(await confirm(asked)).toBe(false);
});

test('an unsubscribed address returns by a new confirmation, and the links of old mails still unsubscribe it', async () => {
  await subscribe('gita@example.org');
  const { asked_token: asked, token } = await read();
  await confirm(asked);
  await unsubscribe(token);
  expect(await confirm(asked)).toBe(false);
  await later(31);
  const left = await read();
  await database.as(service, `select public.subscribe('gita@example.org', 'I agree again')`);
  expect(await confirm((await read())['asked_token'])).toBe(true);
  const back = await read();
  expect(back).toMatchObject({ unsubscribed_at: null, consent_text: 'I agree again', token });
  expect(back['confirmed_at']).not.toEqual(left['confirmed_at']);
  expect(await unsubscribe(token)).toEqual([{ known: true }]);
  expect((await read())['unsubscribed_at']).not.toBeNull();
});
