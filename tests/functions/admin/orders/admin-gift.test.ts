import { expect, test } from 'vitest';
import { useAdminShop } from '../../support/admin-shop.ts';

const shop = await useAdminShop();

test('the gift note of an order is trimmed, and in the mails', async () => {
  const customer = await shop.signUp();
  const ring = await shop.addProduct({ price: 1_030, stock: 5 });
  const gift = await shop.buy(customer, [{ product_id: ring, quantity: 1 }], {
    notes: 'Ring the bell twice',
    gift_note: ' With love <b>Asha</b> ',
  });
  expect(await shop.read(gift.id)).toMatchObject({
    giftNote: 'With love <b>Asha</b>',
    notes: 'Ring the bell twice',
  });
  expect(shop.mail.mails.map(({ raw }) => raw).join('')).toContain('Gift note');
});

test('the parcel of a gift goes to its recipient, and the documents name the customer', async () => {
  const customer = await shop.signUp();
  const ring = await shop.addProduct({ price: 1_030, stock: 5 });
  const { id } = await shop.buy(customer, [{ product_id: ring, quantity: 1 }], {
    recipient_name: ' Lakshmi Nair ',
    recipient_phone: '98950 54321',
  });
  expect(await shop.read(id)).toMatchObject({
    customerName: 'Anjali Menon',
    recipientName: 'Lakshmi Nair',
    recipientPhone: '98950 54321',
  });
  const sendTo = shop.mail.mails.map(({ raw }) => raw).join('');
  expect(sendTo).toContain('Lakshmi Nair');
  const details = { recipientPhone: { from: '98950 54321', to: '98950 54322' } };
  const changed = await shop.admin.ask('POST', `/api/admin/orders/${String(id)}/details`, details);
  expect(changed).toMatchObject({ status: 200 });
  expect((await shop.read(id)).recipientPhone).toBe('98950 54322');
});

test('a recipient’s phone that nobody can call in India is refused', async () => {
  const customer = await shop.signUp();
  const ring = await shop.addProduct({ price: 1_030, stock: 5 });
  const answer = await shop.createOrder(customer, [{ product_id: ring, quantity: 1 }], {
    body: { recipient_phone: '98950' },
  });
  expect(answer).toMatchObject({ status: 400 });
  expect(answer.text).toContain('Phone numbers in India have ten digits.');
});

test('a gift note has at most 200 characters', async () => {
  const customer = await shop.signUp();
  const ring = await shop.addProduct({ price: 1_030, stock: 5 });
  const answer = await shop.createOrder(customer, [{ product_id: ring, quantity: 1 }], {
    body: { gift_note: 'x'.repeat(201) },
  });
  expect(answer).toMatchObject({ status: 400 });
  expect(answer.text).toContain('Gift note must be at most 200 characters');
});
