import { beforeEach, expect, test } from 'vitest';
import stockAlertsEndpoint from '#netlify/functions/stock-alerts.ts';
import { useAdminShop } from '#tests/functions/support/admin-shop.ts';
import type { Answer } from '#tests/functions/support/stack.ts';
import { formTime } from '#tests/functions/forms/visitor-forms.ts';
import { eachRow } from '#tests/each-row.ts';

const shop = await useAdminShop();
beforeEach(() => shop.sql('delete from public.costs where true'));

const ask = (body: object) =>
  shop.post(stockAlertsEndpoint, '/api/stock-alert', {
    form_time: formTime(5_000, 'stock-alert'),
    ...body,
  });

/** Presses the button to which the mail to this address leads. */
async function confirm(email: string): Promise<Answer> {
  const mail = shop.mail.mails.findLast(({ to }) => to[0] === email);
  const token = /stock-alert\/confirm\?token=3D([\w-]+)/u.exec(
    mail?.raw.replaceAll(/=\r?\n/gu, '') ?? '',
  )?.[1];
  return shop.call(stockAlertsEndpoint, `/stock-alert/confirm?token=${token ?? ''}`, {
    method: 'POST',
    headers: { origin: 'https://kasavu.example' },
  });
}

test('a customer who confirmed an address gets one mail when the product is back, and the admin sees and deletes who waits', async () => {
  const ring = await shop.addProduct({ name: 'Thread Ring', stock: 0 });
  expect(await ask({ product_id: ring, email: 'Waiting@example.com' })).toMatchObject({
    status: 200,
    json: { received: true },
  });
  expect((await ask({ product_id: ring, email: 'gone@example.com' })).status).toBe(200);
  expect((await ask({ product_id: ring, email: 'silent@example.com' })).status).toBe(200);
  for (const email of ['waiting@example.com', 'gone@example.com']) {
    const answer = await confirm(email);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      '/stock-alert/confirmed',
    ]);
  }
  const path = '/api/admin/stock-alert';
  const { alerts } = (await shop.admin.ask('GET', path)).json as {
    alerts: { id: number; email: string; name: string }[];
  };
  expect(alerts).toMatchObject([
    { email: 'gone@example.com', name: 'Thread Ring' },
    { email: 'waiting@example.com' },
  ]);
  const left = await shop.admin.ask('DELETE', path, {
    ids: [alerts[0]?.id],
  });
  expect(left).toMatchObject({ status: 200, json: { alerts: [{ email: 'waiting@example.com' }] } });

  await shop.sql('update public.products set stock = 2 where id = $1', ring);
  shop.mail.mails.length = 0;
  await shop.sweep();
  const sent = shop.mail.mails.filter(({ raw }) => raw.includes('is back'));
  expect(sent.map(({ to }) => to)).toEqual([['waiting@example.com']]);
  expect(sent[0]?.raw.replaceAll(/=\r?\n/gu, '')).toContain(`/product/${ring}`);
  expect(await ask({ product_id: ring, email: 'waiting@example.com' })).toMatchObject({
    status: 409,
    json: { error: 'available' },
  });
});

test('the form has the guards of the newsletter’s', async () => {
  const ring = await shop.addProduct({ stock: 0 });
  const good = { product_id: ring, email: 'a@example.com' };
  await eachRow(
    [
      [{ ...good, website: 'http://spam' }, 400, 'refused'],
      [{ ...good, form_time: formTime(100, 'stock-alert') }, 400, 'too_fast'],
      [{ ...good, email: 'nobody' }, 400, 'invalid_request'],
      [{ ...good, product_id: '1' }, 400, 'invalid_request'],
      [{ ...good, size: '12' }, 404, 'not_found'],
      [{ ...good, product_id: crypto.randomUUID() }, 404, 'not_found'],
    ] as const,
    async ([body, status, error]) => {
      expect(await ask(body)).toMatchObject({ status, json: { error } });
    },
  );
  const posted = (body: string) =>
    shop.call(stockAlertsEndpoint, '/api/stock-alert', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });
  const page = await posted(
    `product_id=${ring}&size=&email=b%40example.com&form_time=${formTime(5_000, 'stock-alert')}`,
  );
  expect([page.status, page.text.includes('We will write to you')]).toEqual([200, true]);
});

test('a signed-in customer asks for news at their own address without a mail; an expired token is no sign-in', async () => {
  const customer = await shop.signUp();
  const ring = await shop.addProduct({ stock: 0 });
  shop.mail.mails.length = 0;
  const askAs = (token: string, email: string) =>
    shop.post(
      stockAlertsEndpoint,
      '/api/stock-alert',
      { form_time: formTime(5_000, 'stock-alert'), product_id: ring, email },
      { token },
    );
  expect((await askAs(customer.token, customer.email)).status).toBe(200);
  expect(shop.mail.mails).toEqual([]);
  expect((await askAs('a.b.c', 'other@example.com')).status).toBe(200);
  expect(shop.mail.mails.map(({ to }) => to)).toEqual([['other@example.com']]);
});
