import { expect, test, vi } from 'vitest';
import deletionEndpoint from '#netlify/functions/account-deletion.ts';
import { deletionLink } from '#core/account/deletion-link.ts';
import { useStack, type Answer, type Customer } from '#tests/functions/support/stack.ts';

const stack = await useStack();

const origin = 'https://kasavu.example';
const askDeletion = (token?: string): Promise<Answer> =>
  stack.call(deletionEndpoint, '/api/my-data/delete', {
    method: 'POST',
    headers: { origin },
    ...(token === undefined ? {} : { token }),
  });
const pressDelete = (address: string): Promise<Answer> =>
  stack.call(deletionEndpoint, new URL(address).pathname + new URL(address).search, {
    method: 'POST',
    headers: { origin },
  });
const accounts = async ({ id }: Customer): Promise<number> =>
  (await stack.sql('select 1 from auth.users where id = $1', id)).length;

test('an account is deleted by the mailed link alone, which works once and says the same again', async () => {
  const customer = await stack.signUp();
  const other = await stack.signUp();
  expect((await askDeletion()).status).toBe(401);
  expect(await askDeletion(customer.token)).toMatchObject({
    status: 200,
    json: { email: customer.email },
  });
  expect((await askDeletion(customer.token)).status).toBe(200);
  await vi.waitFor(() => {
    expect(stack.mail.mails).toHaveLength(1);
  });
  const [mail] = stack.mail.mails;
  expect(mail).toMatchObject({ to: [customer.email] });
  expect(await accounts(customer)).toBe(1);
  const raw = mail?.raw.replaceAll(/=\r\n/gu, '').replaceAll('=3D', '=') ?? '';
  const link = /https:\/\/kasavu\.example\/account\/delete\?token=[\w.-]+/u.exec(raw)?.[0] ?? '';
  for (let press = 0; press < 2; press += 1) {
    const done = await pressDelete(link);
    expect([done.status, done.headers.get('location')]).toEqual([303, '/account/deleted']);
  }
  expect([await accounts(customer), await accounts(other)]).toEqual([0, 1]);
  expect((await askDeletion(customer.token)).status).toBe(401);
});

test('a link that is cut, changed, another account’s or a day old deletes nothing', async () => {
  const [customer, other] = [await stack.signUp(), await stack.signUp()];
  const good = deletionLink(customer.id, Date.now());
  const old = deletionLink(customer.id, Date.now() - 24 * 3_600_000 - 1_000);
  const links = [
    good.slice(0, -1),
    good.replace(customer.id, other.id),
    good.replace(/\.\d+\./u, (until) => `.${String(Number(until.slice(1, -1)) + 1)}.`),
    `${origin}/account/delete`,
    old,
  ];
  for (const link of links) {
    const answer = await pressDelete(link);
    expect(answer.status, link).toBe(404);
    expect(answer.text).toContain('This link does not work any more');
  }
  expect([await accounts(customer), await accounts(other)]).toEqual([1, 1]);
});
