import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import stockAlertsEndpoint from '../../../netlify/functions/stock-alerts.ts';
import { startAdminShop, type AdminShop } from '../support/admin-shop.ts';
import { formTime } from './visitor-forms.ts';
import { eachRow } from '../../each-row.ts';

let shop: AdminShop;
beforeAll(async () => {
  shop = await startAdminShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.stack.database.sql('delete from public.rate_limits where true'));

const ask = (body: object) =>
  shop.stack.call(stockAlertsEndpoint, '/api/stock-alert', {
    ...{
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ form_time: formTime(5_000), ...body }),
    },
  });

test('a shopper who left an address gets one mail when the piece is back, and the owner sees and deletes who waits', async () => {
  const ring = await shop.stack.addProduct({ name: 'Kasavu Ring', stock: 0 });
  expect(await ask({ product_id: ring, email: 'Waiting@example.com' })).toMatchObject({
    status: 200,
    json: { received: true },
  });
  expect((await ask({ product_id: ring, email: 'gone@example.com' })).status).toBe(200);
  const path = '/api/admin/stock-alert';
  const { alerts } = (await shop.admin.ask(stockAlertsEndpoint, 'GET', path)).json as {
    alerts: { id: number; email: string; name: string }[];
  };
  expect(alerts).toMatchObject([
    { email: 'gone@example.com', name: 'Kasavu Ring' },
    { email: 'waiting@example.com' },
  ]);
  const left = await shop.admin.ask(stockAlertsEndpoint, 'DELETE', path, { ids: [alerts[0]?.id] });
  expect(left).toMatchObject({ status: 200, json: { alerts: [{ email: 'waiting@example.com' }] } });

  await shop.stack.database.sql('update public.products set stock = 2 where id = $1', ring);
  await shop.sweep();
  const sent = shop.stack.mail.mails.filter(({ raw }) => raw.includes('is back'));
  expect(sent.map(({ to }) => to)).toEqual([['waiting@example.com']]);
  expect(sent[0]?.raw.replaceAll(/=\r?\n/gu, '')).toContain(`/product/${ring}`);
  expect(await ask({ product_id: ring, email: 'waiting@example.com' })).toMatchObject({
    status: 409,
    json: { error: 'available' },
  });
});

test('the form has the guards of the newsletter’s', async () => {
  const ring = await shop.stack.addProduct({ stock: 0 });
  const good = { product_id: ring, email: 'a@example.com' };
  await eachRow(
    [
      [{ ...good, website: 'http://spam' }, 400, 'refused'],
      [{ ...good, form_time: formTime(100) }, 400, 'too_fast'],
      [{ ...good, email: 'nobody' }, 400, 'invalid_request'],
      [{ ...good, product_id: '1' }, 400, 'invalid_request'],
      [{ ...good, size: '12' }, 404, 'not_found'],
      [{ ...good, product_id: crypto.randomUUID() }, 404, 'not_found'],
    ] as const,
    async ([body, status, error]) => {
      expect(await ask(body)).toMatchObject({ status, json: { error } });
    },
  );
  const answers: number[] = [];
  for (let index = 0; index < 10; index += 1) answers.push((await ask(good)).status);
  expect(answers.at(-1)).toBe(429);
  const posted = (body: string) =>
    shop.stack.call(stockAlertsEndpoint, '/api/stock-alert', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });
  expect(
    await posted(`product_id=${ring}&email=b%40example.com&form_time=${formTime(5_000)}`),
  ).toMatchObject({ status: 429 });
  await shop.stack.database.sql('delete from public.rate_limits where true');
  const page = await posted(
    `product_id=${ring}&size=&email=b%40example.com&form_time=${formTime(5_000)}`,
  );
  expect([page.status, page.text.includes('We will write to you')]).toEqual([200, true]);
});
