import { expect, test } from 'vitest';
import { useAdminShop } from '../../support/admin-shop.ts';

const shop = await useAdminShop();

test("the packing slip of a gift has its note and no prices, and omits the customer's note to the shop", async () => {
  const customer = await shop.signUp();
  const bought = async (body: Record<string, unknown>) =>
    shop.buy(
      customer,
      [{ product_id: await shop.addProduct({ price: 1_030, stock: 5 }), quantity: 1 }],
      { notes: 'Ring the bell twice', ...body },
    );
  const slip = async (id: number) =>
    (await shop.admin.ask('GET', `/api/admin/orders/${String(id)}/packing-slip`)).text;
  const gift = await bought({ gift_note: ' With love <b>Asha</b> ' });
  const text = await slip(gift.id);
  expect(text).toContain('A note for you');
  expect(text).toContain('With love &lt;b&gt;Asha&lt;/b&gt;');
  expect(text).not.toContain('Ring the bell');
  expect(text).not.toContain('₹');
  expect(await shop.read(gift.id)).toMatchObject({
    giftNote: 'With love <b>Asha</b>',
    notes: 'Ring the bell twice',
  });
  expect(shop.mail.mails.map(({ raw }) => raw).join('')).toContain('Gift note');
  expect(await slip((await bought({})).id)).toContain('Ring the bell twice');
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
