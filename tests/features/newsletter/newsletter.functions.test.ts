import { beforeEach, expect, test } from 'vitest';
import newsletterEndpoint from '#netlify/functions/newsletter.ts';
import { newsletterConsent } from '#features/newsletter/domain/consent.ts';
import { useStack, type Answer } from '#tests/functions/support/stack.ts';
import { postForm, sendForm } from '#tests/functions/forms/visitor-forms.ts';
import { eachRow } from '#tests/each-row.ts';

interface Subscriber {
  email: string;
  consent_text: string;
  token: string;
  asked_token: string;
  confirmed_at: unknown;
  unsubscribed_at: unknown;
}

const stack = await useStack();

beforeEach(async () => {
  stack.database.setDown(false);
  stack.mail.mails.length = 0;
  await stack.sql('truncate public.subscribers, public.outbox, public.costs restart identity');
});

const subscribers = (): Promise<Subscriber[]> =>
  stack.sql<Subscriber>('select * from public.subscribers');
const subscribe = (email: unknown) => sendForm(stack, 'newsletter', { email });
/** The button of the mail's page, which posts nothing but its own address. */
const press = (step: 'confirm' | 'unsubscribe', token = ''): Promise<Answer> =>
  stack.call(newsletterEndpoint, `/newsletter/${step}?token=${token}`, {
    method: 'POST',
    headers: { origin: 'https://kasavu.example' },
  });
const confirm = (token?: string): Promise<Answer> => press('confirm', token);
const leave = (token?: string): Promise<Answer> => press('unsubscribe', token);
/** The mail program's own button, as RFC 8058 has it: from a server, without an origin. */
const leaveByOneClick = (token: string): Promise<Answer> =>
  stack.call(newsletterEndpoint, `/newsletter/unsubscribe?token=${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });

/** An address that has subscribed; its row. */
async function ask(email = 'devika@example.org'): Promise<Subscriber> {
  await subscribe(email);
  const row = (await subscribers()).find((one) => one.email === email);
  if (!row) throw new Error('Nobody subscribed');
  return row;
}

/** An address that has subscribed and confirmed; its row. */
async function join(): Promise<Subscriber> {
  await confirm((await ask()).asked_token);
  const [row] = await subscribers();
  if (!row) throw new Error('Nobody subscribed');
  return row;
}

test('an address is stored with its consent text, and mailed to confirm it', async () => {
  expect(await subscribe(' Devika@Example.org ')).toMatchObject({
    status: 200,
    json: { received: true },
  });
  const [row] = await subscribers();
  expect(row).toMatchObject({
    email: 'devika@example.org',
    consent_text: newsletterConsent,
    confirmed_at: null,
    unsubscribed_at: null,
  });
  expect(stack.mail.mails).toHaveLength(1);
  const [mail] = stack.mail.mails;
  expect(mail?.to).toEqual(['devika@example.org']);
  expect(mail?.headers).not.toHaveProperty('list-unsubscribe');
  expect(mail?.raw.replaceAll('=\r\n', '')).toContain(
    `https://kasavu.example/newsletter/confirm?token=3D${row?.asked_token ?? ''}`,
  );
});

test('the button of the confirmation page starts the subscription, and the welcome mail has the unsubscribe link', async () => {
  const { token, asked_token: asked } = await ask();
  const answer = await confirm(asked);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/newsletter/confirmed']);
  const [row] = await subscribers();
  expect(row?.confirmed_at).not.toBeNull();
  const link = `https://kasavu.example/newsletter/unsubscribe?token=${token}`;
  expect(stack.mail.mails[1]).toMatchObject({
    to: ['devika@example.org'],
    headers: {
      'list-unsubscribe': `<${link}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    },
  });
  // Pressed again it says the same, and welcomes nobody twice.
  expect((await confirm(asked)).headers.get('location')).toBe('/newsletter/confirmed');
  expect(await subscribers()).toEqual([row]);
  expect(stack.mail.mails).toHaveLength(2);
});

test('opening a link of a mail changes nothing: scanners open all of them', async () => {
  const pending = await ask();
  expect(
    (await stack.call(newsletterEndpoint, `/newsletter/confirm?token=${pending.asked_token}`))
      .status,
  ).toBe(405);
  const subscribed = await join();
  for (const method of ['GET', 'DELETE']) {
    expect(
      (
        await stack.call(newsletterEndpoint, `/newsletter/unsubscribe?token=${subscribed.token}`, {
          method,
        })
      ).status,
    ).toBe(405);
  }
  expect(await subscribers()).toEqual([subscribed]);
});

test('asking again, in any case, answers the same: whoever is subscribed stays so, others get one mail', async () => {
  const first = await subscribe('devika@example.org');
  const again = await subscribe('DEVIKA@example.org');
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(stack.mail.mails).toHaveLength(1);
  const joined = await join();
  const known = await subscribe('devika@example.org');
  expect([known.status, known.text]).toEqual([first.status, first.text]);
  expect(await subscribers()).toEqual([joined]);
  expect(stack.mail.mails).toHaveLength(2);
});

test('the page’s button and the mail program’s own end the subscription, however often they are pressed', async () => {
  const { token } = await join();
  expect(await leaveByOneClick(token)).toMatchObject({ status: 200, json: { unsubscribed: true } });
  const [left] = await subscribers();
  expect(left?.unsubscribed_at).not.toBeNull();
  const pressed = await leave(token);
  expect([pressed.status, pressed.headers.get('location')]).toEqual([
    303,
    '/newsletter/unsubscribed',
  ]);
  expect(await subscribers()).toEqual([left]);
  await stack.sql('update public.subscribers set unsubscribed_at = null');
  await leave(token);
  expect((await subscribers())[0]?.unsubscribed_at).not.toBeNull();
});

test('an unknown token gets the same unsubscribe response without effect, and confirms nothing; a link that was cut is refused', async () => {
  const joined = await join();
  expect((await leaveByOneClick(crypto.randomUUID())).json).toEqual({ unsubscribed: true });
  expect((await leave(crypto.randomUUID())).headers.get('location')).toBe(
    '/newsletter/unsubscribed',
  );
  const unknown = await confirm(crypto.randomUUID());
  expect([unknown.status, unknown.text.includes('This link does not work any more')]).toEqual([
    404,
    true,
  ]);
  for (const cut of [joined.token.slice(0, 20), ''])
    expect([
      (await leave(cut)).status,
      (await leaveByOneClick(cut)).status,
      (await confirm(cut)).status,
    ]).toEqual([400, 400, 400]);
  expect(await subscribers()).toEqual([joined]);
});

test('an invalid address is refused', () =>
  eachRow(['', 'devika', 'devika@', `${'d'.repeat(250)}@example.org`, null, 7], async (email) => {
    const answer = await subscribe(email);
    expect(answer).toMatchObject({
      status: 400,
      json: { error: 'invalid_request', message: 'Invalid email' },
    });
    expect(await subscribers()).toEqual([]);
  }));

test('a form posted without JavaScript is answered with a page', async () => {
  const taken = await postForm(stack, 'newsletter', {
    email: 'devika@example.org',
    website: '',
  });
  expect([taken.status, taken.headers.get('location')]).toEqual([303, '/newsletter/subscribed']);
  const refused = await postForm(stack, 'newsletter', { email: 'devika at example' });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('value="devika at example"');
  expect(await subscribers()).toHaveLength(1);
});
