import { readFile } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import trackEndpoint from '#netlify/functions/order-track.ts';
import verifyEndpoint from '#netlify/functions/payment-verify.ts';
import { orderPath } from '#core/mail/order-links.ts';
import { seller } from '#settings/seller.ts';
import { parcel, useAdminShop } from '#tests/functions/support/admin-shop.ts';
import { sampleCash } from '#tests/sample-cash.ts';
import { useSampleTax } from '#tests/sample-tax.ts';

useSampleTax();

/* A commit in src/shop while an order is open: what its customer was promised stays, and the owner keeps its buttons. */
const shop = await useAdminShop();
const { damageHours, processing } = seller.shipping;
afterEach(() => {
  delete sampleCash.advance;
  sampleCash.keepsAdvance = true;
  Object.assign(seller.shipping, { damageHours, processing });
});

/** The words of the mails that were sent, without the line breaks of their encoding. */
const words = (): string =>
  shop.mail.mails.map(({ raw }) => raw.replaceAll(/=\r\n/gu, '')).join('\n');

test('an order at the door is confirmed, sent, read and refused by the terms that it was placed at', async () => {
  const customer = await shop.signUp();
  Object.assign(sampleCash, { advance: { percent: 20 }, keepsAdvance: false });
  Object.assign(seller.shipping, { damageHours: 7, processing: '20 business days' });
  const ring = await shop.addProduct({ price: 1_000, stock: 5 });
  const answer = await shop.createOrder(customer, [{ product_id: ring, quantity: 1 }], {
    body: { payment_way: 'door', total_amount: 1_050 },
  });
  const { number: id } = answer.json['order'] as { number: number };
  const claim = await shop.pay({ id, razorpayOrderId: String(answer.json['order_id']), total: 0 });
  await shop.post(verifyEndpoint, '/api/payment/verify', claim, { token: customer.token });
  const expected = async (): Promise<string> => {
    const path = orderPath('track', { id: String(id), linkVersion: 0 });
    const { text } = await shop.call(trackEndpoint, path, {});
    return /Expected [^.]*/u.exec(text)?.[0] ?? text;
  };
  const promised = await expected();
  expect(promised).toContain('Expected ');

  Object.assign(sampleCash, { keepsAdvance: true });
  Object.assign(seller.shipping, { damageHours: 99, processing: '1 business day' });
  expect(await expected()).toBe(promised);
  await shop.confirmCash(id);
  await shop.mailsSent();
  shop.mail.mails.length = 0;
  await shop.step(id, parcel);
  await shop.mailsSent();
  expect(words()).toContain('within 7 hours of delivery');
  expect(words()).not.toContain('99 hours');

  const refused = await shop.admin.ask('POST', `/api/admin/orders/${String(id)}/cash/refuse`, {
    reason: '',
    restock: true,
  });
  expect(refused).toMatchObject({ status: 200, json: { order: { advanceLeftPaise: 0 } } });
  await shop.sweep();
  expect(await shop.sentBack(claim.razorpay_payment_id)).toEqual([21_000]);
});

test('the owner’s buttons and endpoints of a cash order ask no setting of today, so they stay when cash is switched off', async () => {
  const read = (path: string): Promise<string> =>
    readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const setting = /offersCash|cash-on-delivery\.ts'/u;
  // The offer to customers asks the setting.
  expect(await read('netlify/functions/cash-on-delivery.ts')).toMatch(setting);
  for (const path of [
    'netlify/features/cash-on-delivery/admin-routes.ts',
    'src/features/cash-on-delivery/OrderPanel.tsx',
    'src/features/cash-on-delivery/CashPanel.tsx',
    'src/features/cash-on-delivery/ReceiveDialog.tsx',
  ])
    expect(await read(path), path).not.toMatch(setting);
});
