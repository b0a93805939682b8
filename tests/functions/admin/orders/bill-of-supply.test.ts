import { expect, test } from 'vitest';
import { isoDateInIndia } from '#domain/india-month.ts';
import { registerAs, useSampleTax } from '#tests/sample-tax.ts';
import { parcel, useAdminShop } from '#tests/functions/support/admin-shop.ts';
import type { Answer } from '#tests/functions/support/stack.ts';
import { openInvoice } from '#tests/functions/admin/admin-client.ts';

/* A seller without GSTIN, or of the composition scheme: no tax on paper, and no parcel to another state. */
useSampleTax();
const shop = await useAdminShop();
const customer = await shop.signUp();
const unregistered = { kind: 'unregistered', sendsToOtherStates: false } as const;

const home = { customer_postal_code: '682001', customer_gstin: '27AAPFU0939F1ZV' };
const lines = async () => [
  { product_id: await shop.addProduct({ price: 1_030, stock: 5 }), quantity: 2 },
];
const bought = async () => shop.buy(customer, await lines(), home);
const words = ({ text }: Answer): string =>
  text
    .replaceAll(/<style>.*?<\/style>|<script>.*?<\/script>|<[^>]+>/gsu, ' ')
    .replaceAll(/\s+/gu, ' ');
const print = async (id: number) => words(await openInvoice(shop.admin, id));

test('an unregistered seller’s bill has no tax, no GSTIN and no reverse charge, and its credit note neither', async () => {
  registerAs(unregistered);
  const { id } = await bought();
  await print(id);
  await shop.refund(id, { amountPaise: 50_000 });
  await shop.sweep();
  const text = await print(id);
  for (const fact of ['Bill of supply', 'Credit note', 'Kerala (32)', 'No GST is collected'])
    expect(text).toContain(fact);
  expect(text).not.toMatch(
    /GSTIN|Tax invoice|CGST|SGST|IGST|Taxable|incl\. GST|Tax by rate|Reverse charge|section 34|Composition/u,
  );
  expect((await shop.read(id)).gstin).toBe('');
  await shop.mailsSent();
  const before = shop.mail.mails.length;
  await shop.admin.ask('POST', `/api/admin/orders/${String(id)}/mail-invoice`, {});
  await shop.mailsSent();
  const [mail] = shop.mail.mails.slice(before);
  expect(mail?.raw).toMatch(/Bill of supply/u);
  expect(mail?.raw).not.toContain('GST');
});

test('the accountant’s file of a month of bills has no columns of tax, and there is no GSTR-1', async () => {
  await shop.sql('delete from public.credit_notes where true');
  await shop.sql('update public.orders set invoice_number = null where true');
  await shop.sql('delete from public.invoices where true');
  registerAs(unregistered);
  await print((await bought()).id);
  const month = isoDateInIndia(new Date().toISOString()).slice(0, 7);
  const csv = await shop.admin.ask('GET', `/api/admin/orders.csv?month=${month}`);
  const [head = '', first = ''] = csv.text.split('\r\n');
  expect(head).not.toMatch(/GST/u);
  expect(head).toContain('HSN/SAC,Quantity,Amount,Discount');
  expect(first).toContain('Bill of supply,');
  expect(await shop.admin.ask('GET', `/api/admin/gstr1.zip?month=${month}`)).toMatchObject({
    status: 409,
    json: { message: 'You issue bills of supply without GST, which are in no GSTR-1.' },
  });
});

const refusal = 'We send within Kerala only, and this PIN code is in Karnataka.';

test('no door takes an order, a payment link or a correction to another state', async () => {
  const open = await bought();
  const product = (await lines())[0];
  const away = { customer_postal_code: '560001' };
  const answer = () =>
    shop.createOrder(
      customer,
      [{ ...product, product_id: String(product?.product_id), quantity: 1 }],
      { body: away },
    );
  registerAs(unregistered);
  expect(await answer()).toMatchObject({
    status: 400,
    json: { fields: { customer_postal_code: refusal } },
  });
  expect(
    await shop.admin.ask('POST', '/api/admin/orders', {
      key: crypto.randomUUID(),
      lines: [{ product_id: product?.product_id, quantity: 1 }],
      channel: 'whatsapp',
      name: 'Anjali Menon',
      phone: '9847012345',
      email: '',
      address: 'House 12, Canal Road',
      city: 'Bengaluru',
      postalCode: '560001',
      notes: '',
      handOver: false,
      totalPaise: 105_431,
      payment: { by: 'link', hours: 24 },
    }),
  ).toMatchObject({ status: 400, json: { fields: { postalCode: refusal } } });
  const correct = (to: string) =>
    shop.admin.ask('POST', `/api/admin/orders/${String(open.id)}/details`, {
      postalCode: { from: '682001', to },
    });
  expect(await correct('560001')).toMatchObject({ status: 400 });
  expect(await correct('680001')).toMatchObject({ status: 200 });
  expect((await shop.step(open.id, parcel)).status).toBe(200);
});
