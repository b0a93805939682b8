import { expect, test } from 'vitest';
import { parcel, useAdminShop } from '#tests/functions/support/admin-shop.ts';

const shop = await useAdminShop();
const customer = await shop.signUp();
async function bought(body: Record<string, unknown> = {}): Promise<number> {
  const ring = await shop.addProduct({ price: 1_030, stock: 9, name: 'Temple ring' });
  return (await shop.buy(customer, [{ product_id: ring, quantity: 2 }], body)).id;
}
const copy = () => shop.admin.ask('GET', '/api/admin/offline');

test('the owner’s copy has what is needed to pack, and no price, payment or e-mail', async () => {
  const hostile = '<img src=x onerror=alert(1)>';
  const [fresh, packed, sent, cancelled] = [
    await bought({ customer_address: `House 1 ${hostile}` }),
    await bought({ recipient_name: 'Lakshmi Nair', recipient_phone: '98950 54321' }),
    await bought(),
    await bought(),
  ];
  await shop.step(packed, { state: 'packed' });
  await shop.step(sent, parcel);
  await shop.cancel(cancelled);
  const { status, text, headers } = await copy();
  expect(status).toBe(200);
  for (const fact of [
    'To pack (1)',
    'Packed, to send (1)',
    `aria-label="Order ${String(fresh)}"`,
    `aria-label="Order ${String(packed)}"`,
    '2 × Temple ring',
    'Anjali Menon',
    'Lakshmi Nair',
    'href="tel:9895054321"',
    'House 1 &lt;img',
    '<td>7</td>',
  ])
    expect(text).toContain(fact);
  expect(text).not.toMatch(/\w@\w/u);
  for (const left of ['₹', 'pay_', '<img', `Order ${String(sent)}`])
    expect(text).not.toContain(left);
  expect(text).not.toContain(`Order ${String(cancelled)}`);
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; font-src 'self'; /u);
  expect(headers.get('content-security-policy')).not.toContain('script-src');
});

test('a parcel that is paid at the door says what is to be collected, as its label does, and no other price', async () => {
  const id = await bought();
  await shop.sql(
    `update public.orders set cash_paise = 243759, total_paise = 243800, sum_rows = null, payment_id = null, status = 'PENDING', payment_status = 'PENDING' where id = $1`,
    id,
  );
  const { text } = await copy();
  expect(text).toContain('CASH ON DELIVERY: ₹2,437.59 to collect');
  expect(text.match(/₹/gu)).toHaveLength(1);
});

test('the copy ends with the session, which lasts a day without use and never longer than it was opened for', async () => {
  const hoursLeft = async (): Promise<number> =>
    (Date.parse((await copy()).headers.get('expires') ?? '') - Date.now()) / 3_600_000;
  expect(await hoursLeft()).toBeGreaterThan(23.8);
  expect(await hoursLeft()).toBeLessThanOrEqual(23 + 55 / 60);
  await shop.sql(`update public.admin_sessions set expires_at = now() + interval '2 hours'`);
  expect(await hoursLeft()).toBeLessThanOrEqual(2);
});
