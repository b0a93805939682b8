import { expect, test } from 'vitest';
import { openInvoice } from '../admin-client.ts';
import { useAdminShop } from '../../support/admin-shop.ts';

const shop = await useAdminShop();

test('a credit note is available once a refund is done, and before that the page says why there is none', async () => {
  const customer = await shop.signUp();
  const ring = await shop.addProduct({ price: 1_030, stock: 5, name: 'Temple ring' });
  const { id } = await shop.buy(customer, [{ product_id: ring, quantity: 2 }]);
  const path = `/api/admin/orders/${String(id)}/credit-note`;
  const press = () =>
    shop.admin.ask('POST', path, undefined, {
      type: 'application/x-www-form-urlencoded',
      body: '',
    });
  expect((await shop.admin.ask('GET', path)).status).toBe(404);
  await openInvoice(shop.admin, id);
  const none = await shop.admin.ask('GET', path);
  expect(none.status).toBe(404);
  expect(none.text).toContain('This order has no credit note yet.');

  await shop.refund(id, { amountPaise: 50_000 });
  const opened = await press();
  expect([opened.status, opened.headers.get('location')]).toEqual([303, path]);
  const { status, text } = await shop.admin.ask('GET', path);
  expect(status).toBe(200);
  expect(text).toMatch(/Credit note: [A-Z]+\/?[\w/-]*\d{4}/u);
  expect(text).toContain('₹500.00');
  expect(text).not.toContain('Tax invoice');
});
