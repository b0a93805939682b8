import { describe, expect, test } from 'vitest';
import { composeMail } from '../../../netlify/server/mail/compose.ts';
import { customerPageSchema } from '../../../src/features/figures/domain/customers.ts';
import { figuresSchema, type Figures } from '../../../src/features/figures/domain/figures.ts';
import { eachRow } from '../../each-row.ts';
import { parcel, useAdminShop } from '../../functions/support/admin-shop.ts';
import type { Answer } from '../../functions/support/stack.ts';
import { useSampleTax } from '../../sample-tax.ts';

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

test('figures agree to the paisa with the accountant’s files of a month in which everything that was paid was sent', async () => {
  const { ring, ...order } = await bought(3);
  await shop.step((await bought(2)).id, parcel);
  await shop.step((await bought(1, { customer_postal_code: '560001' })).id, parcel);
  await shop.step(order.id, parcel);
  await shop.refund(order.id, { amountPaise: 103_000, items: [{ productId: ring, quantity: 1 }] });
  await shop.refund(order.id, { amountPaise: 777 });
  await shop.cancel((await bought()).id);
  const { from, paise, orders, refundedPaise, bars, best } = await figures('period=month');
  const sumOf = async (list: string): Promise<number> => {
    const [head = [], ...rows] = cells(
      await get(`orders.csv?month=${from.slice(0, 7)}&list=${list}`),
    );
    const column = head.findIndex((name) =>
      /^(?:Amount|Total value)/u.test(name.replace('\uFEFF', '')),
    );
    expect(rows.length).toBeGreaterThan(1);
    return Math.round(rows.reduce((sum, row) => sum + Number(row[column]), 0) * 100);
  };
  for (const list of ['documents', 'hsn', 'states']) expect(await sumOf(list), list).toBe(paise);
  expect({ orders, refundedPaise }).toEqual({ orders: 3, refundedPaise: 103_777 });
  expect(bars.reduce((sum, bar) => sum + bar.paise, 0)).toBe(paise);
  expect(best.reduce((sum, { pieces }) => sum + pieces, 0)).toBe(5);
  for (const period of ['week', 'year'])
    expect((await figures(`period=${period}`)).paise).toBe(paise);
});

test('an invalid period, day, page or stage is refused with a message', () =>
  eachRow(
    [
      ['figures?period=decade', 'Choose week, month or year'],
      ['figures?period=week&day=2026-02-30', 'Choose a day, such as 2026-11-22'],
      ['figures?period=week&day=0001-01-01', 'Choose a day of this century'],
      ['customers?cursor=nonsense', 'no longer there'],
      ['customers?limit=-1', 'A page has 1 to 100 entries'],
      ['packing-slips?stage=unpaid', 'Slips can be printed for orders to pack'],
    ] as const,
    async ([path, sentence]) => {
      const answer = await get(path);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(sentence);
    },
  ));

test('customers are searched by name, phone and product, page by page, and an order says which one of theirs it is', async () => {
  const [anjali, devika] = [await shop.signUp(), await shop.signUp()];
  // With a letter: digits alone are looked for in phone numbers.
  const mark = `k${crypto.randomUUID().slice(0, 6)}`;
  await bought(1, { customer_name: `Anjali ${mark}`, customer_phone: '+91 90000 11111' }, anjali);
  const second = await bought(
    2,
    { customer_name: `Anjali ${mark}`, customer_phone: '+91 90000 11111' },
    anjali,
  );
  await bought(1, { customer_name: `Devika ${mark}`, customer_phone: '+91 90000 22222' }, devika);
  const page = async (query: string) =>
    customerPageSchema.parse((await get(`customers?${query}`)).json);
  const first = await page(`q=${mark}&sort=spent&limit=1`);
  expect(first).toMatchObject({
    total: 2,
    customers: [{ name: `Anjali ${mark}`, orders: 2, account: true, lastOrderId: second.id }],
  });
  expect(await page(`q=${mark}&sort=spent&limit=1&cursor=${first.next ?? ''}`)).toMatchObject({
    customers: [{ name: `Devika ${mark}` }],
    next: null,
  });
  for (const q of ['090000 22222', `devika ${mark} temple`])
    expect((await page(`q=${encodeURIComponent(q)}`)).customers).toMatchObject([
      { name: `Devika ${mark}`, orders: 1 },
    ]);
  expect((await shop.read(second.id)).customer).toEqual({ nth: 2, orders: 2 });
});

describe('several slips', () => {
  const sheets = (answer: Answer): string[] =>
    [...answer.text.matchAll(/Order: #(\d+)/gu)].map(([, id]) => id ?? '');

  test('are one document of a stage, oldest first, each on a sheet of its own, with what customers wrote as text', async () => {
    const hostile = '"><img src=x onerror=alert(1)>';
    const [a, b, c] = [await bought(1, { notes: hostile }), await bought(), await bought()];
    await shop.step(b.id, { state: 'packed' });
    const answer = await get('packing-slips');
    expect(answer.status).toBe(200);
    const ids = sheets(answer);
    expect(ids.slice(-2)).toEqual([String(a.id), String(c.id)]);
    expect(ids).toEqual([...ids].sort((x, y) => Number(x) - Number(y)));
    expect(answer.text.match(/<section class="sheet"/gu)).toHaveLength(ids.length - 1);
    expect(answer.text).toContain('.sheet{break-before:page');
    expect(answer.text).not.toContain('<img');
    expect(answer.text).not.toContain('₹');
    expect(sheets(await get('packing-slips?stage=packed'))).toEqual([String(b.id)]);
    await shop.step(b.id, parcel);
    const none = await get('packing-slips?stage=packed');
    expect([none.status, none.text.includes('No packed orders are waiting to be shipped')]).toEqual(
      [404, true],
    );
  });

  test('are fifty at most, and say how many there are', async () => {
    const { id } = await bought();
    const columns = `customer_name, customer_email, customer_phone, customer_address, customer_city, customer_postal_code, items, subtotal_paise, fee_paise, total_paise, status, payment_status, created_at`;
    await shop.sql(
      `insert into public.orders (merchant_transaction_id, ${columns}) select 'COPY-' || n, ${columns} from public.orders, generate_series(1, 55) n where id = $1`,
      [id],
    );
    const answer = await get('packing-slips');
    expect(sheets(answer)).toHaveLength(50);
    const [{ n } = { n: 0 }] = await shop.sql<{ n: number }>(
      `select count(*)::int as n from public.orders where stage = 'to_pack'`,
    );
    expect(answer.text).toContain(`the oldest 50 of ${String(n)}`);
  });
});

describe('the invoice by mail', () => {
  const send = (id: number): Promise<Answer> =>
    shop.admin.ask('POST', `/api/admin/orders/${String(id)}/mail-invoice`);
  const mails = async (id: number) =>
    (await shop.read(id)).mails.filter(({ kind }) => kind === 'invoice_mail');

  test('goes to the customer once, however often the button is pressed within a minute, and again after that', async () => {
    const { id } = await bought(2);
    await shop.step(id, parcel);
    const answers = await Promise.all([send(id), send(id), send(id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await shop.mailsSent();
    expect(await mails(id)).toHaveLength(1);
    const { invoiceNumber, customerEmail } = await shop.read(id);
    const sent = shop.mail.mails.filter(({ raw }) =>
      raw.includes(`Invoice: ${invoiceNumber ?? 'none'} of`),
    );
    expect(sent.map(({ to }) => to)).toEqual([[customerEmail]]);
    const [mail] = await shop.sql<{ payload: unknown }>(
      `select payload from public.outbox where order_id = $1 and kind = 'invoice_mail'`,
      [id],
    );
    const { text } = composeMail('invoice_mail', {
      order: { id, link_version: 0 },
      payload: mail?.payload,
    });
    for (const fact of [
      'Temple ring × 2: ₹2,060.00',
      'Total: ₹2,108.62',
      'GST in it: ₹67.42',
      `/track/${String(id)}-`,
    ])
      expect(text).toContain(fact);
    await shop.sql(
      `update public.outbox set created_at = created_at - interval '61 seconds' where order_id = $1`,
      [id],
    );
    await send(id);
    await shop.mailsSent();
    expect(await mails(id)).toHaveLength(2);
  });

  test('is for an order that has an invoice and an address', async () => {
    const { id } = await bought();
    const early = await send(id);
    expect([early.status, early.json['message']]).toEqual([
      409,
      expect.stringContaining('no invoice yet'),
    ]);
    await shop.step(id, parcel);
    await shop.sql(`update public.orders set customer_email = ' ' where id = $1`, [id]);
    expect((await send(id)).json['message']).toContain('no e-mail address');
    expect((await send(999_999)).status).toBe(404);
    expect(await mails(id)).toEqual([]);
  });
});
