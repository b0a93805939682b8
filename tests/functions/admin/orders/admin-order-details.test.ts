import { describe, expect, test } from 'vitest';
import { openInvoice } from '#tests/functions/admin/admin-client.ts';
import { useAdminShop } from '#tests/functions/support/admin-shop.ts';
import type { Answer } from '#tests/functions/support/stack.ts';
import { useSampleTax } from '#tests/sample-tax.ts';

useSampleTax();

const shop = await useAdminShop();
const customer = await shop.signUp();

async function bought(): Promise<number> {
  const ring = await shop.addProduct({ price: 500, stock: 5 });
  return (
    await shop.buy(customer, [{ product_id: ring, quantity: 1 }], {
      customer_postal_code: '682001',
    })
  ).id;
}
const change = (id: number, body: Record<string, { from: string; to: string }>): Promise<Answer> =>
  shop.admin.ask('POST', `/api/admin/orders/${String(id)}/details`, body);
const print = (id: number): Promise<Answer> => openInvoice(shop.admin, id);

describe('the details of an order', () => {
  test('are corrected before it is sent, with their old values kept, and decide the place of supply of its invoice', async () => {
    const id = await bought();
    const before = await shop.read(id);
    const answer = await change(id, {
      name: { from: before.customerName, to: ' Lakshmi  Nair ' },
      postalCode: { from: '682001', to: '560001' },
      gstin: { from: '', to: '29aagcb7383j1z4' },
    });
    expect(answer.status).toBe(200);
    expect(await shop.read(id)).toMatchObject({
      customerName: 'Lakshmi  Nair',
      postalCode: '560001',
      state: 'Karnataka',
      gstin: '29AAGCB7383J1Z4',
      city: before.city,
      changes: [
        { field: 'name', oldValue: before.customerName, newValue: 'Lakshmi  Nair' },
        { field: 'gstin', oldValue: '', newValue: '29AAGCB7383J1Z4' },
        { field: 'postalCode', oldValue: '682001', newValue: '560001' },
      ],
    });
    const invoice = await print(id);
    expect(invoice.text).toContain('Karnataka (29)');
    expect(invoice.text).toContain('GSTIN: 29AAGCB7383J1Z4');
  });

  test('that the customer was asked about and kept are named until they are corrected', async () => {
    const ring = await shop.addProduct({ price: 500, stock: 5 });
    const asked = { asked_about: ['postal_code', 'phone'] };
    const lines = [{ product_id: ring, quantity: 1 }];
    const { id } = await shop.buy(customer, lines, { ...asked, customer_postal_code: '68201' });
    // The phone is usable: nobody can have been asked about it.
    expect((await shop.read(id)).askedAbout).toEqual(['postal_code']);
    await change(id, { postalCode: { from: '68201', to: '682001' } });
    expect((await shop.read(id)).askedAbout).toEqual([]);
  });

  test('stay when the invoice shows what would change, and when the order is sent; a note may always change', async () => {
    const id = await bought();
    await print(id);
    expect(await change(id, { postalCode: { from: '682001', to: '560001' } })).toMatchObject({
      status: 409,
      json: { error: 'not_possible' },
    });
    expect((await change(id, { postalCode: { from: '682001', to: '695001' } })).status).toBe(200);
    await shop.step(id, { state: 'shipped', carrier: 'By hand', trackingNumber: '' });
    const { customerPhone } = await shop.read(id);
    expect(
      await change(id, { phone: { from: customerPhone, to: '+91 99999 12345' } }),
    ).toMatchObject({ status: 409 });
    expect((await change(id, { adminNote: { from: '', to: 'Calls on Monday' } })).status).toBe(200);
    expect(await shop.read(id)).toMatchObject({
      adminNote: 'Calls on Monday',
      customerPhone,
      postalCode: '695001',
    });
  });

  test('are not overwritten by who saw older ones', async () => {
    const id = await bought();
    const { city } = await shop.read(id);
    expect((await change(id, { city: { from: city, to: 'Thrissur' } })).status).toBe(200);
    const second = await change(id, {
      city: { from: city, to: 'Kollam' },
      adminNote: { from: '', to: 'x' },
    });
    expect(second).toMatchObject({
      status: 409,
      json: {
        error: 'conflict',
        message: 'City has been changed in the meantime: it is now “Thrissur”. Nothing was saved.',
      },
    });
    expect(await shop.read(id)).toMatchObject({ city: 'Thrissur', adminNote: '' });
  });

  test('are checked as the order form checks them', async () => {
    const id = await bought();
    const answer = await change(id, { gstin: { from: '', to: '29AAGCB7383J1Z5' } });
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.text).toContain('This is not a GSTIN');
    expect((await change(999_999, { adminNote: { from: '', to: 'x' } })).status).toBe(404);
  });
});

test('the note and the recipient of a gift are trimmed, mailed and corrected', async () => {
  shop.mail.mails.length = 0;
  const ring = await shop.addProduct({ price: 500, stock: 5 });
  const { id } = await shop.buy(customer, [{ product_id: ring, quantity: 1 }], {
    notes: 'Ring the bell twice',
    gift_note: ' With love <b>Asha</b> ',
    recipient_name: ' Lakshmi Nair ',
    recipient_phone: '98950 54321',
  });
  expect(await shop.read(id)).toMatchObject({
    customerName: 'Anjali Menon',
    giftNote: 'With love <b>Asha</b>',
    notes: 'Ring the bell twice',
    recipientName: 'Lakshmi Nair',
    recipientPhone: '98950 54321',
  });
  const mails = shop.mail.mails.map(({ raw }) => raw).join('');
  expect(mails).toContain('Gift note');
  expect(mails).toContain('Lakshmi Nair');
  const phone = { recipientPhone: { from: '98950 54321', to: '98950 54322' } };
  expect((await change(id, phone)).status).toBe(200);
  expect((await shop.read(id)).recipientPhone).toBe('98950 54322');
});
