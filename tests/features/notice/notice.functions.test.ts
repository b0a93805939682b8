import { beforeEach, expect, test } from 'vitest';
import noticeEndpoint from '#netlify/functions/notice.ts';
import { isoDateInIndia } from '#domain/india-month.ts';
import { eachRow } from '#tests/each-row.ts';
import { useAdminShop } from '#tests/functions/support/admin-shop.ts';

const stack = await useAdminShop();
const { admin } = stack;
beforeEach(() => stack.sql('delete from public.shop_notice'));

const dayFromToday = (days: number): string =>
  isoDateInIndia(new Date(Date.now() + days * 86_400_000).toISOString());
const away = {
  message: 'We are away for Onam.',
  first_day: dayFromToday(0),
  last_day: dayFromToday(2),
  closes_checkout: true,
  extra_days: 0,
};
const save = (notice: unknown) => admin.ask('PUT', '/api/admin/notice', notice);
const readPublic = async () => (await stack.call(noticeEndpoint, '/api/notice')).json['notice'];

test('the admin’s notice is saved, shown to everybody from the CDN, replaced and taken away', async () => {
  expect(await save(away)).toMatchObject({ status: 200, json: { notice: away } });
  const answer = await stack.call(noticeEndpoint, '/api/notice');
  expect([
    answer.json,
    answer.headers.get('netlify-cache-tag'),
    answer.headers.get('netlify-vary'),
    // The pages of a visit share one request; the CDN, which a change purges, keeps it apart.
    answer.headers.get('cache-control'),
  ]).toEqual([
    { notice: away, begun: true, checkout: 'open' },
    'shop-notice',
    'query=none',
    'public, max-age=60, must-revalidate',
  ]);
  await save({ ...away, first_day: dayFromToday(1) });
  expect((await stack.call(noticeEndpoint, '/api/notice')).json['begun']).toBe(false);
  const slower = { ...away, closes_checkout: false, extra_days: 3 };
  expect((await save({ ...slower, message: '  Onam  ' })).json).toEqual({
    notice: { ...slower, message: 'Onam' },
  });
  expect((await admin.ask('GET', '/api/admin/notice')).json).toEqual({
    notice: { ...slower, message: 'Onam' },
  });
  expect((await admin.ask('DELETE', '/api/admin/notice', {})).json).toEqual({
    notice: null,
  });
  expect(await readPublic()).toBeNull();
});

test('an invalid notice is refused with the field’s message, and the current one stays', async () => {
  await save(away);
  await eachRow(
    [
      [{ ...away, message: ' ' }, 'message'],
      [{ ...away, first_day: 'soon' }, 'first_day'],
      [{ ...away, last_day: dayFromToday(-1) }, 'last_day'],
      [{ ...away, closes_checkout: false }, 'extra_days'],
      [{ ...away, extra_days: 2 }, 'extra_days'],
    ],
    async ([notice, field]) => {
      const { status, json } = await save(notice);
      expect([status, Object.keys(json['fields'] as object)[0]]).toEqual([400, field]);
    },
  );
  expect(await readPublic()).toEqual(away);
});

test('while checkout is closed a new order is refused with the day it opens', async () => {
  const ring = await stack.addProduct({ stock: 3 });
  await save(away);
  const refused = await stack.createOrder(await stack.signUp(), [
    { product_id: ring, quantity: 1 },
  ]);
  expect(refused).toMatchObject({ status: 409, json: { error: 'closed' } });
  expect(refused.json['message']).toMatch(
    /^We are not taking orders at the moment\. Checkout opens again on \w{3} \d+ \w+\. Your cart is kept\.$/u,
  );
});
