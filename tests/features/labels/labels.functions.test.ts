import { expect, test } from 'vitest';
import { labelsPage } from '#netlify/features/labels/labels-page.ts';
import { packingSlipPage } from '#netlify/features/labels/packing-slip-page.ts';
import { orderFromRow } from '#domain/orders/order.ts';
import { useAdminShop } from '#tests/functions/support/admin-shop.ts';
import type { Answer } from '#tests/functions/support/stack.ts';

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

test('slips and labels of chosen orders are of any stage, and name those that do not wait any more', async () => {
  const [fresh, packed, cancelled] = [await bought(), await bought(), await bought()];
  await shop.step(packed.id, { state: 'packed' });
  await shop.cancel(cancelled.id);
  const chosen = [fresh, packed, cancelled].map(({ id }) => String(id)).join('%2C');
  for (const page of ['packing-slips', 'labels']) {
    const { text } = await get(`${page}?orders=${chosen}`);
    expect(text).toContain(String(fresh.id));
    expect(text).toContain(String(packed.id));
    expect(text).toContain(`Not among them: ${String(cancelled.id)}.`);
  }
});

test('label and slip of an order that is paid at the door say what to collect, until it is paid', async () => {
  const row = {
    id: 1001,
    customer_name: 'Anjali Menon',
    customer_postal_code: '682001',
    amount: 2_350,
    cash_paise: 188_000,
    state: 'due',
    kind: 'door',
  };
  const pages = (order: ReturnType<typeof orderFromRow>) =>
    Promise.all(
      [labelsPage([order], 'thermal', []), packingSlipPage(order)].map((page) => page.text()),
    );
  const [label, paper] = await pages(orderFromRow(row));
  expect(label).toContain('CASH ON DELIVERY');
  expect(label).toContain('<p class="sum">₹1,880.00</p>');
  expect(label).not.toContain('Prepaid');
  expect(paper).toContain('CASH ON DELIVERY: ₹1,880.00 to collect');
  for (const text of await pages(orderFromRow({ ...row, state: 'paid', payment_id: 'hand_1' }))) {
    expect(text).not.toContain('CASH ON DELIVERY');
    expect(text).not.toContain('₹');
  }
});
