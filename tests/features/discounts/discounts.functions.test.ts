import { beforeEach, describe, expect, test } from 'vitest';
import shownEndpoint from '#netlify/functions/discounts.ts';
import discountsEndpoint from '#netlify/functions/discount-check.ts';
import { openInvoice } from '#tests/functions/admin/admin-client.ts';
import { isoDateInIndia } from '#domain/india-month.ts';
import { useAdminShop } from '#tests/functions/support/admin-shop.ts';
import { eachRow } from '#tests/each-row.ts';
import { useSampleTax } from '#tests/sample-tax.ts';

useSampleTax();

const shop = await useAdminShop();
beforeEach(() => shop.sql('delete from public.costs where true'));

const day = (days: number): string =>
  isoDateInIndia(new Date(Date.now() + days * 86_400_000).toISOString());
const usual = {
  code: 'onam10',
  percent: 10,
  amount_paise: null,
  min_paise: 0,
  first_day: day(0),
  last_day: day(1),
  max_uses: null,
  max_per_customer: 1,
  shown_in_cart: false,
};
const path = '/api/admin/discount';
const make = (changes: object = {}) => shop.admin.ask('POST', path, { ...usual, ...changes });
const check = (code: unknown, token?: string) =>
  shop.post(
    discountsEndpoint,
    '/api/discount',
    { code },
    { ...(token === undefined ? {} : { token }) },
  );

test('a code is bought with: invoice, credit note, mails and the accountant’s list have it, and the sums agree', async () => {
  expect(await make()).toMatchObject({
    status: 200,
    json: { discounts: [{ code: 'ONAM10', paid: 0, open: 0, stopped: false }] },
  });
  expect(await check(' onam 10 ')).toMatchObject({
    status: 200,
    json: { discount: { code: 'ONAM10', percent: 10, amount_paise: null, min_paise: 0 } },
  });
  const customer = await shop.signUp();
  const [ring, chain] = [
    await shop.addProduct({ name: 'Thread Ring', price: 333.33 }),
    await shop.addProduct({ name: 'Thread Chain', price: 100 }),
  ];
  const lines = [
    { product_id: ring, quantity: 2 },
    { product_id: chain, quantity: 1 },
  ];
  // ₹766.66 less ₹76.67, and ₹16.28 of fee.
  const { id, paymentId } = await shop.buy(customer, lines, {
    discount_code: 'ONAM10',
    total_amount: 706.27,
  });
  const order = await shop.read(id);
  expect(order).toMatchObject({
    subtotalPaise: 76_666,
    discountCode: 'ONAM10',
    discountPaise: 7_667,
    feePaise: 1_628,
    totalPaise: 70_627,
  });
  expect(order.items.map((item) => item.discountPaise)).toEqual([6_667, 1_000]);
  expect(await check('ONAM10', customer.token)).toMatchObject({
    status: 409,
    json: { reason: 'used_by_shopper', message: 'You have used the code ONAM10 already.' },
  });
  expect((await check('ONAM10')).status).toBe(200);
  await shop.mailsSent();
  const mails = shop.mail.mails.map(({ raw }) => raw.replaceAll(/=\r?\n/gu, '')).join('');
  expect(mails).toContain('Discount (ONAM10)');

  const invoice = (await openInvoice(shop.admin, id)).text;
  expect(invoice).toContain('Discount code: ONAM10');
  expect(invoice).toContain('Discount: −₹66.67');
  // One ring: half of ₹666.66 less ₹66.67, and its part of the fee.
  expect(
    await shop.refund(id, { amountPaise: 30_708, items: [{ productId: ring, quantity: 1 }] }),
  ).toMatchObject({ status: 200 });
  expect(await shop.refund(id, { amountPaise: 39_919 })).toMatchObject({ status: 200 });
  expect((await shop.sentBack(paymentId)).reduce((sum, paise) => sum + paise, 0)).toBe(70_627);
  const accounts = await shop.admin.ask('GET', `/api/admin/orders.csv?month=${day(0).slice(0, 7)}`);
  expect(accounts.text.match(/,(?:66\.67|10\.00),ONAM10\r\n/gu)).toHaveLength(2);
  expect((await shop.admin.ask('GET', '/api/admin/orders?q=onam10')).json['orders']).toMatchObject([
    { id },
  ]);
});

describe('refused codes', () => {
  test('by create-order: an unknown code, and the wrong total with the right one, without taking stock', async () => {
    await make({ code: 'VISHU', max_per_customer: null });
    const [customer, ring] = [await shop.signUp(), await shop.addProduct({ stock: 3 })];
    const lines = [{ product_id: ring, quantity: 1 }];
    const message = 'We do not know the code NOSUCH. Please look at its spelling.';
    expect(
      await shop.createOrder(customer, lines, { body: { discount_code: 'nosuch' } }),
    ).toMatchObject({ status: 409, json: { error: 'discount', reason: 'unknown', message } });
    expect(
      await shop.createOrder(customer, lines, { body: { discount_code: 'VISHU' } }),
    ).toMatchObject({ status: 409, json: { error: 'price_changed', discount_paise: 10_000 } });
    expect((await shop.createOrder(customer, lines, { body: { discount_code: 'x' } })).status).toBe(
      400,
    );
    expect(await shop.stockOf(ring)).toBe(3);
  });

  test('refused inputs of the admin: each field with its message, and a code that exists already', () =>
    eachRow(
      [
        [{ code: '' }, 'code'],
        [{ code: 'A B' }, 'code'],
        [{ amount_paise: 5_000, min_paise: 9_000 }, 'percent'],
        [{ percent: null, amount_paise: 5_000 }, 'min_paise'],
        [{ last_day: day(-1) }, 'last_day'],
        [{ first_day: day(-2), last_day: day(-1) }, 'last_day'],
      ] as const,
      async ([changes, field]) => {
        const { status, json } = await make({ code: 'OTHER', ...changes });
        expect([status, Object.keys(json['fields'] as object)[0]]).toEqual([400, field]);
      },
    ));

  test('once a code is stopped, until it is allowed again', async () => {
    await make({ code: 'STOPME' });
    expect(await make({ code: 'STOPME' })).toMatchObject({ status: 409, json: { error: 'taken' } });
    expect((await shop.admin.ask('PUT', path, { code: 'STOPME', stopped: true })).status).toBe(200);
    expect(await check('STOPME')).toMatchObject({ status: 409, json: { reason: 'over' } });
    expect(
      (
        await shop.admin.ask('PUT', path, {
          code: 'STOPME',
          stopped: false,
        })
      ).status,
    ).toBe(200);
    expect((await check('STOPME')).status).toBe(200);
    expect(
      (
        await shop.admin.ask('PUT', path, {
          code: 'NOTHING',
          stopped: true,
        })
      ).status,
    ).toBe(404);
  });
});

test('the cart is shown the codes that are meant for everybody, as long as they can be used', async () => {
  const shown = async () => shop.call(shownEndpoint, '/api/discounts');
  const until = day(3);
  await make({ code: 'FORALL10', shown_in_cart: true, last_day: until });
  await make({ code: 'FORONE10' });
  await make({ code: 'LATER10', shown_in_cart: true, first_day: day(2), last_day: until });
  await make({ code: 'STOPPED10', shown_in_cart: true });
  await shop.admin.ask('PUT', path, { code: 'STOPPED10', stopped: true });
  const answer = await shown();
  expect(answer.json).toEqual({
    discounts: [
      { code: 'FORALL10', percent: 10, amount_paise: null, min_paise: 0, last_day: until },
    ],
  });
  expect(answer.headers.get('netlify-cache-tag')).toBe('discounts');
});
