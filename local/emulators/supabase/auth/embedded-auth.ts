import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { EmailDriver } from '@supabase/lite';
import * as z from 'zod';
import { codeLength } from '#domain/account/mailed-code.ts';
import { refuse, tooEarly } from './refusals.ts';
import type { AuthMail, SendEmailHook } from './send-email-hook.ts';

type Query = <Row>(sql: string, ...values: readonly unknown[]) => Promise<Row[]>;
type Fetch = (request: Request) => Promise<Response>;

export interface EmbeddedAuth {
  /** Collects the mails that the package's Auth writes. */
  driver: EmailDriver;
  /** Handles a request to /auth/v1. One at a time, because the package does not say which call a mail belongs to. */
  handle: Fetch;
}

const bodySchema = z
  .object({
    email: z.string().toLowerCase().optional(),
    type: z.string().optional(),
    password: z.string().optional(),
    create_user: z.boolean().optional(),
    data: z.record(z.string(), z.unknown()).optional(),
  })
  .catch({});
type Body = z.infer<typeof bodySchema>;

const codesSchema = z.object({
  token: z.string(),
  token_hash: z.string(),
  redirect_to: z.string(),
});
const claimsSchema = z.object({ sub: z.string(), session_id: z.string() });

/** Columns that a mail changes, and that stay as they were when the hook refuses it. */
const mailColumns = [
  'confirmation_token',
  'confirmation_sent_at',
  'recovery_token',
  'recovery_sent_at',
  'email_change',
  'email_change_token_new',
  'email_change_token_current',
  'email_change_sent_at',
  'reauthentication_token',
  'reauthentication_sent_at',
] as const;

interface User extends Record<(typeof mailColumns)[number], unknown> {
  id: string;
  email: string;
  email_confirmed_at: string | null;
}

/** The claims of a session's token. Auth checks the signature later; here they only refuse more. */
function claimsOf(request: Request): z.infer<typeof claimsSchema> | null {
  const [, payload = ''] = (request.headers.get('authorization') ?? '').split('.');
  try {
    return claimsSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  } catch {
    return null;
  }
}

/**
 * Supabase Auth (github.com/supabase/auth) where `@supabase/lite` does less or otherwise: the "Send Email" hook, whose refusal
 * undoes the call; the time between two mails of an account; sign-up and codes for an address that has an account; a password
 * after a day. `npm run bench -- supabase` compares both.
 */
export function createEmbeddedAuth(
  fetchAuth: Fetch,
  query: Query,
  callHook: SendEmailHook,
): EmbeddedAuth {
  let written: { to: string; subject: string; html: string | undefined }[] = [];

  const findUser = async (email: string | undefined, id?: string): Promise<User | undefined> => {
    const [user] = await query<User>(
      `select id, email, email_confirmed_at, ${mailColumns.join()} from auth.users where email = $1 or id::text = $2`,
      email ?? null,
      id ?? null,
    );
    return user;
  };

  /** Removes what a refused call left: a new account, or the tokens of a mail. */
  async function undo(email: string, before: User | undefined): Promise<void> {
    if (!before) {
      await query('delete from auth.users where email = $1', email);
      return;
    }
    const changes = mailColumns.map((column, index) => `${column} = $${String(index + 2)}`);
    await query(
      `update auth.users set ${changes.join()} where id = $1`,
      before.id,
      ...mailColumns.map((column) => before[column]),
    );
  }

  /** Sends what the package wrote. Returns the refusal of the hook. */
  async function sendWritten(before: User | undefined): Promise<Response | null> {
    const mails = written;
    written = [];
    for (const { to, subject, html = '' } of mails) {
      const user = before ?? (await findUser(to));
      // The package takes no template for the mail of /reauthenticate.
      const codes = html.startsWith('{')
        ? codesSchema.parse(JSON.parse(html))
        : { token: '', token_hash: '', redirect_to: '' };
      const refusal = await callHook({
        user: { id: user?.id ?? randomUUID(), email: to },
        action: html.startsWith('{') ? subject : 'reauthentication',
        token: codes.token,
        tokenHash: codes.token_hash,
        redirectTo: codes.redirect_to,
      });
      if (refusal === null) continue;
      await undo(to, before);
      return refuse(refusal.status, refusal.code, refusal.message);
    }
    return null;
  }

  /** Mails an account that is not confirmed yet another code. The answer is `done` when it is sent. */
  async function sendConfirmation(user: User, done: () => Response): Promise<Response> {
    const early = tooEarly(user.confirmation_sent_at);
    if (early) return early;
    const token = String(randomInt(10 ** codeLength)).padStart(codeLength, '0');
    // The package hashes this way, and it compares. Supabase Auth itself uses SHA-224.
    const tokenHash = createHash('sha256')
      .update(user.email + token)
      .digest('hex');
    const mail: AuthMail = { user, action: 'signup', token, tokenHash, redirectTo: '' };
    const refusal = await callHook(mail);
    if (refusal) return refuse(refusal.status, refusal.code, refusal.message);
    await query(
      'update auth.users set confirmation_token = $2, confirmation_sent_at = now() where id = $1',
      user.id,
      tokenHash,
    );
    return done();
  }

  /**
   * The answer to a sign-up with an address that has an account. Supabase Auth gives a confirmed one no identities, and that of an
   * account that it mailed again its own.
   */
  const repeatedUser = ({ email = '', data = {} }: Body, identities: unknown[]): Response => {
    const now = new Date().toISOString();
    return Response.json({
      id: randomUUID(),
      aud: 'authenticated',
      role: '',
      email,
      phone: '',
      confirmation_sent_at: now,
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: data,
      identities,
      created_at: now,
      updated_at: now,
      is_anonymous: false,
    });
  };

  /** A sign-up or a new code of one, for an account that is there; null for the package to answer. */
  async function repeatSignUp(
    call: string,
    body: Body,
    user: User,
    answered: Response,
  ): Promise<Response | null> {
    // The package refuses both with 429 once it has found nothing else wrong.
    if (answered.status !== 429) return null;
    if (user.email_confirmed_at !== null)
      return call === 'POST /signup' ? repeatedUser(body, []) : null;
    const identities = await query('select * from auth.identities where user_id = $1', user.id);
    return sendConfirmation(user, () =>
      call === 'POST /signup' ? repeatedUser(body, identities) : Response.json({}),
    );
  }

  /** Why Auth refuses a call before it does anything; null otherwise. */
  async function refusalOf(
    call: string,
    body: Body,
    user: User | undefined,
    session: string | undefined,
  ): Promise<Response | null> {
    if (/^POST \/(?:recover|otp|magiclink)$/u.test(call))
      return tooEarly(user?.recovery_sent_at ?? null);
    if (call !== 'PUT /user' || body.password === undefined) return null;
    const [old] = await query(
      `select from auth.sessions where id::text = $1 and created_at < now() - interval '24 hours'`,
      session ?? null,
    );
    return old
      ? refuse(400, 'reauthentication_needed', 'Password update requires reauthentication')
      : null;
  }

  /** `/otp` for an address without an account is a sign-up with a password that nobody knows. */
  const asSignUp = (request: Request, { email, data }: Body): Request =>
    new Request(new URL('/auth/v1/signup', request.url), {
      method: 'POST',
      headers: request.headers,
      body: JSON.stringify({ email, data, password: randomBytes(24).toString('base64url') }),
    });

  async function answer(request: Request): Promise<Response> {
    const call = `${request.method} ${new URL(request.url).pathname.replace('/auth/v1', '')}`;
    const body = bodySchema.parse(
      await request
        .clone()
        .json()
        .catch(() => ({})),
    );
    const claims = claimsOf(request);
    const byToken = /^(?:PUT \/user|GET \/reauthenticate)$/u.test(call) ? claims?.sub : undefined;
    const before = await findUser(byToken === undefined ? body.email : undefined, byToken);
    const refusal = await refusalOf(call, body, before, claims?.session_id);
    if (refusal) return refusal;
    const isNewByCode =
      !before && /^POST \/(?:otp|magiclink)$/u.test(call) && body.create_user !== false;
    const response = await fetchAuth(isNewByCode ? asSignUp(request, body) : request);
    const refused = await sendWritten(before);
    if (refused) return refused;
    if (isNewByCode && response.ok) return Response.json({});
    const repeated =
      before && /^POST \/(?:signup|resend)$/u.test(call)
        ? await repeatSignUp(call, body, before, response)
        : null;
    return repeated ?? response;
  }

  return {
    driver: {
      async send({ to, subject, html }) {
        written.push({ to, subject, html });
        return Promise.resolve();
      },
    },
    handle: answer,
  };
}
