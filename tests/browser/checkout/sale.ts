import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';
import * as z from 'zod';
import { paiseFromRupees } from '#domain/money.ts';
import { platformFee } from '#domain/sums/platform-fee.ts';
import { shop } from '#settings/shop.ts';
import {
  deleteProduct,
  insertProduct,
  type ProductRow,
} from '#tests/browser/catalogue/product-rows.ts';
import { runningShop } from '#tests/browser/support/running-shop.ts';
import { expect } from '#tests/browser/support/shop.ts';
import { createCustomer, startWith } from '#tests/browser/account/customers.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';
import { pin } from '#tests/browser/support/destination.ts';

/** A paid order of two rings of ₹500 and a chain of ₹1,000, whose customer is still signed in. ₹2,047.20 in all. */
export interface Sale {
  id: number;
  /** The name, which no other customer has. */
  customerName: string;
  email: string;
  /** The customer's own browser, which opens when a test first looks into it. */
  openCustomer: () => Promise<Page>;
  paymentId: string;
  ring: ProductRow;
  chain: ProductRow;
  /** Closes the customer's browser and deletes the products. */
  end: () => Promise<void>;
}

const createdSchema = z.object({ order_id: z.string(), order: z.object({ number: z.number() }) });
const paidSchema = z.object({ razorpay_payment_id: z.string() });

/** Places an unpaid order for a customer of the test's own, by the shop's own endpoint. */
export async function placeOrder(
  { email, session }: Awaited<ReturnType<typeof createCustomer>>,
  customerName: string,
  lines: readonly { product: ProductRow; quantity: number }[],
): Promise<z.infer<typeof createdSchema>> {
  const { url } = runningShop();
  const subtotal = lines.reduce(
    (sum, { product, quantity }) => sum + (paiseFromRupees(product.price) ?? 0) * quantity,
    0,
  );
  const created = await fetch(`${url}/api/payment/create-order`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${session.access_token}`,
      origin: url,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({
      customer_name: customerName,
      customer_email: email,
      customer_phone: '+91 98470 12345',
      customer_address: '14 Temple Road, Vadakkumnathan West',
      customer_city: 'Thrissur',
      customer_postal_code: pin,
      notes: 'Please wrap as a gift',
      products: lines.map(({ product, quantity }) => ({ product_id: product.id, quantity })),
      total_amount: (subtotal + platformFee(subtotal, shop.platformFeeBps)) / 100,
    }),
  });
  const answer = await created.text();
  expect(created.status, answer).toBe(200);
  return createdSchema.parse(JSON.parse(answer));
}

/** Sells products of the test's own to a customer of the test's own, by the shop's own endpoints. */
export async function sell(browser: Browser): Promise<Sale> {
  const mark = `k${randomUUID().slice(0, 7)}`;
  const [ring, chain, customer] = await Promise.all([
    insertProduct({ name: `Ring ${mark}`, category: shopCategory(0).slug, price: 500, stock: 9 }),
    insertProduct({ name: `Chain ${mark}`, category: shopCategory(1).slug, price: 1000, stock: 9 }),
    createCustomer(),
  ]);
  const { email } = customer;
  const { url, payments } = runningShop();
  const customerName = `Anjali ${mark}`;
  const authorization = `Bearer ${customer.session.access_token}`;
  const { order_id: razorpayId, order } = await placeOrder(customer, customerName, [
    { product: ring, quantity: 2 },
    { product: chain, quantity: 1 },
  ]);
  const paid = await fetch(`${payments}/orders/${razorpayId}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const { razorpay_payment_id: paymentId } = paidSchema.parse(await paid.json());
  const status = `${url}/api/payment/status?order_id=${razorpayId}`;
  await expect
    .poll(
      async () => {
        const told = await fetch(status, { headers: { authorization } });
        return z.object({ status: z.string() }).parse(await told.json()).status;
      },
      { message: 'the webhook finishes the payment' },
    )
    .toBe('COMPLETED');
  let context: BrowserContext | undefined;
  return {
    id: order.number,
    customerName,
    email,
    paymentId,
    ring,
    chain,
    openCustomer: async () => {
      context = await browser.newContext({
        baseURL: url,
        storageState: { cookies: [], origins: [] },
      });
      await startWith(context, { customer });
      return context.newPage();
    },
    end: async () => {
      await context?.close();
      await deleteProduct(ring.id);
      await deleteProduct(chain.id);
    },
  };
}

const refundsSchema = z.object({
  refunds: z.array(z.object({ payment_id: z.string(), amount: z.number(), status: z.string() })),
});

/** The provider's refunds of a payment, in paise, oldest first. */
export async function refundsOf(page: Page, paymentId: string): Promise<number[]> {
  const state = refundsSchema.parse(
    await (await page.request.get(`${runningShop().payments}/state.json`)).json(),
  );
  return state.refunds
    .filter((refund) => refund.payment_id === paymentId)
    .map(({ amount }) => amount);
}

/** The customer's own view of the order, in a browser of theirs. */
export async function orderOfCustomer({ openCustomer, id }: Sale): Promise<Locator> {
  const customer = await openCustomer();
  await customer.goto('/profile');
  await customer.getByRole('tab', { name: 'Orders' }).click();
  const order = customer.getByRole('article', { name: `Order #${String(id)}` });
  await expect(order).toBeVisible();
  return order;
}
