import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { seller } from '#settings/seller.ts';
import { parcel, useAdminShop } from '#tests/functions/support/admin-shop.ts';
import type { Answer } from '#tests/functions/support/stack.ts';
import { confirm, confirmationEnds } from '#tests/functions/admin/admin-client.ts';

const shop = await useAdminShop();
const customer = await shop.signUp();
/** Whatever the owner of the shop under test has set. */
const limitPaise = 1_000_000;
const { confirmAbove } = seller.refunds;
Object.assign(seller.refunds, { confirmAbove: limitPaise / 100 });
afterAll(() => {
  Object.assign(seller.refunds, { confirmAbove });
});
const askedAgain = { status: 403, json: { error: 'confirm_again', code_needed: false } };

beforeEach(async () => {
  await shop.mailsSent();
  await shop.sql('delete from public.costs where true');
  await confirmationEnds(shop);
});

/** A paid order of ₹12,282 with the fee, and the body of a refund of it. */
async function bought(price = 12_000) {
  const ring = await shop.addProduct({ price, stock: 5 });
  return shop.buy(customer, [{ product_id: ring, quantity: 1 }]);
}

/** Nothing was refunded at first; after the password the same request is. */
async function refundsAfterPassword(
  paymentId: string,
  amount: number,
  send: () => Promise<Answer>,
): Promise<void> {
  expect(await send()).toMatchObject(askedAgain);
  expect(await shop.sentBack(paymentId)).toEqual([]);
  expect(await confirm(shop.admin)).toMatchObject({ status: 200 });
  expect(await send()).toMatchObject({ status: 200 });
  expect(await send()).toMatchObject({ status: 200 });
  await shop.sweep();
  expect(await shop.sentBack(paymentId)).toEqual([amount]);
}

describe('the password is required again', () => {
  test('before a refund above the limit, and the same key is one refund', async () => {
    const { id, paymentId } = await bought();
    const body = { key: crypto.randomUUID(), amountPaise: limitPaise + 1 };
    await refundsAfterPassword(paymentId, limitPaise + 1, () => shop.refund(id, body));
  });

  test('before refunds of several payments come to more than the limit', async () => {
    const [first, second] = [await bought(), await bought(1_000)];
    expect(await shop.refund(first.id, { amountPaise: limitPaise })).toMatchObject({ status: 200 });
    expect(await shop.refund(second.id, { amountPaise: 100 })).toMatchObject(askedAgain);
    expect(await shop.cancel(second.id)).toMatchObject(askedAgain);
    expect(await confirm(shop.admin)).toMatchObject({ status: 200 });
    expect(await shop.cancel(second.id)).toMatchObject({ status: 200 });
  });

  test('before an order is cancelled that was paid with more', async () => {
    const { id, paymentId, total } = await bought();
    const key = crypto.randomUUID();
    await refundsAfterPassword(paymentId, total, () => shop.cancel(id, { key }));
    expect(await shop.read(id)).toMatchObject({ fulfilment: 'cancelled' });
  });

  test('before an order is cancelled whose payment the shop learns of only then', async () => {
    const ring = await shop.addProduct({ price: 12_000, stock: 5 });
    const order = await shop.place(customer, [{ product_id: ring, quantity: 1 }]);
    await shop.setFaults({ webhook: { mode: 'lost' } });
    const { razorpay_payment_id: paymentId } = await shop.pay(order);
    await shop.setFaults();
    const key = crypto.randomUUID();
    expect(await shop.cancel(order.id, { key })).toMatchObject(askedAgain);
    expect(await shop.read(order.id)).toMatchObject({ fulfilment: 'new' });
    await refundsAfterPassword(paymentId, order.total, () => shop.cancel(order.id, { key }));
  });

  test('before a damage claim is answered with a refund above the limit', async () => {
    const { id, paymentId } = await bought();
    await shop.step(id, { state: 'packed' });
    await shop.step(id, parcel);
    await shop.step(id, { state: 'delivered' });
    await shop.sql(`select public.report_claim($1, 'Broken', '{}', 48)`, id);
    const path = `/api/admin/orders/${String(id)}/claims`;
    const { json } = await shop.admin.ask('GET', path);
    const answer = {
      claimId: (json['claims'] as { id: number }[])[0]?.id,
      key: crypto.randomUUID(),
      answer: 'refund',
      amountPaise: limitPaise + 1,
      reason: 'We are sorry.',
      items: [],
    };
    await refundsAfterPassword(paymentId, limitPaise + 1, () =>
      shop.admin.ask('POST', path, answer),
    );
  });

  test('before a payment without an order is sent back', async () => {
    const ring = await shop.addProduct({ price: 12_000, stock: 5 });
    const order = await shop.place(customer, [{ product_id: ring, quantity: 1 }]);
    await shop.sql('update public.orders set razorpay_order_id = null where id = $1', order.id);
    const { razorpay_payment_id: paymentId } = await shop.pay(order);
    await vi.waitFor(async () => {
      const found = await shop.sql(
        `select 1 from public.payments where payment_id = $1 and state = 'unmatched'`,
        paymentId,
      );
      expect(found).toHaveLength(1);
    }, 15_000);
    const key = crypto.randomUUID();
    await refundsAfterPassword(paymentId, order.total, () =>
      shop.admin.ask('POST', `/api/admin/payments/${paymentId}/refund`, { key }),
    );
  });

  test('before anybody is erased', async () => {
    const person = await shop.signUp();
    const erase = () =>
      shop.admin.ask('POST', '/api/admin/personal-data/erase', {
        email: person.email,
      });
    const accounts = () => shop.sql('select 1 from auth.users where id = $1', person.id);
    expect(await erase()).toMatchObject(askedAgain);
    expect(await accounts()).toHaveLength(1);
    await confirm(shop.admin);
    expect(await erase()).toMatchObject({ status: 200 });
    expect(await accounts()).toHaveLength(0);
  });
});

describe('the password is not required', () => {
  test('for a small order that is cancelled', async () => {
    const { id } = await bought(1_000);
    expect(await shop.cancel(id)).toMatchObject({ status: 200 });
  });

  test('for a large order that is cancelled unpaid', async () => {
    const ring = await shop.addProduct({ price: 12_000, stock: 5 });
    const order = await shop.place(customer, [{ product_id: ring, quantity: 1 }]);
    expect(await shop.cancel(order.id)).toMatchObject({ status: 200 });
  });

  test('in a shop whose owner set no limit', async () => {
    Object.assign(seller.refunds, { confirmAbove: null });
    onTestFinished(() => {
      Object.assign(seller.refunds, { confirmAbove: limitPaise / 100 });
    });
    const { id } = await bought();
    expect(await shop.refund(id, { amountPaise: limitPaise + 1 })).toMatchObject({ status: 200 });
  });
});
