import { createClient } from '@supabase/supabase-js';
import { expect, test, vi } from 'vitest';
import { publishableKey } from '#tests/functions/support/database-server.ts';
import { functionAt } from '#tests/functions/support/functions.ts';
import { useStack } from '#tests/functions/support/stack.ts';

const stack = await useStack();

test('the auth API changes no address: an account never sees the messages of another one', async () => {
  await stack.sql(
    `select public.save_contact_message('Victim', 'victim@firm.example', '', 'A private word')`,
  );
  const client = createClient(stack.database.url, publishableKey, {
    auth: { persistSession: false },
  });
  const email = `${crypto.randomUUID()}@example.com`;
  const { data } = await client.auth.signUp({ email, password: 'of-the-attacker' });
  const token = data.session?.access_token ?? '';
  expect(token).not.toBe('');

  // The embedded auth service prints the refusal of the database.
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { error } = await client.auth.updateUser({ email: 'victim@firm.example' });

  expect(error).not.toBeNull();
  expect(printed).toHaveBeenCalledTimes(1);
  expect(
    await stack.sql(`select email_change from auth.users where email_change like 'victim%'`),
  ).toEqual([]);
  expect(
    (
      await client.auth.signInWithPassword({
        email: 'victim@firm.example',
        password: 'of-the-attacker',
      })
    ).error?.code,
  ).toBe('invalid_credentials');
  const own = await stack.call(await functionAt('POST', '/api/my-data'), '/api/my-data?as=file', {
    method: 'POST',
    headers: {
      origin: 'https://kasavu.example',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ token }).toString(),
  });
  expect(own.json).toMatchObject({ account: { email } });
  expect(own.text).not.toContain('private word');
});
