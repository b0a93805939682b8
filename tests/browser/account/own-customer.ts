import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import * as z from 'zod';
import type { OwnStack } from '#tests/browser/support/own-stack.ts';
import { expect } from '#tests/browser/support/shop.ts';
import { newCredentials, type Customer } from './customers.ts';

const keysSchema = z.object({ publishableKey: z.string() });
const mailsSchema = z.array(z.object({ links: z.array(z.string()) }));

/** A customer of a stack of the test's own, with a confirmed address. */
export async function createOwnCustomer({ url, folder }: OwnStack): Promise<Customer> {
  const secrets: unknown = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'));
  const { auth } = createClient(url, keysSchema.parse(secrets).publishableKey, {
    auth: { persistSession: false },
  });
  const credentials = newCredentials();
  const { error } = await auth.signUp(credentials);
  if (error) throw error;
  const mails = `${url}/local/mailbox.json?to=${credentials.email}`;
  let token = '';
  await expect
    .poll(async () => {
      const [mail] = mailsSchema.parse(await (await fetch(mails)).json());
      const link = mail?.links.find((address) => address.includes('token_hash='));
      token = link === undefined ? '' : (new URL(link).searchParams.get('token_hash') ?? '');
      return token;
    })
    .not.toBe('');
  const opened = await auth.verifyOtp({ token_hash: token, type: 'signup' });
  if (!opened.data.session) throw new Error('No session', { cause: opened.error });
  return { ...credentials, session: opened.data.session };
}
