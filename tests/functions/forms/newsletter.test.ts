import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import newsletterEndpoint from '../../../netlify/functions/newsletter.ts';
import unsubscribeEndpoint from '../../../netlify/functions/newsletter-unsubscribe.ts';
import { newsletterConsent } from '../../../src/domain/checkout/public-form.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { nextCaller, postForm, sendForm } from './visitor-forms.ts';
import { eachRow } from '../../each-row.ts';

interface Subscriber {
  email: string;
  consent_text: string;
  unsubscribe_token: string;
  unsubscribed_at: unknown;
}

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());
beforeEach(async () => {
  stack.database.setDown(false);
  stack.mail.mails.length = 0;
  await stack.database.sql('truncate public.subscribers, public.outbox, public.rate_limits restart identity');
});

const subscribers = (): Promise<Subscriber[]> => stack.database.sql<Subscriber>('select * from public.subscribers');
const subscribe = (email: unknown) => sendForm(stack, newsletterEndpoint, { email });
const leave = (token: string, method: string) =>
  stack.call(unsubscribeEndpoint, `/api/newsletter/unsubscribe?token=${token}`, { method });

test('an address is kept with the words it agreed to, and welcomed with the way out', async () => {
  expect(await subscribe(' Devika@Example.org ')).toMatchObject({ status: 200, json: { received: true } });
  const [row] = await subscribers();
  expect(row).toMatchObject({ email: 'devika@example.org', consent_text: newsletterConsent, unsubscribed_at: null });
  const link = `https://kasavu.example/api/newsletter/unsubscribe?token=${row?.unsubscribe_token ?? ''}`;
  expect(stack.mail.mails).toHaveLength(1);
  expect(stack.mail.mails[0]).toMatchObject({
    to: ['devika@example.org'],
    headers: { 'list-unsubscribe': `<${link}>`, 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' },
  });
});

test('subscribing again, in any case, changes nothing and answers the same', async () => {
  const first = await subscribe('devika@example.org');
  const before = await subscribers();
  const second = await subscribe('DEVIKA@example.org');
  expect([second.status, second.text]).toEqual([first.status, first.text]);
  expect(await subscribers()).toEqual(before);
  expect(stack.mail.mails).toHaveLength(1);
});

test.each(['GET', 'POST'])('one %s with the token of the mail ends the subscription', async (method) => {
  await subscribe('devika@example.org');
  const [row] = await subscribers();
  const answer = await leave(row?.unsubscribe_token ?? '', method);
  expect(answer.status).toBe(method === 'GET' ? 303 : 200);
  if (method === 'GET') expect(answer.headers.get('location')).toBe('/newsletter/unsubscribed');
  const [left] = await subscribers();
  expect(left?.unsubscribed_at).not.toBeNull();
  expect((await leave(row?.unsubscribe_token ?? '', method)).status).toBe(answer.status);
  expect(await subscribers()).toEqual([left]);
});

test('an unknown token is answered like a known one and ends nothing', async () => {
  await subscribe('devika@example.org');
  expect((await leave(crypto.randomUUID(), 'POST')).json).toEqual({ unsubscribed: true });
  expect(await subscribers()).toMatchObject([{ unsubscribed_at: null }]);
});

test('a link that was cut is not answered with "done", and other methods end nothing', async () => {
  await subscribe('devika@example.org');
  const [row] = await subscribers();
  expect((await leave((row?.unsubscribe_token ?? '').slice(0, 20), 'GET')).status).toBe(400);
  expect((await leave('', 'POST')).status).toBe(400);
  expect((await leave(row?.unsubscribe_token ?? '', 'DELETE')).status).toBe(405);
  expect(await subscribers()).toMatchObject([{ unsubscribed_at: null }]);
});

test('whoever left and subscribes anew consents anew, with a token that the old mails do not have', async () => {
  await subscribe('devika@example.org');
  const [first] = await subscribers();
  await leave(first?.unsubscribe_token ?? '', 'POST');
  await subscribe('devika@example.org');
  const [second] = await subscribers();
  expect(second?.unsubscribed_at).toBeNull();
  expect(second?.unsubscribe_token).not.toBe(first?.unsubscribe_token);
  expect(stack.mail.mails).toHaveLength(2);
});

test('what is no address is refused', () =>
  eachRow(['', 'devika', 'devika@', `${'d'.repeat(250)}@example.org`, null, 7], async (email) => {
    const answer = await subscribe(email);
    expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request', message: 'Invalid email' } });
    expect(await subscribers()).toEqual([]);
  }),
);

test('robots are refused and one caller is held to ten addresses', async () => {
  const trapped = await sendForm(stack, newsletterEndpoint, { email: 'a@example.org', website: 'x' });
  expect(trapped.json).toMatchObject({ error: 'refused' });
  const hasty = await sendForm(stack, newsletterEndpoint, { email: 'a@example.org', elapsed_ms: 100 });
  expect(hasty.json).toMatchObject({ error: 'too_fast' });
  const robot = nextCaller();
  for (let count = 0; count < 22; count += 1) {
    await sendForm(stack, newsletterEndpoint, { email: `robot-${String(count)}@example.org` }, robot);
  }
  // Limits count in fixed windows: a run across the edge of one may take ten more.
  expect([10, 20]).toContain((await subscribers()).length);
});

test('a form posted without JavaScript is answered with a page', async () => {
  const taken = await postForm(stack, newsletterEndpoint, { email: 'devika@example.org', website: '' });
  expect([taken.status, taken.headers.get('location')]).toEqual([303, '/newsletter/subscribed']);
  const refused = await postForm(stack, newsletterEndpoint, { email: 'devika at example' });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('value="devika at example"');
  expect(await subscribers()).toHaveLength(1);
});

test('while the database is down nobody is told that they subscribed or left', async () => {
  stack.database.setDown(true);
  expect((await subscribe('devika@example.org')).status).toBe(503);
  expect((await leave(crypto.randomUUID(), 'GET')).status).toBe(503);
});
