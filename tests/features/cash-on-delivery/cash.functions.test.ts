import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import cashEndpoint from '#netlify/functions/cash-on-delivery.ts';
import cancelEndpoint from '#netlify/functions/order-cancel.ts';
import statusEndpoint from '#netlify/functions/payment-status.ts';
import verifyEndpoint from '#netlify/functions/payment-verify.ts';
import { orderTimeline } from '#domain/admin/orders/order-timeline.ts';
import { seller } from '#settings/seller.ts';
import { confirm, confirmationEnds } from '#tests/functions/admin/admin-client.ts';
import { parcel, useAdminShop } from '#tests/functions/support/admin-shop.ts';
import type { Answer } from '#tests/functions/support/stack.ts';
import { sampleCash } from '#tests/sample-cash.ts';
import { useSampleTax } from '#tests/sample-tax.ts';

useSampleTax();

/* The endpoints of cash on delivery: what the customer is offered and told, and what the admin does. */
const shop = await useAdminShop();

let customer: Awaited<ReturnType<typeof shop.signUp>>;
beforeEach(async () => {
  customer = await shop.signUp();
  await shop.setFaults();
  await shop.sql('delete from public.cash_refusals');
  await shop.sql(
    `update public.orders set cash_paise = 0, hold_state = 'released', status = 'FAILED' where cash_paise > 0`,
  );
  await shop.mailsSent();
  shop.mail.mails.length = 0;
});
afterEach(() => {
  delete sampleCash.advance;
});

/** ₹1,000, without the platform fee, and ₹50 for cash. */
const atDoor = { payment_way: 'door', total_amount: 1_050 };
const ring = async () => [
  { product_id: await shop.addProduct({ price: 1_000, stock: 5 }), quantity: 1 },
];
const order = async (body = {}): Promise<Answer> =>
  shop.createOrder(customer, await ring(), { body: { ...atDoor, ...body } });
const numberOf = ({ json }: Answer): number => (json['order'] as { number: number }).number;
const cash = (id: number, what: string, body: object = {}): Promise<Answer> =>
  shop.admin.ask('POST', `/api/admin/orders/${String(id)}/cash/${what}`, body);
/** The words of the mails that were sent; ₹ is encoded in them. */
const words = (): string =>
  shop.mail.mails.map(({ raw }) => raw.replaceAll(/=\r\n/gu, '')).join('\n');
/** An order without an advance, confirmed and sent. */
async function sent(): Promise<number> {
  const id = numberOf(await order());
  await shop.confirmCash(id);
  await shop.step(id, parcel);
  return id;
}

test('an order without an advance is reserved without Razorpay, and its page finds it by its reference', async () => {
  const answer = await order();
  expect(answer).toMatchObject({ status: 200, json: { reserved: true, total_amount: 1_050 } });
  const id = numberOf(answer);
  expect(answer.json['order_id']).toBe((await shop.orderRow(id))['merchant_transaction_id']);
  expect(await shop.orderRow(id)).toMatchObject({
    razorpay_order_id: null,
    razorpay_key_id: expect.stringContaining('rzp_') as unknown,
    fee_paise: 0,
  });
  const status = await shop.call(
    statusEndpoint,
    `/api/payment/status?order_id=${String(answer.json['order_id'])}`,
    { token: customer.token },
  );
  expect(status.json).toMatchObject({
    status: 'PLACED',
    number: id,
    message: 'Your order is placed. Thank you!',
  });
  await shop.mailsSent();
  expect(shop.mail.mails).toHaveLength(2);
  expect(words()).toContain('We call you or write to you on WhatsApp');
  expect(words()).toContain('is to be paid at the door');
});

test('a cart that is ordered again while its order waits for the shop answers with that order and says so; a request that is sent again does not', async () => {
  const lines = await ring();
  const key = crypto.randomUUID();
  const ask = (used: string): Promise<Answer> =>
    shop.createOrder(customer, lines, { body: atDoor, key: used });
  const first = await ask(key);
  expect(first.json).toMatchObject({ reserved: true, repeated: false });
  expect(await ask(key)).toMatchObject({ json: { order: first.json['order'], repeated: false } });
  expect(await ask(crypto.randomUUID())).toMatchObject({
    status: 200,
    json: { order: first.json['order'], reserved: true, repeated: true },
  });
  const other = await order();
  expect(other.json).toMatchObject({ reserved: true, repeated: false });
  expect(numberOf(other)).not.toBe(numberOf(first));
});

test('a parcel that comes back returns its advance only after the password, when it is more than a session may refund', async () => {
  Object.assign(sampleCash, { advance: { percent: 20 }, keepsAdvance: false });
  const { confirmAbove } = seller.refunds;
  Object.assign(seller.refunds, { confirmAbove: 200 });
  onTestFinished(() => {
    Object.assign(sampleCash, { keepsAdvance: true });
    Object.assign(seller.refunds, { confirmAbove });
  });
  const answer = await order();
  const id = numberOf(answer);
  const claim = await shop.pay({ id, razorpayOrderId: String(answer.json['order_id']), total: 0 });
  await shop.post(verifyEndpoint, '/api/payment/verify', claim, { token: customer.token });
  await shop.confirmCash(id);
  await shop.step(id, parcel);
  await confirmationEnds(shop);
  const body = { reason: '', restock: true };
  expect(await cash(id, 'refuse', body)).toMatchObject({ status: 403 });
  expect(await shop.sentBack(claim.razorpay_payment_id)).toEqual([]);
  expect(await confirm(shop.admin)).toMatchObject({ status: 200 });
  expect(await cash(id, 'refuse', body)).toMatchObject({ status: 200 });
  await shop.sweep();
  expect(await shop.sentBack(claim.razorpay_payment_id)).toEqual([21_000]);
});

test('the advance alone is paid at Razorpay, and nothing is paid before it came', async () => {
  sampleCash.advance = { percent: 20 };
  const answer = await order();
  expect(answer.json).toMatchObject({ payment: { amount: 21_000 }, total_amount: 1_050 });
  const id = numberOf(answer);
  const claim = await shop.pay({ id, razorpayOrderId: String(answer.json['order_id']), total: 0 });
  const verified = await shop.post(verifyEndpoint, '/api/payment/verify', claim, {
    token: customer.token,
  });
  expect(verified).toMatchObject({ status: 200, json: { verified: true } });
  expect(await shop.read(id)).toMatchObject({
    sold: false,
    cash: {
      state: 'to_confirm',
      due: 84_000,
      charge: 5_000,
      advancePaymentId: claim.razorpay_payment_id,
    },
  });
  // The customer gives up: the advance goes back.
  const cancelled = await shop.post(
    cancelEndpoint,
    `/api/orders/${String(id)}/cancel`,
    { key: crypto.randomUUID(), paid: false },
    { token: customer.token },
  );
  expect(cancelled.status).toBe(200);
  await vi.waitFor(async () => {
    expect(await shop.sentBack(claim.razorpay_payment_id)).toEqual([21_000]);
  }, 15_000);
  await shop.mailsSent();
  expect(words()).toMatch(/Your advance of .*210\.00 goes back/u);
});

test('the details sheet learns why cash is not possible, and the order is refused with the same sentence', async () => {
  const [{ product_id: id } = { product_id: '' }] = await ring();
  const ask = (body: object): Promise<Answer> =>
    shop.post(
      cashEndpoint,
      '/api/cash-on-delivery',
      { products: [id], phone: '9847012345', postalCode: '682001', total: 105_000, ...body },
      { token: customer.token },
    );
  expect((await ask({})).json).toEqual({ refusal: null });
  const message = 'Couriers do not take cash at this PIN code. You can pay now instead.';
  expect((await ask({ postalCode: '110001' })).json).toEqual({
    refusal: { reason: 'pin', message },
  });
  expect(await order({ customer_postal_code: '110001', customer_city: 'Delhi' })).toMatchObject({
    status: 409,
    json: { outcome: 'no_cash', message },
  });
});

test('a product that the admin marks as sold paid online alone is refused for cash', async () => {
  const id = crypto.randomUUID();
  const product = {
    name: 'Temple ring',
    description: '',
    category: 'rings',
    price: 100_000,
    offerPrice: null,
    stock: 5,
    sizes: [],
    hidden: false,
    images: [],
    imageAlts: [],
    attributes: { size: 'Adjustable', cash_on_delivery: 'No' },
  };
  const saved = await shop.admin.ask('POST', '/api/admin/products', { id, product });
  expect(saved.status).toBe(201);
  const lines = [{ product_id: id, quantity: 1 }];
  expect(await shop.createOrder(customer, lines, { body: atDoor })).toMatchObject({
    status: 409,
    json: { outcome: 'no_cash', reason: 'product' },
  });
  expect(await shop.createOrder(customer, lines)).toMatchObject({ status: 200 });
});

test('the admin confirms, sends and records the cash, and the invoice says what was to be paid at the door', async () => {
  const id = numberOf(await order());
  expect(await shop.step(id, parcel)).toMatchObject({
    status: 409,
    json: { error: 'not_possible' },
  });
  expect((await shop.confirmCash(id)).json).toMatchObject({
    order: { sold: true, cash: { state: 'due' } },
  });
  expect((await shop.admin.ask('GET', '/api/admin/orders?filter=to_pack')).json).toMatchObject({
    orders: [{ id, sold: true }],
  });
  await shop.step(id, parcel);
  const { invoiceNumber } = await shop.read(id);
  expect(invoiceNumber).not.toBeNull();
  expect(
    await shop.value(
      `select document -> 'order' ->> 'cashDuePaise' from public.invoices where order_id = $1`,
      id,
    ),
  ).toBe('105000');
  expect(await cash(id, 'receive', { amountPaise: 100_000, reference: '' })).toMatchObject({
    status: 409,
    json: { message: expect.stringContaining('₹1,050.00 is due') as unknown },
  });
  expect(
    (await cash(id, 'receive', { amountPaise: 105_000, reference: 'UTR 7' })).json,
  ).toMatchObject({
    order: { status: 'COMPLETED', cash: { state: 'paid' }, paymentReference: 'UTR 7' },
  });
  expect((await cash(id, 'refuse', { reason: '', restock: true })).status).toBe(409);
  await shop.mailsSent();
  expect(words()).toMatch(/Please have .*1,050\.00 in cash ready when the parcel arrives\./u);
});

test('a parcel that is refused at the door has a credit note of its whole invoice, and can be forgiven', async () => {
  const id = await sent();
  const [product = ''] = await shop.column<string>(
    `select item ->> 'product_id' from public.orders o, jsonb_array_elements(o.items) item where o.id = $1`,
    id,
  );
  expect(
    (await cash(id, 'refuse', { reason: 'Nobody at home', restock: true })).json,
  ).toMatchObject({
    order: { fulfilment: 'cancelled', cash: { state: 'ended' } },
  });
  expect(await shop.stockOf(product)).toBe(5);
  const sums = await shop.sql<{ invoice: number; note: number }>(
    `select (i.document ->> 'totalPaise')::int as invoice, (c.document ->> 'totalPaise')::int as note
     from public.invoices i join public.credit_notes c on c.invoice_number = i.number where i.order_id = $1`,
    id,
  );
  expect(sums).toEqual([{ invoice: 105_000, note: 105_000 }]);
  const note = await shop.admin.ask('GET', `/api/admin/orders/${String(id)}/credit-note`);
  expect(note.text).toContain('Not accepted at the door: no cash was paid');
  const again = await order({ customer_phone: '98470 55555' });
  expect(again).toMatchObject({ status: 409, json: { outcome: 'no_cash', reason: 'refused' } });
  const seen = await shop.admin.ask('GET', `/api/admin/orders/${String(id)}/cash`);
  expect(seen.json).toMatchObject({ refusals: [{ orderId: id, reason: 'Nobody at home' }] });
  await cash(id, 'forgive');
  expect(await order({ customer_phone: '98470 55555' })).toMatchObject({
    status: 200,
    json: { reserved: true },
  });
});

test('an order that the shop does not confirm ends with the sweep, and Today shows what waits until then', async () => {
  const id = numberOf(await order());
  const today = async (): Promise<Record<string, unknown>> =>
    (await shop.admin.ask('GET', '/api/admin/today')).json['today'] as Record<string, unknown>;
  expect(await today()).toMatchObject({ toConfirm: { count: 1, orders: [{ id }] }, cashDue: [] });
  await shop.sql('update public.orders set hold_expires_at = now() where id = $1', id);
  await shop.sweep();
  expect(await shop.read(id)).toMatchObject({ status: 'FAILED', cash: { state: 'ended' } });
  expect(await today()).toMatchObject({ toConfirm: { count: 0 } });
  await shop.mailsSent();
  expect(words()).toContain('You have paid nothing');
  await sent();
  expect(await today()).toMatchObject({
    cashDue: [{ carrier: 'India Post', count: 1, paise: 105_000 }],
  });
});

test('an order whose details the customer changed since is not confirmed, and its history says whose change it was', async () => {
  const lines = await ring();
  const id = numberOf(await shop.createOrder(customer, lines, { body: atDoor }));
  const { revision } = await shop.read(id);
  const again = await shop.createOrder(customer, lines, {
    body: { ...atDoor, customer_phone: '9847000002' },
  });
  expect(again).toMatchObject({ status: 200, json: { repeated: true } });
  expect(await cash(id, 'confirm', { revision })).toMatchObject({
    status: 409,
    json: { error: 'outdated' },
  });
  const changed = await shop.read(id);
  expect(changed.customerPhone).toBe('9847000002');
  expect(orderTimeline(changed).map(({ title }) => title)).toContain(
    'Phone changed by the customer',
  );
  expect(await shop.confirmCash(id)).toMatchObject({ status: 200 });
  await shop.mailsSent();
  expect(words()).toContain('changed an order that waits for your confirmation');
  expect(await cash(id, 'confirm')).toMatchObject({ status: 400 });
});
