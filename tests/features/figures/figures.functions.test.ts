import { expect, test } from 'vitest';
import { customerPageSchema } from '#features/figures/domain/customers.ts';
import { figuresSchema, type Figures } from '#features/figures/domain/figures.ts';
import { eachRow } from '#tests/each-row.ts';
import { parcel, useAdminShop } from '#tests/functions/support/admin-shop.ts';
import type { Answer } from '#tests/functions/support/stack.ts';
import { useSampleTax } from '#tests/sample-tax.ts';

useSampleTax();

const shop = await useAdminShop();
const customer = await shop.signUp();

const get = (path: string): Promise<Answer> => shop.admin.ask('GET', `/api/admin/${path}`);
const figures = async (query: string): Promise<Figures> =>
  figuresSchema.parse((await get(`figures?${query}`)).json);
async function bought(quantity = 1, body: Record<string, unknown> = {}, by = customer) {
  const ring = await shop.addProduct({ price: 1_030, stock: 9, name: 'Temple ring' });
  return { ring, ...(await shop.buy(by, [{ product_id: ring, quantity }], body)) };
}
/** A CSV as rows of cells; none of these has a line break in it. */
const cells = ({ text }: Answer): string[][] =>
  text
    .trim()
    .split(/\r?\n/u)
    .map((line) => line.split(',').map((cell) => cell.replaceAll('"', '')));

test('figures agree to the paisa with the accountant’s list of a month in which everything that was paid was sent', async () => {
  const { ring, ...order } = await bought(3);
  await shop.step((await bought(2)).id, parcel);
  await shop.step((await bought(1, { customer_postal_code: '560001' })).id, parcel);
  await shop.step(order.id, parcel);
  await shop.refund(order.id, { amountPaise: 103_000, items: [{ productId: ring, quantity: 1 }] });
  await shop.refund(order.id, { amountPaise: 777 });
  await shop.cancel((await bought()).id);
  const { from, paise, orders, refundedPaise, bars, best } = await figures('period=month');
  const [head = [], ...rows] = cells(await get(`orders.csv?month=${from.slice(0, 7)}`));
  const column = head.indexOf('Amount (incl. GST)');
  expect(rows.length).toBeGreaterThan(1);
  expect(Math.round(rows.reduce((sum, row) => sum + Number(row[column]), 0) * 100)).toBe(paise);
  expect({ orders, refundedPaise }).toEqual({ orders: 3, refundedPaise: 103_777 });
  expect(bars.reduce((sum, bar) => sum + bar.paise, 0)).toBe(paise);
  expect(best.reduce((sum, { pieces }) => sum + pieces, 0)).toBe(5);
  for (const period of ['week', 'year'])
    expect((await figures(`period=${period}`)).paise).toBe(paise);
});

test('an invalid period, day or page is refused with a message', () =>
  eachRow(
    [
      ['figures?period=decade', 'Choose week, month or year'],
      ['figures?period=week&day=2026-02-30', 'Choose a day, such as 2026-11-22'],
      ['figures?period=week&day=0001-01-01', 'Choose a day of this century'],
      ['customers?cursor=nonsense', 'no longer there'],
      ['customers?limit=-1', 'A page has 1 to 100 entries'],
    ] as const,
    async ([path, sentence]) => {
      const answer = await get(path);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(sentence);
    },
  ));

test('customers are searched page by page, and an order says which one of theirs it is', async () => {
  // The mark begins with a letter, because digits alone are searched for in phone numbers.
  const mark = `k${crypto.randomUUID().slice(0, 6)}`;
  const [anjali, devika] = [await shop.signUp(), await shop.signUp()];
  await bought(1, { customer_name: `Devika ${mark}`, customer_phone: '+91 90000 22222' }, devika);
  const body = { customer_name: `Anjali ${mark}`, customer_phone: '+91 90000 11111' };
  await bought(1, body, anjali);
  const second = await bought(2, body, anjali);
  const page = async (query: string) =>
    customerPageSchema.parse((await get(`customers?q=${mark}&sort=spent&limit=1${query}`)).json);
  const first = await page('');
  expect(first).toMatchObject({
    total: 2,
    customers: [{ name: `Anjali ${mark}`, orders: 2, account: true, lastOrderId: second.id }],
  });
  expect(await page(`&cursor=${first.next ?? ''}`)).toMatchObject({
    customers: [{ name: `Devika ${mark}` }],
    next: null,
  });
  expect((await shop.read(second.id)).customer).toEqual({ nth: 2, orders: 2 });
});
