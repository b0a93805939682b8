import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { eachRow } from '#tests/each-row.ts';
import { serveFetch, type Served } from '#tests/functions/support/serve-fetch.ts';
import { useStack, type Answer } from '#tests/functions/support/stack.ts';
import { sendForm } from '#tests/functions/forms/visitor-forms.ts';

/* Cloudflare's siteverify, as it is documented: a token is good once, and for the form that it was made for. */
const stack = await useStack();
let turnstile: Served;
let asked: { secret: string; response: string }[] = [];
let tokens = new Map<string, string>();
let fault: 'none' | 'dropped' | 'nonsense' = 'none';
let hostname = 'kasavu.example';
const secret = 'turnstile-secret-canary';
/** Published by Cloudflare for tests: always passes. */
const testSecret = '1x0000000000000000000000000000000AA';

async function siteverify(request: Request): Promise<Response | null> {
  const body = (await request.json()) as { secret: string; response: string };
  asked.push(body);
  if (fault === 'dropped') return null;
  if (fault === 'nonsense') return new Response('<html>', { status: 502 });
  const refuse = (code: string) => Response.json({ success: false, 'error-codes': [code] });
  if (body.secret !== secret && body.secret !== testSecret) return refuse('invalid-input-secret');
  const action = tokens.get(body.response);
  if (action === undefined) return refuse('timeout-or-duplicate');
  tokens.delete(body.response);
  return Response.json({ success: true, action, hostname, 'error-codes': [] });
}

beforeAll(async () => {
  turnstile = await serveFetch(siteverify);
});
afterAll(async () => {
  await turnstile.close();
});
beforeEach(async () => {
  asked = [];
  tokens = new Map();
  fault = 'none';
  hostname = 'kasavu.example';
  vi.stubEnv('TURNSTILE_SECRET_KEY', secret);
  vi.stubEnv('TURNSTILE_API_URL', turnstile.url);
  await stack.sql('truncate public.contact_messages, public.outbox, public.costs');
});
afterEach(() => {
  vi.stubEnv('TURNSTILE_SECRET_KEY', '');
});

const message = {
  name: 'Devika Pillai',
  email: 'devika@example.org',
  subject: 'Ring size',
  message: 'Which size fits?',
};
const send = (token?: string): Promise<Answer> =>
  sendForm(stack, 'contact', { ...message, turnstile_token: token });
const stored = async (): Promise<number> =>
  (await stack.sql('select 1 from public.contact_messages')).length;

test('a token of this form lets a message through once; the visitor’s address is not sent along', async () => {
  tokens.set('good', 'contact');
  expect((await send('good')).status).toBe(200);
  expect(asked).toEqual([{ secret, response: 'good' }]);
  expect(await send('good')).toMatchObject({ status: 400, json: { error: 'human_check' } });
  expect(await stored()).toBe(1);
});

test('a form without a token, with a made-up one, or with one of another form is refused with a sentence', async () => {
  tokens.set('of the newsletter', 'newsletter');
  const rows: [string | undefined, RegExp][] = [
    [undefined, /turn on JavaScript/u],
    ['', /turn on JavaScript/u],
    ['x'.repeat(2_049), /turn on JavaScript/u],
    ['made-up', /press the button once more/u],
    ['of the newsletter', /press the button once more/u],
  ];
  await eachRow(rows, async ([token, sentence]) => {
    const answer = await send(token);
    expect(answer).toMatchObject({ status: 400, json: { error: 'human_check' } });
    expect(answer.json['message']).toMatch(sentence);
  });
  expect(await stored()).toBe(0);
});

test('every public form asks for a token', () =>
  eachRow(
    [
      ['newsletter', { email: 'devika@example.org' }],
      ['stock-alert', { email: 'devika@example.org', product_id: crypto.randomUUID(), size: '' }],
    ] as const,
    async ([form, values]) => {
      expect(await sendForm(stack, form, values)).toMatchObject({
        status: 400,
        json: { error: 'human_check' },
      });
    },
  ));

test('while Cloudflare cannot be reached, or refuses the shop’s secret, a form answers 503 with the address to write to', async () => {
  await eachRow(['dropped', 'nonsense', 'none'] as const, async (kind) => {
    fault = kind;
    if (kind === 'none') vi.stubEnv('TURNSTILE_SECRET_KEY', 'another-canary');
    const answer = await send('any');
    expect(answer).toMatchObject({ status: 503, json: { error: 'human_check_unavailable' } });
    expect(answer.json['message']).toMatch(/@/u);
  });
  expect(await stored()).toBe(0);
});

test('robots without a token do not use up the limit of everybody', async () => {
  await send('made-up');
  const everyone = `select 1 from public.costs where effect = 'form'`;
  expect(await stack.sql(everyone)).toEqual([]);
  tokens.set('good', 'contact');
  expect(await send('good')).toMatchObject({ status: 200 });
  expect(await stack.sql(everyone)).toHaveLength(1);
});

test('a token that another site showed, or that names no form, is refused; the answers of Cloudflare’s test secrets are not', async () => {
  tokens.set('of another site', 'contact');
  hostname = 'evil.example';
  expect(await send('of another site')).toMatchObject({ status: 400 });
  hostname = 'kasavu.example';
  tokens.set('of no form', '');
  expect(await send('of no form')).toMatchObject({ status: 400, json: { error: 'human_check' } });
  expect(await stored()).toBe(0);
  vi.stubEnv('TURNSTILE_SECRET_KEY', testSecret);
  hostname = 'example.com';
  tokens.set('of a test key', '');
  expect((await send('of a test key')).status).toBe(200);
});

test('a token is not verified at another address', async () => {
  const elsewhere: string[] = [];
  const other = await serveFetch((request) => {
    elsewhere.push(request.url);
    return Response.json({ success: true, action: 'contact', hostname });
  });
  const moved = await serveFetch(
    () => new Response(null, { status: 307, headers: { location: other.url } }),
  );
  vi.stubEnv('TURNSTILE_API_URL', moved.url);
  expect(await send('any')).toMatchObject({
    status: 503,
    json: { error: 'human_check_unavailable' },
  });
  expect(elsewhere).toEqual([]);
  await moved.close();
  await other.close();
});
