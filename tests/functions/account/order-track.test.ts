import { expect, test } from 'vitest';
import trackEndpoint from '#netlify/functions/order-track.ts';
import { orderPath, readLinkToken } from '#core/mail/order-links.ts';
import { openInvoice } from '#tests/functions/admin/admin-client.ts';
import { eachRow } from '#tests/each-row.ts';
import { parcel, useAdminShop } from '#tests/functions/support/admin-shop.ts';
import { customerDetails, type Answer } from '#tests/functions/support/stack.ts';
import { useSampleTax } from '#tests/sample-tax.ts';

useSampleTax();

const shop = await useAdminShop();
const customer = await shop.signUp();

const linkOf = (id: number, linkVersion = 0): { id: string; linkVersion: number } => ({
  id: String(id),
  linkVersion,
});
const open = (path: string): Promise<Answer> => shop.call(trackEndpoint, path);
const buy = async (name: string): Promise<number> =>
  (
    await shop.buy(customer, [
      { product_id: await shop.addProduct({ name, price: 900, stock: 3 }), quantity: 1 },
    ])
  ).id;
/** The link of the newest mail that has one. */
function mailedPath(): string {
  const raw = shop.mail.mails.map((mail) => mail.raw.replaceAll(/=\r\n/gu, '')).join('\n');
  return /https:\/\/kasavu\.example(\/track\/\d+-[\w-]{43})(?!\/)/u.exec(raw)?.[1] ?? '';
}

test('the link in the mail shows steps, parcel, items and city without a login, and neither the person, the amounts nor the invoice', async () => {
  const id = await buy('Secret Jimikki');
  const path = mailedPath();
  expect(path).toBe(orderPath('track', linkOf(id)));
  const paid = await open(path);
  expect(paid.status).toBe(200);
  expect(paid.text).toContain(`Order #${String(id)}`);
  expect(paid.text).toContain('We are packing it. Expected');
  expect(paid.headers.get('referrer-policy')).toBe('no-referrer');
  expect(paid.headers.get('cache-control')).toBe('no-store');

  await shop.step(id, { state: 'packed' });
  const shipped = await shop.step(id, parcel);
  expect(shipped.status).toBe(200);
  expect((await openInvoice(shop.admin, id)).status).toBe(200);
  const way = await open(path);
  expect(way.text).toContain('It is on its way.');
  expect(way.text).toContain(parcel.carrier);
  expect(way.text).toContain(parcel.trackingNumber);
  expect(way.text).toContain('Secret Jimikki');
  expect(way.text).toContain(customerDetails.customer_city);
  for (const secret of [
    customerDetails.customer_name,
    customer.email,
    customerDetails.customer_phone,
    'Canal Road',
    'nvoice',
    '₹',
  ])
    expect(way.text).not.toContain(secret);
  expect((await open(`${path}/invoice`)).status).toBe(404);
});

test('the link of the invoice is one of its own, in the mail of the invoice, and ends 30 days after the delivery', async () => {
  const id = await buy('Invoiced Ring');
  const path = orderPath('invoice', linkOf(id));
  expect((await open(path)).status).toBe(404);
  await shop.step(id, { state: 'packed' });
  await shop.step(id, parcel);
  expect((await openInvoice(shop.admin, id)).status).toBe(200);
  const invoice = await open(path);
  expect(invoice.status).toBe(200);
  expect(invoice.text).toContain('Tax invoice');
  expect((await open(path.replace('/invoice', ''))).status).toBe(404);
  await shop.step(id, { state: 'delivered' });
  const deliver = (days: number) =>
    shop.sql(
      `update public.orders set delivered_at = now() - interval '${String(days)} days' where id = ${String(id)}`,
    );
  await deliver(29);
  expect((await open(path)).status).toBe(200);
  await deliver(31);
  expect((await open(path)).status).toBe(404);
  expect((await open(orderPath('track', linkOf(id)))).status).toBe(200);
});

test('the admin withdraws the links of an order: those that were mailed end, later ones work, other orders keep theirs', async () => {
  const [id, other] = [await buy('Withdrawn Ring'), await buy('Other Ring')];
  await shop.step(id, { state: 'packed' });
  await shop.step(id, parcel);
  expect((await openInvoice(shop.admin, id)).status).toBe(200);
  const withdrawn = [orderPath('track', linkOf(id)), orderPath('invoice', linkOf(id))];
  for (const path of withdrawn) expect((await open(path)).status).toBe(200);
  const answer = await shop.admin.ask('POST', `/api/admin/orders/${String(id)}/withdraw-links`, {});
  expect(answer.status).toBe(200);
  for (const path of withdrawn) expect((await open(path)).status).toBe(404);
  expect((await open(orderPath('track', linkOf(id, 1)))).status).toBe(200);
  expect((await open(orderPath('invoice', linkOf(id, 1)))).status).toBe(200);
  expect((await open(orderPath('track', linkOf(other)))).status).toBe(200);
});

test('a link that is cut, changed, of another order or 180 days old shows nothing', async () => {
  const id = await buy('Old Ring');
  const path = orderPath('track', linkOf(id));
  const other = orderPath('track', linkOf(id + 1)).replace(
    `/${String(id + 1)}-`,
    `/${String(id)}-`,
  );
  const missing = orderPath('track', linkOf(999_999));
  await eachRow(
    [path.slice(0, -1), `${path}A`, path.replace('/track/', '/track/0'), other, missing],
    async (wrong) => {
      expect((await open(wrong)).status).toBe(404);
    },
  );
  expect(readLinkToken('track', undefined)).toBeNull();
  expect((await open(path)).status).toBe(200);
  await shop.sql(
    `update public.orders set created_at = now() - interval '181 days' where id = ${String(id)}`,
  );
  const late = await open(path);
  expect(late.status).toBe(404);
  expect(late.text).toContain('This link has expired or is incomplete.');
});
