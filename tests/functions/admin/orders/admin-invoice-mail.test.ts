import { describe, expect, test } from 'vitest';
import { parcel, useAdminShop } from '#tests/functions/support/admin-shop.ts';
import type { Answer } from '#tests/functions/support/stack.ts';
import { useSampleTax } from '#tests/sample-tax.ts';

useSampleTax();

const shop = await useAdminShop();
const customer = await shop.signUp();

async function bought(quantity = 1) {
  const ring = await shop.addProduct({ price: 1_030, stock: 9, name: 'Temple ring' });
  return shop.buy(customer, [{ product_id: ring, quantity }]);
}

describe('the invoice by mail', () => {
  const send = (id: number): Promise<Answer> =>
    shop.admin.ask('POST', `/api/admin/orders/${String(id)}/mail-invoice`);
  const mails = async (id: number) =>
    (await shop.read(id)).mails.filter(({ kind }) => kind === 'invoice_mail');

  test('goes to the customer once, however often the button is pressed within a minute, and again after that', async () => {
    const { id } = await bought(2);
    await shop.step(id, parcel);
    const answers = await Promise.all([send(id), send(id), send(id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await shop.mailsSent();
    expect(await mails(id)).toHaveLength(1);
    const { invoiceNumber, customerEmail } = await shop.read(id);
    const sent = shop.mail.mails.filter(({ raw }) =>
      raw.includes(`Invoice: ${invoiceNumber ?? 'none'} of`),
    );
    expect(sent.map(({ to }) => to)).toEqual([[customerEmail]]);
    await shop.sql(
      `update public.outbox set created_at = created_at - interval '61 seconds' where order_id = $1`,
      [id],
    );
    await send(id);
    await shop.mailsSent();
    expect(await mails(id)).toHaveLength(2);
  });

  test('is for an order that has an invoice and an address', async () => {
    const { id } = await bought();
    const early = await send(id);
    expect([early.status, early.json['message']]).toEqual([
      409,
      expect.stringContaining('no invoice yet'),
    ]);
    await shop.step(id, parcel);
    await shop.sql(`update public.orders set customer_email = ' ' where id = $1`, [id]);
    expect((await send(id)).json['message']).toContain('no e-mail address');
    expect((await send(999_999)).status).toBe(404);
    expect(await mails(id)).toEqual([]);
  });
});
