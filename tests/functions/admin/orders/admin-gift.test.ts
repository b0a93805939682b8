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

test('a gift note has at most 200 characters', async () => {
  const customer = await shop.signUp();
  const ring = await shop.addProduct({ price: 1_030, stock: 5 });
  const answer = await shop.createOrder(customer, [{ product_id: ring, quantity: 1 }], {
    body: { gift_note: 'x'.repeat(201) },
  });
  expect(answer).toMatchObject({ status: 400 });
  expect(answer.text).toContain('Gift note must be at most 200 characters');
});
