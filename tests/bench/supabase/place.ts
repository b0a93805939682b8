import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { EmbeddedStack } from '#tests/bench/support/embedded-stack.ts';

/** A shop that runs on one Supabase: the embedded one, or the project of SHOP_SUPABASE. */
export interface Place {
  stack: EmbeddedStack;
  /** The shop. */
  origin: string;
  /** Its Supabase. */
  supabase: string;
  publishableKey: string;
  secretKey: string;
}

/** One thing that both must do alike. */
export interface Row {
  name: string;
  /** The expected outcome, as `run` writes it. */
  want: string;
  run: (place: Place) => Promise<string>;
  /** Why the embedded Supabase does otherwise, and what it does, where that is left as it is. */
  embedded?: { want: string; why: string };
}

export interface Answer {
  status: number;
  /** `error_code` of Auth, `code` of the Data API, `error` of Storage; '' without one. */
  code: string;
  body: Readonly<Record<string, unknown>>;
  text: string;
  headers: Headers;
}

export interface Call {
  method?: string;
  body?: unknown;
  /** The session; without one the key's role is asked. */
  token?: string | undefined;
  key?: string;
  headers?: Record<string, string>;
}

/** An address of its own for each caller: Auth limits each address. */
const newAddress = (): string =>
  `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(9, 13)}::1`;

const bodySchema = z.record(z.string(), z.unknown()).catch({});

async function send(address: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(address, { redirect: 'manual', ...init });
  const text = await answer.text();
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(text);
  } catch {
    // No JSON: an image, or nothing.
  }
  const body = bodySchema.parse(parsed);
  const code = [body['error_code'], body['code'], body['error']].find(
    (value): value is string => typeof value === 'string',
  );
  return { status: answer.status, code: code ?? '', body, text, headers: answer.headers };
}

/** Sends a request to Supabase: JSON, or bytes as they are. */
export async function ask(
  { supabase, publishableKey }: Place,
  path: string,
  { method, body, token, key = publishableKey, headers = {} }: Call = {},
): Promise<Answer> {
  const isRaw = body instanceof Uint8Array;
  const content = body === undefined ? null : isRaw ? Buffer.from(body) : JSON.stringify(body);
  return send(supabase + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      apikey: key,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(content === null || isRaw ? {} : { 'content-type': 'application/json' }),
      'x-forwarded-for': newAddress(),
      ...headers,
    },
    body: content,
  });
}

/** Sends JSON to the shop's own functions. */
export const askShop = async (
  { origin }: Place,
  path: string,
  { method, body, token, headers = {} }: Call = {},
): Promise<Answer> =>
  send(origin + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(body === undefined || body instanceof Uint8Array
        ? {}
        : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body:
      body === undefined
        ? null
        : body instanceof Uint8Array
          ? Buffer.from(body)
          : JSON.stringify(body),
  });

/** '200', or '422 weak_password'. */
export const short = ({ status, code }: Answer): string =>
  status < 300 ? String(status) : `${String(status)} ${code}`.trim();

/** Runs a statement as the database's owner. */
export async function sql<T = Record<string, unknown>>(
  { origin, secretKey }: Place,
  text: string,
  ...values: readonly unknown[]
): Promise<T[]> {
  const answer = await fetch(`${origin}/local/sql`, {
    method: 'POST',
    headers: { apikey: secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({ sql: text, values }),
  });
  if (!answer.ok) throw new Error(`${text}: ${await answer.text()}`);
  return (await answer.json()) as T[];
}

const mailSchema = z.object({ subject: z.string(), text: z.string(), links: z.array(z.string()) });
type Mail = z.infer<typeof mailSchema>;

/** The mails to an address, newest first. */
export async function mailsTo({ origin }: Place, email: string): Promise<Mail[]> {
  const query = new URLSearchParams({ to: email });
  const answer = await fetch(`${origin}/local/mailbox.json?${query.toString()}`);
  return z.array(mailSchema).parse(await answer.json());
}

/** Waits until an address has this many mails, for five seconds; resolves to the newest. */
export async function waitForMail(place: Place, email: string, count = 1): Promise<Mail> {
  for (let tries = 0; tries < 50; tries += 1) {
    const mails = await mailsTo(place, email);
    const [newest] = mails;
    if (newest && mails.length >= count) return newest;
    await pause(100);
  }
  throw new Error(`No mail number ${String(count)} to ${email}`);
}

export interface Code {
  code: string;
  tokenHash: string;
  kind: 'signup' | 'recovery';
}

/** The code of the newest mail, once an address has `count` of them. */
export async function waitForCode(place: Place, email: string, count = 1): Promise<Code> {
  const { subject, links } = await waitForMail(place, email, count);
  const link = links.find((one) => one.includes('token_hash='));
  const query = new URL(link ?? 'http://none').searchParams;
  return {
    code: /^\d{6,10}/u.exec(subject)?.[0] ?? '',
    tokenHash: query.get('token_hash') ?? '',
    kind: query.get('type') === 'signup' ? 'signup' : 'recovery',
  };
}

export const newEmail = (): string => `c-${randomUUID().slice(0, 13)}@example.com`;

export const password = 'a-good-password';

const sessionSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  user: z.object({ id: z.string(), email: z.string() }),
});
export type Session = z.infer<typeof sessionSchema>;

export const sessionOf = ({ body, text }: Answer): Session => {
  const parsed = sessionSchema.safeParse(body);
  if (!parsed.success) throw new Error(`No session: ${text}`);
  return parsed.data;
};

export const signUp = async (place: Place, email: string, typed = password): Promise<Answer> =>
  ask(place, '/auth/v1/signup', { body: { email, password: typed, data: { name: '' } } });
export const logIn = async (place: Place, email: string, typed = password): Promise<Answer> =>
  ask(place, '/auth/v1/token?grant_type=password', { body: { email, password: typed } });
export const verify = async (
  place: Place,
  email: string,
  { code, kind }: Pick<Code, 'code' | 'kind'>,
): Promise<Answer> => ask(place, '/auth/v1/verify', { body: { email, token: code, type: kind } });
export const recover = async (place: Place, email: string): Promise<Answer> =>
  ask(place, '/auth/v1/recover', { body: { email } });
export const updateUser = async (place: Place, token: string, body: object): Promise<Answer> =>
  ask(place, '/auth/v1/user', { method: 'PUT', token, body });
export const refresh = async (place: Place, token: string): Promise<Answer> =>
  ask(place, '/auth/v1/token?grant_type=refresh_token', { body: { refresh_token: token } });

/** A customer as the page makes one: signed up, confirmed by the code, with the typed password. */
export async function newCustomer(place: Place, email = newEmail()): Promise<Session> {
  await signUp(place, email);
  const session = sessionOf(await verify(place, email, await waitForCode(place, email)));
  const { status, text } = await updateUser(place, session.access_token, { password });
  if (status !== 200) throw new Error(`The password was refused: ${text}`);
  return session;
}

/** Lets time pass for the mails of an account. */
export const passTime = async (place: Place, email: string, seconds: number): Promise<unknown> =>
  sql(
    place,
    `update auth.users set confirmation_sent_at = confirmation_sent_at - make_interval(secs => $2::int),
       recovery_sent_at = recovery_sent_at - make_interval(secs => $2::int) where email = $1 returning id`,
    email,
    seconds,
  );
