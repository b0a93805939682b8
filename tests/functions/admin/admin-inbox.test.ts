import { beforeEach, describe, expect, test } from 'vitest';
import { formPageSchema, messagePageSchema, subscriberPageSchema } from '#domain/admin/inbox.ts';
import { todayAnswerSchema, type Today, type TodayAnswer } from '#domain/admin/today.ts';
import { logIn, setAdminPassword } from './admin-client.ts';
import { useStack, type Answer } from '#tests/functions/support/stack.ts';
import { sendEvent } from '#tests/functions/payments/webhook-events.ts';
import { eachRow } from '#tests/each-row.ts';

const stack = await useStack();
await setAdminPassword();
const admin = await logIn(stack);

const inbox = (query: string): Promise<Answer> => admin.ask('GET', `/api/admin/inbox?${query}`);
const mark = (path: string, body: unknown): Promise<Answer> =>
  admin.ask('POST', `/api/admin/inbox/${path}`, body);
const askToday = async (known = ''): Promise<TodayAnswer> =>
  todayAnswerSchema.parse((await admin.ask('GET', `/api/admin/today?known=${known}`)).json);
async function today(): Promise<Today> {
  const answer = await askToday();
  if (answer.today === null) throw new Error('Nothing came for an unknown version');
  return answer.today;
}

describe('the inbox', () => {
  beforeEach(async () => {
    await stack.sql(
      'truncate public.contact_messages, public.form_entries, public.subscribers restart identity',
    );
    await stack.sql(`insert into public.contact_messages (name, email, subject, message)
      select 'Visitor ' || n, 'v' || n || '@example.com', 'Subject', 'Words' from generate_series(1, 5) n`);
    await stack.sql(
      `insert into public.form_entries (form, fields) values ('checkout', '{"name": "Anjali", "total": 12}'), ('checkout', '{}')`,
    );
    await stack.database
      .sql(`insert into public.subscribers (email, consent_text, confirmed_at, unsubscribed_at)
      values ('a@example.com', '=Yes', now(), null), ('b@example.com', 'Yes', now(), now()), ('c@example.com', 'Yes', null, null)`);
  });

  test('is read page by page, newest first', async () => {
    const first = messagePageSchema.parse((await inbox('kind=messages&limit=2')).json);
    expect(first.items.map(({ id }) => id)).toEqual([5, 4]);
    expect(first).toMatchObject({ unread: { messages: 5, forms: 2 }, subscribers: 1 });
    const second = messagePageSchema.parse(
      (await inbox(`kind=messages&limit=3&cursor=${String(first.next)}`)).json,
    );
    expect(second).toMatchObject({
      items: [{ id: 3 }, { id: 2 }, { id: 1, name: 'Visitor 1', email: 'v1@example.com' }],
      next: null,
    });
    expect(formPageSchema.parse((await inbox('kind=forms')).json).items).toMatchObject([
      { id: 2, fields: {} },
      { id: 1, form: 'checkout', fields: { total: 12 } },
    ]);
    expect(subscriberPageSchema.parse((await inbox('kind=subscribers')).json).items).toMatchObject([
      { confirmedAt: null },
      { email: 'b@example.com' },
      { unsubscribedAt: null },
    ]);
  });

  test('keeps the owner’s marks, and what is answered has been read', async () => {
    expect(await mark('messages/2', { answered: true })).toMatchObject({
      status: 200,
      json: { ok: true },
    });
    const [, , , two] = messagePageSchema.parse((await inbox('kind=messages')).json).items;
    expect(two?.id).toBe(2);
    expect([two?.readAt, two?.answeredAt]).not.toContain(null);
    await mark('messages/2', { answered: false });
    await mark('messages/3', { read: true });
    await mark('messages/3', { read: false });
    await mark('forms/1', { read: true });
    const page = messagePageSchema.parse((await inbox('kind=messages')).json);
    expect(page.items.filter(({ answeredAt }) => answeredAt !== null)).toEqual([]);
    expect(page.unread).toEqual({ messages: 4, forms: 1 });
  });

  test('refuses an unknown id, kind or mark', async () => {
    for (const path of ['messages/99', 'forms/0', 'messages/abc'])
      expect(await mark(path, { read: true })).toMatchObject({ status: 404 });
    expect((await inbox('kind=secrets')).status).toBe(400);
    expect((await mark('messages/1', { read: 'yes' })).status).toBe(400);
  });

  test('gives the subscribers as a spreadsheet that runs no formula', async () => {
    const answer = await admin.ask('GET', '/api/admin/subscribers.csv');
    const [head, first = '', second = '', third = ''] = answer.text.split('\r\n');
    expect(head).toBe('E-mail,Wants the newsletter,Consent given at,Consent,Confirmed at,Left at');
    expect(first).toMatch(/^a@example\.com,Yes,\d{4}-\d\d-\d\dT[^,]+,"'=Yes",\d{4}[^,]+,$/u);
    expect(second).toMatch(/^b@example\.com,No,/u);
    expect(third).toMatch(/^c@example\.com,No,[^,]+,Yes,,$/u);
  });
});

describe('today', () => {
  test('counts what to pack, what is low or sold out, and what was sold in India’s day and month', async () => {
    await stack.addProduct({ name: 'Few', stock: 4 });
    await stack.addProduct({ name: 'None', stock: 0 });
    await stack.addProduct({ name: 'Enough', stock: 5 });
    const before = await today();
    expect(before.low.products).toMatchObject([{ name: 'Few', stock: 4 }]);
    expect(before.soldOut).toMatchObject({ count: 1, products: [{ name: 'None' }] });
    await stack.sql(`
      insert into public.orders (merchant_transaction_id, customer_name, items, total_paise, status, payment_status, paid_at, hold_state, fulfilment)
      select 'T-' || n, 'Customer ' || n, '[{"name": "Ring", "quantity": 2}]', 10000, 'COMPLETED', 'COMPLETED', at, 'taken', fulfilment
      from (values
        (1, now(), 'new'),
        (2, date_trunc('day', now() at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata', 'packed'),
        (3, date_trunc('month', now() at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata' - interval '1 second', 'delivered'),
        (4, now(), 'cancelled')) t (n, at, fulfilment)`);
    const after = await today();
    expect(after.toPack).toMatchObject({
      count: 1,
      orders: [{ customerName: 'Customer 1', pieces: 2 }],
    });
    expect(after.toShip).toMatchObject({
      count: 1,
      orders: [{ customerName: 'Customer 2', pieces: 2 }],
    });
    expect(after.sales).toEqual({
      todayOrders: 2,
      todayPaise: 20_000,
      monthOrders: 2,
      monthPaise: 20_000,
    });
  });

  test('is sent once: its version stays while nothing happens, and changes with an order, a message and a mark', async () => {
    const changes = [
      `insert into public.orders (merchant_transaction_id, total_paise) values ('V-1', 100)`,
      `update public.orders set notes = 'Gift' where merchant_transaction_id = 'V-1'`,
      `insert into public.contact_messages (name, email, message) values ('Devika', 'd@example.com', 'Hello')`,
      `update public.contact_messages set read_at = now() where email = 'd@example.com'`,
      `insert into public.form_entries (form) values ('checkout')`,
      `insert into public.subscribers (email, consent_text) values ('v@example.com', 'Yes')`,
    ];
    let { version } = await askToday();
    for (const change of changes) {
      expect(await askToday(version), change).toEqual({ version, today: null });
      await stack.sql(change);
      const next = await askToday(version);
      expect(next.today, change).not.toBeNull();
      version = next.version;
    }
  });

  test('shows a payment that matches no order, which one press sends back, once', async () => {
    const { customer, razorpayOrderId: orderId } = await stack.openOrder();
    const { razorpay_payment_id: paymentId } = stack.razorpay.pay(orderId);
    await stack.sql(
      'update public.orders set razorpay_order_id = null where razorpay_order_id = $1',
      orderId,
    );
    await sendEvent(stack, 'payment.captured', paymentId);
    expect((await today()).money).toMatchObject({
      count: 1,
      items: [
        { kind: 'unmatched', paymentId, orderId: null, amountPaise: 102_360, refundable: true },
      ],
    });
    const press = (key = crypto.randomUUID()): Promise<Answer> =>
      admin.ask('POST', `/api/admin/payments/${paymentId}/refund`, { key });
    const key = crypto.randomUUID();
    stack.razorpay.faults.push({ call: 'POST /v1/payments', fault: 'lose' });
    expect(await press(key)).toMatchObject({ status: 200, json: { ok: true } });
    expect((await today()).money.items).toMatchObject([
      { kind: 'refund_waiting', paymentId, refundable: false },
    ]);
    expect(await press(key)).toMatchObject({ status: 200 });
    expect(await press()).toMatchObject({ status: 409, json: { error: 'not_possible' } });
    await stack.sql(`update public.refunds set next_attempt_at = now() - interval '1 second'`);
    await stack.sweep();
    expect(
      stack.razorpay.refunds.filter((refund) => refund.payment_id === paymentId),
    ).toMatchObject([{ amount: 102_360 }]);
    expect((await today()).money.count).toBe(0);
    // The order turns up after all: its money is gone, so the same news makes no paid order.
    await stack.sql(
      'update public.orders set razorpay_order_id = $1 where user_id = $2',
      orderId,
      customer.id,
    );
    await sendEvent(stack, 'payment.captured', paymentId);
    expect(
      await stack.sql(`select status from public.orders where user_id = $1`, customer.id),
    ).toEqual([{ status: 'PENDING' }]);
  });

  test('an unknown payment id cannot be refunded', () =>
    eachRow(['pay_short', '..%2Forders', 'pay_00000000000000'], async (id) => {
      const path = `/api/admin/payments/${id}/refund`;
      expect(await admin.ask('POST', path, { key: crypto.randomUUID() })).toMatchObject({
        status: 404,
      });
    }));
});
