import { beforeEach, describe, expect, test } from 'vitest';
import { eachRow } from '#tests/each-row.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId, type OpenOrder } from '#tests/database/support/shop-database.ts';

/*
 * A payment counts from when it was made, not from when it is reported. One that was made after its hold had ended buys the
 * order only as a new customer would get it at that moment.
 */
const database = await useDatabase();

let customer = '';
let ring = '';
let order: OpenOrder;
let payment = '';
beforeEach(async () => {
  await database.run(
    'truncate public.costs, public.outbox, public.refunds, public.payments, public.orders, public.discount_codes cascade',
  );
  customer = await database.addCustomer();
  ring = await database.addProduct({ stock: 5, price: 1_000 });
  payment = newPaymentId();
});

const lines = () => [{ product_id: ring, quantity: 1 }];

/** Moves an order so many minutes into the past. */
const age = (id: number, minutes: number): Promise<unknown> =>
  database.query(
    `update public.orders set created_at = created_at - $2 * interval '1 minute',
       hold_expires_at = hold_expires_at - $2 * interval '1 minute', released_at = released_at - $2 * interval '1 minute'
     where id = $1`,
    id,
    minutes,
  );

/** An order whose hold ended so many minutes ago, and which the sweep ended. */
async function endedOrder(minutes: number, code: string | null = null): Promise<OpenOrder> {
  const expected = code === null ? {} : { expected: 51_180 };
  const placed = await database.placeOpen(customer, lines(), { code, ...expected });
  await age(placed.id, 15);
  await database.release(placed.id);
  await age(placed.id, minutes);
  return placed;
}

/** The time so many minutes before or after the end of the order's hold. */
const fromEndOfHold = (minutes: number): Promise<string> =>
  database.value(
    `select (hold_expires_at + $2 * interval '1 minute')::text from public.orders where id = $1`,
    order.id,
    minutes,
  );

const addCode = (): Promise<unknown> =>
  database.query(
    `insert into public.discount_codes (code, percent, first_day, last_day)
     values ('HALF', 50, current_date - 90, current_date + 90)`,
  );

const changes = {
  price_changed: () =>
    database.query('update public.products set price = 5000 where id = $1', ring),
  not_sold: () => database.query('update public.products set hidden = true where id = $1', ring),
  discount_gone: () => database.value(`select public.stop_discount('HALF', true)`),
  stock_gone: () => database.query('update public.products set stock = 0 where id = $1', ring),
};
const codeOf = (reason: string): string | null => (reason === 'discount_gone' ? 'HALF' : null);
const mails = (): Promise<{ kind: string; reason: string }[]> =>
  database.query(
    `select kind, payload ->> 'reason' as reason from public.outbox where order_id = $1 and kind like 'refund_%' order by kind`,
    order.id,
  );

describe('a payment that was made before the hold ended', () => {
  test('completes its order however late it is reported, and whatever changed since but the stock', async () => {
    await addCode();
    for (const [reason, change] of Object.entries(changes)) {
      ring = await database.addProduct({ stock: 5, price: 1_000 });
      order = await endedOrder(3 * 24 * 60, codeOf(reason));
      await change();
      expect([
        reason,
        await database.markPaid(order, newPaymentId(), { madeAt: await fromEndOfHold(4) }),
      ]).toEqual([reason, reason === 'stock_gone' ? 'refund_due' : 'paid']);
    }
  });
});

test('a payment counts as made in time up to five minutes after the hold, and no longer', async () => {
  for (const [minutes, outcome] of [
    [5, 'paid'],
    [5.02, 'refund_due'],
  ] as const) {
    customer = await database.addCustomer();
    ring = await database.addProduct({ stock: 5, price: 1_000 });
    order = await endedOrder(60);
    await changes.price_changed();
    expect([
      minutes,
      await database.markPaid(order, newPaymentId(), { madeAt: await fromEndOfHold(minutes) }),
    ]).toEqual([minutes, outcome]);
  }
});

describe('a payment that was made later', () => {
  test('buys the order while everything is as it was, or cheaper', async () => {
    order = await endedOrder(60 * 24 * 60);
    expect(await database.markPaid(order)).toBe('paid');
    customer = await database.addCustomer();
    order = await endedOrder(60);
    await database.query('update public.products set "offerPrice" = 900 where id = $1', ring);
    expect(await database.markPaid(order)).toBe('paid');
    expect(await database.stockOf(ring)).toBe(3);
  });

  test('is refunded in full, with the reason, when the product costs more, is hidden or sold, or the code was stopped', async () => {
    await addCode();
    for (const [reason, change] of Object.entries(changes)) {
      customer = await database.addCustomer();
      ring = await database.addProduct({ stock: 5, price: 1_000 });
      order = await endedOrder(60, codeOf(reason));
      await change();
      const stock = await database.stockOf(ring);
      expect([reason, await database.markPaid(order)]).toEqual([reason, 'refund_due']);
      expect(
        await database.query(
          'select amount_paise, reason from public.refunds where order_id = $1',
          order.id,
        ),
      ).toEqual([{ amount_paise: order.total_paise, reason }]);
      expect(await database.stockOf(ring)).toBe(stock);
      await database.run('delete from public.costs');
    }
  });

  test('is compared with today’s price too when the sweep has not ended its hold yet, whose stock then returns', async () => {
    order = await database.placeOpen(customer, lines());
    await age(order.id, 21);
    await changes.price_changed();
    expect(await database.markPaid(order, payment)).toBe('refund_due');
    expect(await database.stockOf(ring)).toBe(5);
  });

  test('of an order of the admin may buy a hidden product at its reduced price', async () => {
    const id = await database.openLinkOrder(ring, 90_000, 10_000);
    await database.query(`select public.attach_razorpay_order($1, 'order_admin000000001')`, id);
    await age(id, 120);
    await database.release(id);
    await changes.not_sold();
    order = { id, razorpay_order_id: 'order_admin000000001', total_paise: 90_000 } as OpenOrder;
    expect(await database.markPaid(order)).toBe('paid');
  });
});

test('an order whose person was removed is never completed, and the admin is told', async () => {
  order = await endedOrder(121 * 24 * 60);
  await database.query('update public.orders set next_check_at = null where id = $1', order.id);
  await database.query('delete from auth.users where id = $1', customer);
  await database.query('select private.anonymise_orders($1)', [order.id]);
  expect(await database.markPaid(order, payment)).toBe('refund_due');
  expect(await database.refundsOf(payment)).toMatchObject([{ amount: order.total_paise }]);
  expect(await mails()).toEqual([{ kind: 'refund_alert', reason: 'person_removed' }]);
  expect(await database.orderRow(order.id)).toMatchObject({ status: 'FAILED', paid: false });
  expect(await database.stockOf(ring)).toBe(5);
});

describe('refunds that a customer causes', () => {
  const payAndCancel = async (): Promise<string> => {
    const placed = await database.placeOpen(customer, lines());
    await database.markPaid(placed);
    return (await database.cancelOwn(customer, placed.id, true)).outcome;
  };
  const payAfterGivingUp = async (): Promise<string> => {
    const placed = await database.placeOpen(customer, lines());
    await database.cancelOwn(customer, placed.id, false);
    return database.markPaid(placed);
  };

  test('are two in 30 days, cancellations and payments that cannot be used together; then the admin decides', async () => {
    expect([
      await payAndCancel(),
      await payAfterGivingUp(),
      await payAndCancel(),
      await payAfterGivingUp(),
    ]).toEqual(['cancelled', 'refund_due', 'limit', 'refund_waits']);
  });

  test('that wait for the admin are recorded once, keep no stock, and are refunded with one press', async () => {
    for (let count = 0; count < 2; count += 1) await payAfterGivingUp();
    const stock = await database.stockOf(ring);
    order = await database.placeOpen(customer, lines());
    await database.cancelOwn(customer, order.id, false);
    expect(await database.markPaid(order, payment)).toBe('refund_waits');
    expect(await database.markPaid(order, payment)).toBe('refund_waits');
    expect(await database.refundsOf(payment)).toEqual([]);
    expect(await mails()).toEqual([{ kind: 'refund_alert', reason: 'refund_waits' }]);
    expect(await database.stockOf(ring)).toBe(stock);
    const key = crypto.randomUUID();
    expect(await database.value('select public.refund_payment($1, $2)', payment, key)).toEqual({
      outcome: 'refunding',
    });
    expect(await database.refundsOf(payment)).toMatchObject([{ amount: order.total_paise }]);
  });

  test('count for the account, the phone and the network, and 20 for an address that many share', async () => {
    const cancelAs = async (network: string | null, phone: string, by = ''): Promise<string> => {
      const account = by || (await database.addCustomer());
      const placed = await database.placeOpen(account, lines(), { network, details: { phone } });
      await database.markPaid(placed);
      return (await database.cancelOwn(account, placed.id, true, { network })).outcome;
    };
    let phones = 0;
    const anyPhone = (): string => {
      phones += 1;
      return `98470${String(10_000 + phones)}`;
    };
    const kinds: readonly [string, number, () => Promise<string>][] = [
      ['account', 2, () => cancelAs(null, anyPhone(), customer)],
      ['phone', 2, () => cancelAs(null, '+91 98470 54321')],
      ['/64', 2, () => cancelAs('64:house 48:tunnel', anyPhone())],
      ['IPv4', 20, () => cancelAs('ip:mobile', anyPhone())],
      ['/48', 20, () => cancelAs(`64:${anyPhone()} 48:hosting`, anyPhone())],
    ];
    ring = await database.addProduct({ stock: 500 });
    await eachRow(kinds, async ([, most, cancel]) => {
      await database.run('delete from public.costs');
      for (let count = 0; count < most; count += 1) expect(await cancel()).toBe('cancelled');
      expect(await cancel()).toBe('limit');
    });
  });

  test('keep of a platform fee no more than is left of the payment', async () => {
    order = await database.placeOpen(customer, lines());
    await database.markPaid(order, payment);
    await database.requestRefund(order.id, order.total_paise - 1_360);
    const revision = await database.value<string>(
      'select updated_at::text from public.orders where id = $1',
      order.id,
    );
    expect(await database.cancelOwn(customer, order.id, true, { keepFee: true, revision })).toEqual(
      { outcome: 'cancelled' },
    );
    expect(await database.orderRow(order.id)).toMatchObject({
      fee_paise: 2_360,
      kept_paise: 1_360,
    });
    expect(
      await database.value<number>(
        'select private.refundable_paise(p)::int from public.payments p where payment_id = $1',
        payment,
      ),
    ).toBe(0);
  });
});
