import { expect, test } from 'vitest';
import orderEndpoint from '../../../netlify/functions/admin-order.ts';
import trackEndpoint from '../../../netlify/functions/order-track.ts';
import { orderOfTrackToken, trackPath } from '../../../netlify/server/mail/track-link.ts';
import { openInvoice } from '../admin/admin-client.ts';
import { eachRow } from '../../each-row.ts';
import { parcel, useAdminShop } from '../support/admin-shop.ts';
import { customer, type Answer } from '../support/stack.ts';

const shop = await useAdminShop();
const shopper = await shop.signUp();

const open = (path: string): Promise<Answer> => shop.call(trackEndpoint, path);
const buy = async (name: string): Promise<number> =>
  (
    await shop.buy(shopper, [
      { product_id: await shop.addProduct({ name, price: 900, stock: 3 }), quantity: 1 },
    ])
  ).id;
/** The link of the newest mail that has one. */
function mailedPath(): string {
  const raw = shop.mail.mails.map((mail) => mail.raw.replaceAll(/=\r\n/gu, '')).join('\n');
  return /https:\/\/kasavu\.example(\/track\/\d+-[\w-]{43})(?!\/)/u.exec(raw)?.[1] ?? '';
}

test('the link in the mail shows steps, parcel and invoice without a login, and nothing of the person or the products', async () => {
  const id = await buy('Secret Jimikki');
  const path = mailedPath();
  expect(path).toBe(trackPath(String(id)));
  const paid = await open(path);
  expect(paid.status).toBe(200);
  expect(paid.text).toContain(`Order #${String(id)}`);
  expect(paid.text).toContain('We are packing it. Expected');
  expect(paid.headers.get('referrer-policy')).toBe('no-referrer');
  expect(paid.headers.get('cache-control')).toBe('no-store');
  expect((await open(`${path}/invoice`)).status).toBe(404);

  await shop.step(id, { state: 'packed' });
  const shipped = await shop.step(id, parcel);
  expect(shipped.status).toBe(200);
  expect((await openInvoice(shop.admin, orderEndpoint, id)).status).toBe(200);
  const way = await open(path);
  expect(way.text).toContain('It is on its way.');
  expect(way.text).toContain(parcel.carrier);
  expect(way.text).toContain(parcel.trackingNumber);
  for (const secret of [
    customer.customer_name,
    shopper.email,
    customer.customer_phone,
    'Canal Road',
    'Secret Jimikki',
    '₹',
  ])
    expect(way.text).not.toContain(secret);
  const invoice = await open(`${path}/invoice`);
  expect(invoice.status).toBe(200);
  expect(invoice.text).toContain('Tax invoice');
});

test('a cancelled order says so', async () => {
  const id = await buy('Cancelled Ring');
  expect((await shop.cancel(id)).status).toBe(200);
  const page = await open(trackPath(String(id)));
  expect(page.text).toContain('This order is cancelled since');
  expect(page.text).not.toContain('aria-label="Progress"');
});

test('a link that is cut, changed, of another order or 180 days old shows nothing', async () => {
  const id = await buy('Old Ring');
  const path = trackPath(String(id));
  const other = trackPath(String(id + 1)).replace(`/${String(id + 1)}-`, `/${String(id)}-`);
  const missing = trackPath('999999');
  await eachRow(
    [path.slice(0, -1), `${path}A`, path.replace('/track/', '/track/0'), other, missing],
    async (wrong) => {
      expect((await open(wrong)).status).toBe(404);
      expect((await open(`${wrong}/invoice`)).status).toBe(404);
    },
  );
  expect(orderOfTrackToken(undefined)).toBeNull();
  expect((await open(path)).status).toBe(200);
  await shop.sql(
    `update public.orders set created_at = now() - interval '181 days' where id = ${String(id)}`,
  );
  const late = await open(path);
  expect(late.status).toBe(404);
  expect(late.text).toContain('This link has expired or is incomplete.');
});
