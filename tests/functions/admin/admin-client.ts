import { vi } from 'vitest';
import { demoCost, hashPassword } from '#core/auth/password.ts';
import { functionAt } from '#tests/functions/support/functions.ts';
import type { Answer, Stack } from '#tests/functions/support/stack.ts';

export const adminPassword = 'canary-owner-password-1';
const origin = 'https://kasavu.example';

/** The parts of an admin request that a test changes: null leaves a header out. */
export interface AskOptions {
  origin?: string | null;
  type?: string | null;
  cookie?: string | null;
  body?: BodyInit | null;
  context?: object;
}

/** The admin at their browser: sends requests as the page does. */
export interface AdminClient {
  /** `name=value`, as the browser sends it back. */
  cookie: string;
  ask: (method: string, path: string, body?: unknown, options?: AskOptions) => Promise<Answer>;
}

let hashed: Promise<string> | undefined;

/** Sets the admin's password for the functions. Needed once a file, after `useStack`. */
export async function setAdminPassword(password = adminPassword): Promise<void> {
  const line =
    password === adminPassword
      ? (hashed ??= hashPassword(password, demoCost))
      : hashPassword(password, demoCost);
  vi.stubEnv('ADMIN_PASSWORD_HASH', await line);
}

/** A request of the admin page; changing ones with the page's own origin and JSON unless `options` say otherwise. */
export function askAs(stack: Stack, cookie: string | null): AdminClient['ask'] {
  return async (method, path, body, options = {}) => {
    const headers = new Headers();
    const reads = method === 'GET' || method === 'HEAD';
    const set = (name: string, value: string | null | undefined): void => {
      if (value !== null && value !== undefined) headers.set(name, value);
    };
    set('cookie', options.cookie === undefined ? cookie : options.cookie);
    if (!reads) {
      set('origin', options.origin === undefined ? origin : options.origin);
      set('content-type', options.type === undefined ? 'application/json' : options.type);
    }
    const content = options.body ?? JSON.stringify(body ?? {});
    return stack.call(await functionAt(method, path), path, {
      method,
      headers,
      ...(reads ? {} : { body: content }),
      ...(options.context ? { context: options.context } : {}),
    });
  };
}

/** The invoice of an order as the page's form opens it: issued when it has none, then shown; or why it is not. */
export async function openInvoice(
  { ask }: Pick<AdminClient, 'ask'>,
  id: number | string,
): Promise<Answer> {
  const path = `/api/admin/orders/${String(id)}/invoice`;
  const issued = await ask('POST', path, undefined, {
    type: 'application/x-www-form-urlencoded',
    body: '',
  });
  return issued.status === 303 ? ask('GET', path) : issued;
}

/** Logs the admin in with the right password. */
export async function logIn(stack: Stack, context?: object): Promise<AdminClient> {
  const answer = await askAs(stack, null)(
    'POST',
    '/api/admin/login',
    { password: adminPassword },
    context ? { context } : {},
  );
  const cookie = answer.headers
    .getSetCookie()
    .find((line) => line.startsWith('__Host-kasavu-admin='))
    ?.split(';')[0];
  if (cookie === undefined) throw new Error(`Could not log in: ${answer.text}`);
  return { cookie, ask: askAs(stack, cookie) };
}

/** Makes the session look as after more than ten minutes of work. */
export const confirmationEnds = (stack: Stack): Promise<unknown> =>
  stack.sql(
    `update public.admin_sessions set confirmed_at = now() - interval '11 minutes', unconfirmed_paise = 0 where true`,
  );

export const confirm = (admin: AdminClient, body: Record<string, unknown> = {}): Promise<Answer> =>
  admin.ask('POST', '/api/admin/confirm', { password: adminPassword, ...body });
