import { describe, expect, test } from 'vitest';
import { parcel, useAdminShop } from '../../functions/support/admin-shop.ts';
import type { Answer } from '../../functions/support/stack.ts';

const shop = await useAdminShop();
const customer = await shop.signUp();

const get = (path: string): Promise<Answer> => shop.admin.ask('GET', `/api/admin/${path}`);
const slip = (id: number): Promise<Answer> => get(`orders/${String(id)}/packing-slip`);
async function bought(body: Record<string, unknown> = {}) {
  const ring = await shop.addProduct({ price: 1_030, stock: 9, name: 'Temple ring' });
  return shop.buy(customer, [{ product_id: ring, quantity: 2 }], body);
}

test('a packing slip says what to pack and where it goes, and no price', async () => {
  const { id } = await bought();
  const text = (await slip(id)).text
    .replaceAll(/<style>.*?<\/style>|<script>.*?<\/script>|<[^>]+>/gsu, ' ')
    .replaceAll(/\s+/gu, ' ');
  for (const fact of [
    'Packing slip',
    'Temple ring 2',
    'Anjali Menon',
    'Canal Road',
    'Please ring twice',
    'Kerala',
    '+91 98470 12345',
  ]) {
    expect(text).toContain(fact);
  }
  expect(text).not.toContain('₹');
});

test("the packing slip of a gift has its note and no prices, and omits the customer's note to the shop", async () => {
  const notes = 'Ring the bell twice';
  const gift = await bought({ notes, gift_note: ' With love <b>Asha</b> ' });
  const { text } = await slip(gift.id);
  expect(text).toContain('A note for you');
  expect(text).toContain('With love &lt;b&gt;Asha&lt;/b&gt;');
  expect(text).not.toContain(notes);
  expect(text).not.toContain('₹');
  expect((await slip((await bought({ notes })).id)).text).toContain(notes);
});

test('slip and label of a gift name who gets it', async () => {
  const { id } = await bought({
    recipient_name: 'Lakshmi Nair',
    recipient_phone: '98950 54321',
    notes: 'Ring me first',
  });
  const label = await get(`labels?stage=to_pack&orders=${String(id)}`);
  for (const { text } of [await slip(id), label]) {
    expect(text).toContain('Lakshmi Nair');
    expect(text).toContain('98950 54321');
    expect(text).not.toContain('Anjali Menon');
    expect(text).not.toContain('Ring me first');
  }
});

test('a packing slip shows what a customer wrote as text, on a page that loads the fonts alone', async () => {
  const hostile = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;
  const { id } = await bought({
    customer_name: hostile,
    customer_address: `House 1 ${hostile}`,
    customer_city: hostile,
    notes: hostile,
  });
  const answer = await slip(id);
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain('<img');
  expect(answer.text.match(/<script>/gu)).toHaveLength(1);
  expect(answer.text).toContain('&lt;script&gt;alert(2)');
  expect(answer.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; font-src 'self'; /u,
  );
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

describe('several slips', () => {
  const sheets = (answer: Answer): string[] =>
    [...answer.text.matchAll(/<p>Order #(\d+) of/gu)].map(([, id]) => id ?? '');

  test('are one document of a stage, oldest first, each on a sheet of its own, with what customers wrote as text', async () => {
    const hostile = '"><img src=x onerror=alert(1)>';
    const [a, b, c] = [await bought({ notes: hostile }), await bought(), await bought()];
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
});

test('labels contain the orders to pack; labels and slips reject unknown options', async () => {
  const { id } = await bought({
    customer_address: 'House 1 <b>x</b>\nTemple Road',
    customer_postal_code: '682 001',
  });
  for (const [sheet, size] of [
    ['a4', 'size:A4'],
    ['thermal', 'size:100mm 150mm'],
  ]) {
    const answer = await get(`labels?stage=to_pack&sheet=${String(sheet)}`);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(size);
    expect(answer.text).toContain(`Order ${String(id)}`);
    expect(answer.text).toContain('House 1 &lt;b&gt;x&lt;/b&gt;');
    expect(answer.text).toContain('<p class="pin">682001</p>');
    expect(answer.text).not.toContain('₹');
  }
  for (const path of ['labels?sheet=letter', 'labels?stage=unpaid', 'packing-slips?stage=unpaid'])
    expect((await get(path)).status).toBe(400);
});

test('slips and labels are of the chosen orders', async () => {
  const [a, b, c] = [await bought(), await bought(), await bought()];
  for (const page of ['packing-slips', 'labels']) {
    const { text } = await get(`${page}?stage=to_pack&orders=${String(a.id)}%2C${String(c.id)}`);
    expect(text).toContain(String(a.id));
    expect(text).toContain(String(c.id));
    expect(text).not.toContain(String(b.id));
  }
});

test('a chosen order is printed however many others wait before it', async () => {
  await shop.sql(
    `insert into public.orders (created_at, merchant_transaction_id, customer_name, items, subtotal_paise, fee_paise, total_paise, status,
       payment_status, razorpay_order_id, payment_id, paid_at, hold_state)
     select now() - interval '1 day', 'old-' || n, 'Customer ' || n, '[]', 100, 0, 100, 'SUCCESS', 'COMPLETED', 'order_old_' || n, 'pay_old_' || n,
       now() - interval '1 day', 'taken'
     from generate_series(1, 510) n`,
  );
  const { id } = await bought();
  const { status, text } = await get(`labels?stage=to_pack&orders=${String(id)}`);
  expect(status).toBe(200);
  expect(text).toContain(`Order ${String(id)}`);
});
