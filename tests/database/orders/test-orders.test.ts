import { expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId, type PaidOrder } from '#tests/database/support/shop-database.ts';

const database = await useDatabase();
const ring = await database.addProduct({ price: 1_000, stock: 100 });

/** A paid order that was made with a key of Razorpay's. */
async function buyWith(keyId: string): Promise<PaidOrder> {
  const order = await database.openOrder(ring);
  await database.query(
    'update public.orders set razorpay_key_id = $2 where id = $1',
    order.id,
    keyId,
  );
  const payment = newPaymentId();
  expect(await database.markPaid(order, payment, { keyId })).toBe('paid');
  return { ...order, payment };
}

/** What the figures and the accountant's list have, of orders and of what was given back. */
const books = async (): Promise<Record<string, unknown>> => ({
  figures: await database.value(
    `select (f ->> 'orders')::int || ' for ' || (f ->> 'paise') || ', back ' || (f ->> 'refundedPaise') || ', best ' || (f ->> 'best')
     from public.sales_figures('year') f`,
  ),
  customers: await database.value(
    `select public.list_customers('{}', '{}', 'recent', 0, 100) ->> 'total'`,
  ),
  documents: await database.value(
    `select (select count(*) from jsonb_array_elements(d -> 'invoices')) || ' and ' || (select count(*) from jsonb_array_elements(d -> 'creditNotes'))
     from public.month_documents(private.india_date(now())) d`,
  ),
  counters: await database.value(
    `select string_agg(series || ' ' || last_serial, ', ' order by series) from public.document_counters`,
  ),
});

/** Invoices an order and sends half of it back, with a credit note. Returns the numbers of both. */
async function giveBackHalf(order: PaidOrder): Promise<[string, string]> {
  await database.assignInvoice(order.id);
  await database.requestRefund(order.id, 50_000);
  const [refund] = await database.refundsOf(order.payment);
  await database.finishRefund(refund?.id ?? 0, `rfnd_${order.payment}`);
  return [
    await database.value('select invoice_number from public.orders where id = $1', order.id),
    await database.value(
      `select public.issue_credit_note($1, '{}', 0) ->> 'number'`,
      refund?.id ?? 0,
    ),
  ];
}

test('an order of Razorpay’s test mode is no income, and takes no number of a series', async () => {
  const before = await books();
  const trial = await buyWith('rzp_test_1');
  const [invoice, creditNote] = await giveBackHalf(trial);
  expect([invoice, creditNote]).toEqual([
    `TEST/${String(trial.id)}`,
    expect.stringMatching(/^TEST\/C\d+$/u),
  ]);
  expect(await books()).toEqual(before);
  // The same steps of a real order are in all of them.
  await giveBackHalf(await buyWith('rzp_live_1'));
  const after = await books();
  for (const [name, figure] of Object.entries(before))
    expect(after[name], name).not.toEqual(figure);
});

test('only the key says that an order is a test: the sandbox and orders without a key are none', async () => {
  const isTest = (order: { id: number }): Promise<boolean> =>
    database.value('select is_test from public.orders where id = $1', order.id);
  expect(await isTest(await buyWith('rzp_test_1'))).toBe(true);
  expect(await isTest(await buyWith('rzp_live_1'))).toBe(false);
  expect(await isTest(await buyWith('rzp_sandbox_1'))).toBe(false);
  expect(await isTest(await database.buy([{ product_id: ring, quantity: 1 }]))).toBe(false);
});

test('the credit notes of a test order that a bank gave back in parts have numbers of their own', async () => {
  const { id, payment } = await buyWith('rzp_test_1');
  await database.assignInvoice(id);
  await database.cancel(id);
  const numbers: string[] = [];
  for (const [place, paise] of [10_000, 20_000].entries()) {
    await database.value(
      `select public.record_dispute($1, $2, 'lost', $3)`,
      ...[payment, `disp_${payment}_${String(place)}`, paise],
    );
    numbers.push(
      await database.value(
        `select public.issue_credit_note(null, '{}', $2, $1) ->> 'number'`,
        ...[id, place],
      ),
    );
  }
  expect(numbers).toEqual([`TEST/R${String(id)}`, `TEST/R${String(id)}/2`]);
});
