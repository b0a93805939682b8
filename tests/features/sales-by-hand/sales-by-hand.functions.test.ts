import { beforeEach, expect, test } from 'vitest';
import callbackEndpoint from '#netlify/functions/payment-callback.ts';
import statusEndpoint from '#netlify/functions/payment-status.ts';
import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { openInvoice } from '#tests/functions/admin/admin-client.ts';
import { linkedOrderSchema, paymentPath } from '#domain/checkout/payment-link.ts';
import { eachRow } from '#tests/each-row.ts';
import { useAdminShop } from '#tests/functions/support/admin-shop.ts';
import { keyId } from '#tests/functions/support/razorpay-server.ts';
import { useSampleTax } from '#tests/sample-tax.ts';

useSampleTax();

const stack = await useAdminShop();
const { admin, pay, read, cancel, sentBack, step, setFaults, mailsSent } = stack;

let ring = '';
beforeEach(async () => {
  ring = await stack.addProduct({ name: 'Jimikki', price: 1_000, stock: 3 });
});

const customer = {
  name: 'Devika Nair',
  phone: '+91 90000 00001',
  email: '',
  notes: '',
  channel: 'instagram',
};
const home = {
  handOver: false,
  address: '12 Palace Road, Fort',
  city: 'Mysuru',
  postalCode: '570001',
};
const order = (changes: object = {}): Record<string, unknown> => ({
  key: crypto.randomUUID(),
  lines: [{ product_id: ring, quantity: 1 }],
  ...customer,
  ...home,
  totalPaise: 102_360,
  payment: { by: 'link', hours: 24 },
  ...changes,
});
const cash = { totalPaise: 100_000, payment: { by: 'cash', reference: 'Bill 7' } };
const ask = (body: unknown) => admin.ask('POST', '/api/admin/orders', body);
async function make(changes: object = {}): Promise<AdminOrder> {
  const { status, json, text } = await ask(order(changes));
  if (status !== 200) throw new Error(text);
  return json['order'] as AdminOrder;
}
const linkOf = ({ id, payLink }: AdminOrder) => ({ orderId: id, token: payLink?.token ?? '' });
const open = async (made: AdminOrder, token = linkOf(made).token) =>
  stack.call(
    statusEndpoint,
    paymentPath({ orderId: made.id, token }).replace('/pay', '/api/payment/link'),
  );

test('an order with a payment link is paid by anyone with the link, and confirmed like any other', async () => {
  const made = await make();
  expect(made).toMatchObject({
    status: 'PENDING',
    totalPaise: 102_360,
    channel: 'instagram',
    refundablePaise: 0,
  });
  expect(await stack.stockOf(ring)).toBe(2);
  const { razorpay_order_id: razorpayOrderId } = await stack.orderRow(made.id);
  const linked = linkedOrderSchema.parse((await open(made)).json);
  expect(linked).toMatchObject({
    state: 'open',
    orderId: made.id,
    totalPaise: 102_360,
    items: [{ name: 'Jimikki', quantity: 1, pricePaise: 100_000 }],
    checkout: { key: keyId, razorpayOrderId, customer: { name: 'Devika Nair' } },
  });
  // Neither the address nor anything of the shop's own is in it.
  expect(JSON.stringify(linked)).not.toMatch(/Palace|Mysuru|hold_state|token/u);

  const claim = await pay({
    id: made.id,
    razorpayOrderId: String(razorpayOrderId),
    total: 102_360,
  });
  const posted = await stack.call(
    callbackEndpoint,
    paymentPath(linkOf(made)).replace('/pay', '/api/payment/callback'),
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(claim).toString(),
    },
  );
  expect([posted.status, posted.headers.get('location')]).toEqual([
    303,
    `${paymentPath(linkOf(made))}&payment=paid`,
  ]);
  expect(await read(made.id)).toMatchObject({
    status: 'COMPLETED',
    payLink: null,
    refundablePaise: 102_360,
    mails: [{ kind: 'order_notice' }],
  });
  expect((await open(made)).json).toMatchObject({ state: 'paid', checkout: null });
  await mailsSent();
});

test('a link opens its own order alone, and a payment that failed leads back to it', async () => {
  const [made, other] = [await make(), await make()];
  for (const token of [linkOf(other).token, 'x'.repeat(32), ''])
    expect((await open(made, token)).status).toBe(404);
  const path = paymentPath(linkOf(made));
  const failed = await stack.call(callbackEndpoint, path.replace('/pay', '/api/payment/callback'), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'error%5Bcode%5D=BAD_REQUEST_ERROR',
  });
  expect(failed.headers.get('location')).toBe(`${path}&payment=failed`);
  // A text that opens no link leads to the shop's own pages.
  const odd = await stack.call(
    callbackEndpoint,
    '/api/payment/callback?order=//evil.example&token=x',
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '',
    },
  );
  expect(odd.headers.get('location')).toBe('/cart?payment=failed');
});

test('when Razorpay fails, nothing is held and the admin reads what that means for a link, not for a card', async () => {
  for (const [status, sentence] of [
    [500, 'Razorpay did not answer, so there is no payment link.'],
    [400, 'Razorpay rejected this order, so there is no payment link.'],
  ] as const) {
    await setFaults({ api: { status } });
    const refused = await ask(order());
    await setFaults();
    expect(refused).toMatchObject({
      status: 502,
      json: {
        error: 'payment_provider',
        message: expect.stringContaining(sentence) as unknown,
      },
    });
    expect(refused.text).not.toContain('charged');
    expect(await stack.stockOf(ring)).toBe(3);
  }
});

test('an order paid in cash is paid at once, without the fee, and Razorpay hears of nothing', async () => {
  const body = order(cash);
  const made = (await ask(body)).json['order'] as AdminOrder;
  expect((await ask(body)).json['order']).toMatchObject({ id: made.id });
  expect(made).toMatchObject({
    status: 'COMPLETED',
    feePaise: 0,
    paymentMethod: 'cash',
    paymentReference: 'Bill 7',
    paymentId: `hand_${String(made.id)}`,
  });
  expect(await stack.stockOf(ring)).toBe(2);
  expect((await stack.orderRow(made.id))['razorpay_order_id']).toBeNull();
  expect((await cancel(made.id)).json['order']).toMatchObject({ paymentStatus: 'REFUNDED' });
  expect(await sentBack(`hand_${String(made.id)}`)).toEqual([]);
  expect(await stack.stockOf(ring)).toBe(3);
});

test('an order paid by hand and handed over is delivered at once, and stays so when the request is repeated', async () => {
  const body = order({ ...cash, handOver: true });
  const made = (await ask(body)).json['order'] as AdminOrder;
  expect(made).toMatchObject({ fulfilment: 'delivered', shippedAt: null });
  expect(made.invoiceNumber).not.toBeNull();
  await admin.ask('POST', `/api/admin/orders/${String(made.id)}/fulfilment`, {
    state: 'packed',
  });
  expect((await ask(body)).json['order']).toMatchObject({ id: made.id, fulfilment: 'packed' });
  const parcel = (await ask(order({ ...cash, handOver: false }))).json['order'];
  expect(parcel).toMatchObject({ fulfilment: 'new' });
});

test('an order handed over is invoiced where the shop is', async () => {
  const {
    address: _address,
    city: _city,
    postalCode: _pin,
    ...noAddress
  } = order({ ...cash, handOver: true });
  const made = (await ask(noAddress)).json['order'] as AdminOrder;
  const invoice = await openInvoice(admin, made.id);
  expect(invoice.text).toContain('Kerala');
  expect(invoice.text).toContain('CGST');
  expect(invoice.text).not.toContain('IGST</');
  expect((await step(made.id, { state: 'delivered' })).json['order']).toMatchObject({
    fulfilment: 'delivered',
    shippedAt: null,
  });
});

test('a sale that is paid by hand and handed over needs no phone number, and each such buyer stands alone', async () => {
  const handed = { ...cash, handOver: true, phone: '' };
  await make(handed);
  expect((await make(handed)).customer).toEqual({ nth: 1, orders: 1 });
  const tooShort = 'Phone number must be at least 10 digits';
  for (const [change, message] of [
    [{ ...handed, phone: '12' }, tooShort],
    [{ ...handed, handOver: false }, tooShort],
    [{ handOver: true, phone: '' }, 'A payment link needs the customer’s phone number'],
  ] as const)
    expect(await ask(order(change))).toMatchObject({
      status: 400,
      json: { fields: { phone: message } },
    });
});

test('an invalid order is refused with the field’s message, and takes no stock', async () => {
  await eachRow(
    [
      [{ lines: [] }, 'lines'],
      [{ name: ' ' }, 'name'],
      [{ phone: '12' }, 'phone'],
      [{ address: '' }, 'address'],
      [{ payment: { by: 'link', hours: 0 } }, 'payment'],
      [{ payment: { by: 'card' } }, 'payment'],
    ] as const,
    async ([changes, field]) => {
      const { status, json } = await ask(order(changes));
      expect([status, Object.keys(json['fields'] as object)[0]]).toEqual([400, field]);
    },
  );
  expect(await ask(order({ totalPaise: 100 }))).toMatchObject({
    status: 409,
    json: { error: 'price_changed' },
  });
  expect(await ask(order({ lines: [{ product_id: ring, quantity: 4 }] }))).toMatchObject({
    status: 409,
    json: { error: 'out_of_stock' },
  });
  expect(await stack.stockOf(ring)).toBe(3);
});

test('a price that was lowered is what the order and its invoice are of', async () => {
  const lowered = { reductionPaise: 10_000 };
  const made = await make({ ...cash, ...lowered, totalPaise: 90_000 });
  expect(made).toMatchObject({
    status: 'COMPLETED',
    subtotalPaise: 100_000,
    discountPaise: 10_000,
    discountCode: null,
    totalPaise: 90_000,
    refundablePaise: 90_000,
    items: [{ discountPaise: 10_000 }],
  });
  const { text } = await openInvoice(admin, made.id);
  expect(text).toContain('Discount: −₹100.00');
  expect(text).toContain('₹900.00');
  const nothingLeft = await ask(order({ ...cash, reductionPaise: 100_000, totalPaise: 1 }));
  expect([nothingLeft.status, nothingLeft.json['message']]).toEqual([
    400,
    'Amount must be at least ₹1',
  ]);
  expect(await stack.stockOf(ring)).toBe(2);
});
