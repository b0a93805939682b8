import { expect, test } from 'vitest';
import myDataEndpoint from '#netlify/functions/data-export.ts';
import { logIn, setAdminPassword } from '#tests/functions/admin/admin-client.ts';
import { useStack, type Answer } from '#tests/functions/support/stack.ts';

const stack = await useStack();

const show = (as: string, token: string): Promise<Answer> =>
  stack.call(myDataEndpoint, `/api/my-data?as=${as}`, {
    method: 'POST',
    headers: {
      origin: 'https://kasavu.example',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ token }).toString(),
  });

test("a customer's data is served as a page and a file, and only after a sign-in", async () => {
  const customer = await stack.signUp();
  await stack.sql(`update public.profiles set city = 'Kochi <script>' where id = '${customer.id}'`);
  const page = await show('page', customer.token);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.text).toContain(customer.email);
  expect(page.text).toContain('Kochi &lt;script&gt;');
  expect(page.text).toMatch(/The shop holds nothing about: Orders,/u);
  const file = await show('file', customer.token);
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="my-data.json"');
  expect(file.headers.get('cache-control')).toBe('no-store');
  expect(file.json).toMatchObject({
    account: { email: customer.email },
    profile: { city: 'Kochi <script>' },
    orders: null,
  });
  const refused = await show('page', 'nobody');
  expect(refused.status).toBe(401);
  expect(refused.text).toContain('Please sign in again');
});

test('the admin exports the data of an address, and sees when there is none', async () => {
  await setAdminPassword();
  const admin = await logIn(stack);
  const ask = (query: string, email: string) =>
    admin.ask('POST', `/api/admin/personal-data${query}`, { email });
  const { email } = await stack.signUp();
  expect((await ask('', ` ${email.toUpperCase()} `)).text).toContain(email);
  expect((await ask('?as=file', email)).json).toMatchObject({ account: { email } });
  expect(await ask('', 'nobody@example.com')).toMatchObject({ status: 404 });
});
