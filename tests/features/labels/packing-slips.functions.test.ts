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

test('a packing slip names the size of an item', async () => {
  const ring = await shop.addProduct({ name: 'Thread Ring', sizes: [{ size: '14', stock: 3 }] });
  const { id } = await shop.buy(customer, [{ product_id: ring, size: '14', quantity: 1 }]);
  expect((await slip(id)).text).toContain('Thread Ring · Size 14');
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

test('an unknown stage is refused with a message', async () => {
  const answer = await get('packing-slips?stage=unpaid');
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('Slips can be printed for orders to pack');
});

describe('several slips', () => {
  const sheets = (answer: Answer): string[] =>
    [...answer.text.matchAll(/order #(\d+) of/giu)].map(([, id]) => id ?? '');

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
