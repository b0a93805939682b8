import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import contactEndpoint from '#netlify/functions/contact.ts';
import formTimeEndpoint from '#netlify/functions/form-time.ts';
import { useStack } from '#tests/functions/support/stack.ts';
import { formTime, nextCaller, postForm, sendForm } from '#tests/functions/forms/visitor-forms.ts';
import { eachRow } from '#tests/each-row.ts';
import { reportFigures } from '#tests/figures.ts';
import { times } from '#tests/soak.ts';

const stack = await useStack();
const message = {
  name: 'Devika Pillai',
  email: 'devika@example.org',
  subject: 'Ring size',
  message: 'Which size fits 52 mm?\nThank you <3',
};

beforeEach(async () => {
  stack.database.setDown(false);
  stack.mail.setRefusing(false);
  stack.mail.mails.length = 0;
  await stack.sql('truncate public.contact_messages, public.outbox, public.costs restart identity');
});

const stored = (): Promise<Record<string, unknown>[]> =>
  stack.sql('select name, email, subject, message from public.contact_messages order by id');

test('a message is stored, and mailed to the owner so that an answer goes to the visitor', async () => {
  const answer = await sendForm(stack, 'contact', { ...message, name: '  Devika Pillai ' });
  expect(answer).toMatchObject({ status: 200, json: { received: true } });
  expect(await stored()).toEqual([message]);
  expect(stack.mail.mails).toHaveLength(1);
  expect(stack.mail.mails[0]).toMatchObject({
    to: ['owner@kasavu.example'],
    headers: { 'reply-to': 'devika@example.org', subject: 'Message from Devika Pillai: Ring size' },
  });
  expect(stack.mail.mails[0]?.raw).toContain('Which size fits 52 mm?');
});

test('a field is refused when it is blank or its content does not fit', () =>
  eachRow(
    [
      ['name', ' \n '],
      ['message', ' \n '],
      ['email', 'devika'],
      ['message', 'd'.repeat(5_001)],
      ['message', ['a list']],
    ],
    async ([field, value]) => {
      const answer = await sendForm(stack, 'contact', { ...message, [field]: value });
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
      expect(Object.keys(answer.json['fields'] as object)).toEqual([field]);
      expect(await stored()).toEqual([]);
    },
  ));

test('a line break in name or subject makes no header of its own', async () => {
  await sendForm(stack, 'contact', {
    ...message,
    name: 'A\r\nBcc: thief@example.net',
    subject: 'B\nX-Evil: 1',
  });
  const { to, headers } = stack.mail.mails[0] ?? {};
  expect(to).toEqual(['owner@kasavu.example']);
  expect(Object.keys(headers ?? {})).not.toEqual(expect.arrayContaining(['bcc']));
  expect(headers?.['x-evil']).toBeUndefined();
});

test('robots are refused with a message: the hidden field filled, or sent within two seconds', async () => {
  const trapped = await sendForm(stack, 'contact', {
    ...message,
    website: 'https://spam.example',
  });
  expect(trapped).toMatchObject({ status: 400, json: { error: 'refused' } });
  for (const ms of [0, 1_500]) {
    const hasty = await sendForm(stack, 'contact', { ...message, form_time: formTime(ms) });
    expect(hasty).toMatchObject({ status: 400, json: { error: 'too_fast' } });
  }
  expect(await stored()).toEqual([]);
});

test('the time at which a form was begun is the shop’s own word: a time that is missing, forged, moved, hours old or of another form does not count', async () => {
  const asked = await stack.call(formTimeEndpoint, '/api/form-time?form=contact');
  expect(asked.headers.get('cache-control')).toBe('no-store');
  const begun = z.string().parse(asked.json['form_time']);
  expect(await sendForm(stack, 'contact', { ...message, form_time: begun })).toMatchObject({
    status: 400,
    json: { error: 'too_fast' },
  });
  const [time = '', signature = ''] = begun.split('.');
  const forged = [
    undefined,
    '',
    time,
    `${String(Number(time) - 10_000)}.${signature}`,
    `${time}.${signature.slice(0, -2)}${signature.endsWith('AA') ? 'BB' : 'AA'}`,
    formTime(2 * 3_600_000 + 60_000),
    formTime(-60_000),
    formTime(10_000, 'newsletter'),
  ];
  await eachRow(forged, async (form_time) => {
    expect(await sendForm(stack, 'contact', { ...message, form_time })).toMatchObject({
      status: 400,
      json: { error: 'form_time' },
    });
  });
  expect(await stored()).toEqual([]);
  expect((await stack.call(formTimeEndpoint, '/api/form-time?form=order')).status).toBe(400);
  expect(
    (await sendForm(stack, 'contact', { ...message, form_time: formTime(119 * 60_000) })).status,
  ).toBe(200);
});

test('robots that fill the hidden field, hurry or repeat themselves get 30 messages in at most; people get all of theirs in', async () => {
  const robot = nextCaller();
  const [posts, people] = [times(96, 500), times(1, 50)];
  const ways = [
    () => sendForm(stack, 'contact', { ...message, website: 'https://spam.example' }),
    () => sendForm(stack, 'contact', { ...message, form_time: formTime(300) }),
    () => sendForm(stack, 'contact', message, robot),
  ];
  for (let post = 0; post < posts; post += 1) await ways[post % ways.length]?.();
  expect((await sendForm(stack, 'contact', message, robot)).status).toBe(429);
  const fromRobots = (await stored()).length;
  for (let person = 0; person < people; person += 1)
    await sendForm(stack, 'contact', { ...message, name: `Person ${String(person)}` });
  const fromPeople = (await stored()).length - fromRobots;
  reportFigures(19, {
    'posts of robots': posts,
    accepted: fromRobots,
    'posts at a person’s pace': people,
    'of them refused': people - fromPeople,
  });
  expect(fromRobots).toBe(30);
  expect(fromPeople).toBe(people);
});

test('a form posted without JavaScript is shown once more with its time, then stored and answered with the page that says so', async () => {
  const first = await postForm(stack, 'contact', { ...message, website: '', form_time: '' });
  expect([
    first.status,
    first.text.includes('One more press'),
    first.text.includes('Which size fits 52 mm?'),
  ]).toEqual([200, true, true]);
  expect(await stored()).toEqual([]);
  const shown = /name="form_time" value="([^"]+)"/u.exec(first.text)?.[1] ?? '';
  const hasty = await postForm(stack, 'contact', {
    ...message,
    website: '',
    form_time: shown,
  });
  expect([
    hasty.status,
    hasty.text.includes('That was very quick'),
    hasty.text.includes(shown),
  ]).toEqual([400, true, true]);
  const answer = await postForm(stack, 'contact', { ...message, website: '' });
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe('/contact/sent');
  expect(await stored()).toMatchObject([{ name: message.name, email: message.email }]);
});

test('a posted form that is refused comes back with everything typed, harmless', async () => {
  const typed = {
    name: 'Devika',
    email: 'not an address',
    subject: '"><script>alert(1)</script>',
    message: '\n</textarea>Hi',
  };
  const answer = await postForm(stack, 'contact', typed);
  expect(answer.status).toBe(400);
  expect(answer.headers.get('content-type')).toContain('text/html');
  expect(answer.text).toContain('Invalid email');
  expect(answer.text).toContain('value="Devika"');
  expect(answer.text).toContain('value="not an address"');
  expect(answer.text).toContain('&lt;/textarea&gt;Hi');
  expect(answer.text).not.toContain('<script');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('while the database is down the visitor sees a message and a posted form keeps its values', async () => {
  stack.database.setDown(true);
  expect(await sendForm(stack, 'contact', message)).toMatchObject({
    status: 503,
    json: { error: 'unavailable' },
  });
  const posted = await postForm(stack, 'contact', message);
  expect(posted.status).toBe(503);
  expect(posted.text).toContain('Which size fits 52 mm?');
});

test('a post from another site, or of what is no form, is refused', async () => {
  const foreign = await postForm(stack, 'contact', message, {
    'sec-fetch-site': 'cross-site',
  });
  expect(foreign).toMatchObject({ status: 403, json: { error: 'forbidden_origin' } });
  for (const body of ['{', '[]', 'null', '"text"']) {
    const headers = { 'content-type': 'application/json' };
    expect(
      (await stack.call(contactEndpoint, '/api/contact', { method: 'POST', headers, body })).status,
    ).toBe(400);
  }
  expect(await stored()).toEqual([]);
});

test('a visitor’s words do not reach the log', async () => {
  stack.logs.length = 0;
  await sendForm(stack, 'contact', message);
  expect(stack.logs.length).toBeGreaterThan(0);
  for (const words of ['Devika', 'devika', 'Ring size', '52 mm'])
    expect(stack.logs.join('\n')).not.toContain(words);
});
