import { expect, test, vi } from 'vitest';
import { useAdminShop } from '../support/admin-shop.ts';

const shop = await useAdminShop();
const customer = await shop.signUp();

const mailsTo = (address: string): string[] =>
  shop.mail.mails
    .filter(({ to }) => to.includes(address))
    .map(({ headers }) => headers['subject'] ?? '')
    .sort();

test('a cart that was ordered again because its first payment was late is one sale: the second payment is refunded automatically', async () => {
  const { database, stockOf } = shop;
  const ring = await shop.addProduct({ price: 1_000, stock: 5 });
  const cart = [{ product_id: ring, quantity: 2 }];
  const first = await shop.place(customer, cart);
  // The bank takes its time: the hold ends, and the customer orders the same cart again.
  await database.sql(
    `update public.orders set created_at = created_at - interval '20 minutes', hold_expires_at = now() - interval '1 second',
     next_check_at = now() - interval '1 second' where id = $1`,
    first.id,
  );
  await shop.sweep();
  const second = await shop.place(customer, cart);
  expect(second.id).not.toBe(first.id);
  expect(await stockOf(ring)).toBe(3);
  shop.mail.mails.length = 0;

  const late = await shop.pay(first);
  await vi.waitFor(async () => {
    expect(await shop.read(first.id)).toMatchObject({
      paid: true,
      paymentId: late.razorpay_payment_id,
    });
  }, 15_000);
  const again = await shop.pay(second);
  const sentBack = (): Promise<number[]> => shop.sentBack(again.razorpay_payment_id);
  await vi.waitFor(async () => {
    expect(
      await database.sql(
        `select state from public.refunds where payment_id = $1`,
        again.razorpay_payment_id,
      ),
    ).toHaveLength(1);
  }, 15_000);
  await shop.sweep();
  await shop.sweep();
  expect(await sentBack()).toEqual([second.total]);
  expect(await shop.sentBack(late.razorpay_payment_id)).toEqual([]);
  expect(await stockOf(ring)).toBe(3);
  expect(await shop.read(first.id)).toMatchObject({ fulfilment: 'new', refundedPaise: 0 });
  expect(await shop.read(second.id)).toMatchObject({ paid: false, paymentStatus: 'REFUNDED' });
  expect(await database.sql('select * from private.payment_problems()')).toEqual([]);
  await shop.mailsSent();
  expect(mailsTo('anjali@example.com')).toEqual([
    expect.stringContaining(`Order_=23${String(first.id)}_confirmed`),
    expect.stringContaining(`Your_refund_for_order_=23${String(second.id)}`),
  ]);
  expect(mailsTo('owner@kasavu.example')).toEqual([
    expect.stringContaining(`New_order_=23${String(first.id)}`),
    expect.stringMatching(new RegExp(`^=.UTF-8.Q.Refund_of_.*=23${String(second.id)}`, 'u')),
  ]);
});
