import { createHmac } from 'node:crypto';
import { createClient } from '@supabase/supabase-js';
import { jwtSecret, publishableKey, type DatabaseServer } from './database-server.ts';

export interface Customer {
  id: string;
  email: string;
  token: string;
}

/** Makes an account through the API, as the page does. */
async function signUp(url: string): Promise<Customer> {
  const client = createClient(url, publishableKey, { auth: { persistSession: false } });
  const email = `${crypto.randomUUID()}@example.com`;
  const { data, error } = await client.auth.signUp({ email, password: 'a-password' });
  if (error || !data.session) throw new Error('Could not sign up', { cause: error });
  return { id: data.session.user.id, email, token: data.session.access_token };
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The same token for another account, signed as the API signs its own. */
function tokenFor(token: string, { id, email }: Pick<Customer, 'id' | 'email'>): string {
  const [head = '', body = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
  const signed = `${head}.${encode({ ...claims, sub: id, email })}`;
  return `${signed}.${createHmac('sha256', jwtSecret).update(signed).digest('base64url')}`;
}

/**
 * Returns what makes accounts with a confirmed address and a valid token. Hashing a password takes longer than all else
 * in most tests, so only the first account goes the whole way; the others are rows without a password.
 */
export function openAccounts(database: DatabaseServer): () => Promise<Customer> {
  let first: Promise<Customer> | undefined;
  return async () => {
    const { token } = await (first ??= signUp(database.url));
    const email = `${crypto.randomUUID()}@example.com`;
    const [row] = await database.sql<{ id: string }>(
      'insert into auth.users (id, email, email_confirmed_at) values (gen_random_uuid(), $1, now()) returning id',
      email,
    );
    if (!row) throw new Error('No account was made');
    return { id: row.id, email, token: tokenFor(token, { id: row.id, email }) };
  };
}
