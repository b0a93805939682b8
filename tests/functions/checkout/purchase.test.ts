import { beforeEach, expect, test, vi } from 'vitest';
import { useAdminShop } from '#tests/functions/support/admin-shop.ts';

/*
 * The endpoints against the sandbox that `npm start` runs: its API, its checkout and its signed webhooks, which arrive over HTTP.
 * Upgrades run this file on the database of another release (tests/unit/project/upgrade.test.ts).
 */
const shop = await useAdminShop();
const customer = await shop.signUp();

beforeEach(async () => {
  await shop.setFaults();
  await shop.mailsSent();
  shop.mail.mails.length = 0;
});

const ring = async () => [
  { product_id: await shop.addProduct({ price: 1_000, stock: 5 }), quantity: 1 },
];
const completed = (id: number): Promise<void> =>
  vi.waitFor(async () => {
    expect(await shop.orderRow(id)).toMatchObject({ status: 'COMPLETED' });
  }, 15_000);

test('a ring is ordered, paid in the checkout and verified', async () => {
  const { id } = await shop.buy(customer, await ring());
  await completed(id);
});

test.each(['duplicate', 'reordered'])(
  'with the browser closed, webhooks that come %s complete the order once, with one pair of e-mails',
  async (mode) => {
    await shop.setFaults({ webhook: { mode } });
    const order = await shop.place(customer, await ring());
    await shop.pay(order);
    await completed(order.id);
    await vi.waitFor(() => {
      expect(shop.mail.mails).toHaveLength(2);
    }, 15_000);
  },
);

test('when the reply to the creation is lost, the order that was made is found by its receipt', async () => {
  await shop.setFaults({ api: { dropReply: true, times: 1 } });
  const order = await shop.place(customer, await ring());
  await shop.pay(order);
  await completed(order.id);
});
