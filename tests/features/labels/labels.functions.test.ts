import { expect, test } from 'vitest';
import { useAdminShop } from '../../functions/support/admin-shop.ts';

const shop = await useAdminShop();
const customer = await shop.signUp();

test('labels contain the orders to pack, and reject unknown options', async () => {
  const items = [{ product_id: await shop.addProduct({ price: 1_000, stock: 5 }), quantity: 1 }];
  const { id } = await shop.buy(customer, items, {
    customer_address: 'House 1 <b>x</b>\nTemple Road',
    customer_postal_code: '682 001',
  });
  const get = (query: string) => shop.admin.ask('GET', `/api/admin/labels?${query}`);
  for (const [sheet, size] of [
    ['a4', 'size:A4'],
    ['thermal', 'size:100mm 150mm'],
  ]) {
    const answer = await get(`stage=to_pack&sheet=${String(sheet)}`);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(size);
    expect(answer.text).toContain(`Order ${String(id)}`);
    expect(answer.text).toContain('House 1 &lt;b&gt;x&lt;/b&gt;');
    expect(answer.text).toContain('<p class="pin">682001</p>');
    expect(answer.text).not.toContain('₹');
  }
  for (const query of ['sheet=letter', 'stage=unpaid']) expect((await get(query)).status).toBe(400);
});

test('slips and labels are of the chosen orders', async () => {
  const bought = async () =>
    shop.buy(customer, [
      { product_id: await shop.addProduct({ price: 1_000, stock: 5 }), quantity: 1 },
    ]);
  const [a, b, c] = [await bought(), await bought(), await bought()];
  for (const page of ['packing-slips', 'labels']) {
    const { text } = await shop.admin.ask(
      'GET',
      `/api/admin/${page}?stage=to_pack&orders=${String(a.id)}%2C${String(c.id)}`,
    );
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
  const { id } = await shop.buy(customer, [
    { product_id: await shop.addProduct({ price: 1_000, stock: 5 }), quantity: 1 },
  ]);
  const { status, text } = await shop.admin.ask(
    'GET',
    `/api/admin/labels?stage=to_pack&orders=${String(id)}`,
  );
  expect(status).toBe(200);
  expect(text).toContain(`Order ${String(id)}`);
});
