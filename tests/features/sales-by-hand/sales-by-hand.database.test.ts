import { beforeEach, describe, expect, test } from 'vitest';
import { eachRow } from '#tests/each-row.ts';
import { sqlState } from '#tests/database/support/database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { customerDetails, type Placing } from '#tests/database/support/shop-database.ts';

const database = await useDatabase();

let ring = '';
beforeEach(async () => {
  ring = await database.addProduct({ price: 1_000, stock: 5 });
});

const token = () => crypto.randomUUID().replaceAll('-', '');
const byHand = { method: 'cash', token: null, fee: 0 };
/** An order with a payment link, unless it is sold `byHand`. */
const byLink = {
  key: null as string | null,
  quantity: 1,
  fee: 236,
  method: null as string | null,
  handOver: false,
  total: null as number | null,
  details: {},
};
/** Calls `place_admin_order` as the function does. */
function sell(sale: Partial<typeof byLink & { token: string | null }> = {}): Promise<Placing> {
  const {
    key,
    quantity,
    fee,
    method,
    handOver,
    total,
    details,
    token: opener,
  } = {
    ...byLink,
    token: token(),
    ...sale,
  };
  const paise = quantity * 100_000;
  return database.value(
    'select public.place_admin_order($1, $2::jsonb, $3::jsonb, $4, $5, $6, $7, 3600, $8, $9, $10)',
    ...[key ?? crypto.randomUUID(), JSON.stringify([{ product_id: ring, quantity }])],
    ...[JSON.stringify({ ...customerDetails, email: '', ...details }), 'exhibition', handOver],
    ...[total ?? paise + Math.floor((paise * fee + 5_000) / 10_000), fee, method],
    ...[method === null ? null : 'Bill 7', opener],
  );
}
const soldRow = async (sale: Parameters<typeof sell>[0]) =>
  database.orderRow((await sell(sale)).order?.id ?? 0);
const mails = (id: unknown) =>
  database.query<{ kind: string; recipient: string | null }>(
    'select kind, recipient from public.outbox where order_id = $1 order by id',
    id,
  );
const attach = async (id: number) => {
  const razorpayOrderId = `order_${token().slice(0, 14)}`;
  await database.query('select public.attach_razorpay_order($1, $2)', id, razorpayOrderId);
  return razorpayOrderId;
};

describe('an order that is paid by hand', () => {
  test('needs no phone and no address when it is handed over, and mails nobody; one that is sent or paid by link needs a phone', async () => {
    const details = { phone: '', address: '', city: '', postal_code: '' };
    const row = await soldRow({ ...byHand, handOver: true, details });
    expect(row).toMatchObject({
      status: 'COMPLETED',
      customer_phone: '',
      phone_key: null,
      hand_over: true,
      customer_address: '',
      customer_email: null,
    });
    expect(await mails(row['id'])).toEqual([]);
    for (const sale of [
      { ...byHand, details: { phone: '' } },
      { handOver: true, details: { phone: '' } },
    ])
      expect(await sqlState(sell(sale))).toBe('22023');
  });

  test('is paid at once, takes its stock, and says how it was paid', async () => {
    const row = await soldRow({ ...byHand, quantity: 2, details: { email: 'anjali@example.com' } });
    expect(row).toMatchObject({
      status: 'COMPLETED',
      payment_status: 'COMPLETED',
      stage: 'to_pack',
      hold_state: 'taken',
      next_check_at: null,
      user_id: null,
      total_paise: 200_000,
      fee_paise: 0,
      payment_method: 'cash',
      payment_reference: 'Bill 7',
      channel: 'exhibition',
      hand_over: false,
      payment_id: `hand_${String(row['id'])}`,
      pay_token: null,
      customer_email: 'anjali@example.com',
    });
    expect(await database.stockOf(ring)).toBe(3);
    expect(
      await database.one(
        'select order_id, amount_paise::int, state from public.payments where payment_id = $1',
        row['payment_id'],
      ),
    ).toEqual({ order_id: row['id'], amount_paise: 200_000, state: 'accepted' });
    expect(await mails(row['id'])).toEqual([
      { kind: 'order_confirmation', recipient: 'anjali@example.com' },
    ]);
    expect((await database.assignInvoice(Number(row['id']))).outcome).toBe('assigned');
  });

  test('is refunded by hand: done at once, never due at Razorpay, and no difference there', async () => {
    const row = await soldRow({ ...byHand, quantity: 2 });
    const id = Number(row['id']);
    const refund = (paise: number, restock = {}) => database.requestRefund(id, paise, { restock });
    expect(await refund(50_000, { [ring]: 1 })).toEqual({ outcome: 'refunding' });
    expect(await database.orderRow(id)).toMatchObject({ payment_status: 'PARTIALLY_REFUNDED' });
    expect(await refund(150_001)).toMatchObject({ outcome: 'too_much' });
    expect(await refund(150_000)).toEqual({ outcome: 'refunding' });
    expect(await database.orderRow(id)).toMatchObject({ payment_status: 'REFUNDED' });
    expect(await database.stockOf(ring)).toBe(4);
    expect(await database.query('select public.claim_refunds(10, 60)')).toEqual([]);
    expect(await database.query('select public.refunds_to_poll(10)')).toEqual([]);
    const unlisted = `
      with run as (
        insert into public.reconciliations (from_at, to_at) values (now() - interval '1 day', now() + interval '1 day') returning id
      ) select public.unlisted_payments(run.id, 'rzp_test_1', 50) from run`;
    expect(await database.query(unlisted)).toEqual([]);
  });

  test('is cancelled with its money recorded as paid back and its stock returned', async () => {
    const row = await soldRow(byHand);
    expect(await database.cancel(Number(row['id']))).toEqual({ outcome: 'cancelled' });
    expect(await database.orderRow(Number(row['id']))).toMatchObject({
      fulfilment: 'cancelled',
      payment_status: 'REFUNDED',
    });
    expect(await database.stockOf(ring)).toBe(5);
    expect(await database.query('select public.claim_refunds(10, 60)')).toEqual([]);
  });
});

describe('an order with a payment link', () => {
  const open = async () => {
    const opener = token();
    const { order } = await sell({ token: opener });
    const id = order?.id ?? 0;
    const read = async (given = opener) =>
      (
        await database.value<{ state: string } | null>(
          'select public.read_payment_link($1, $2)',
          id,
          given,
        )
      )?.state ?? null;
    return { id, read, opener };
  };

  test('holds its stock, opens by its token alone, and is paid by Razorpay’s payment with no mail to nobody', async () => {
    const { id, read } = await open();
    expect(await read()).toBe('ended');
    const razorpayOrderId = await attach(id);
    expect([await read(), await read(token()), await database.stockOf(ring)]).toEqual([
      'open',
      null,
      4,
    ]);
    expect(
      await database.markPaid({ razorpay_order_id: razorpayOrderId, total_paise: 102_360 }),
    ).toBe('paid');
    expect(await read()).toBe('paid');
    expect(await mails(id)).toEqual([{ kind: 'order_notice', recipient: null }]);
  });

  test('ends unpaid like any other: its stock returns, and a late payment takes it again or is refunded', async () => {
    const { id, read } = await open();
    const razorpayOrderId = await attach(id);
    await database.query(
      `update public.orders set hold_expires_at = now() - interval '1 second', next_check_at = now() where id = $1`,
      id,
    );
    expect(await read()).toBe('ended');
    const due = await database.query<{ order: { id: number } }>(
      'select public.orders_to_check(100, 60) as order',
    );
    expect(due.map(({ order }) => order.id)).toContain(id);
    expect([await database.release(id), await database.stockOf(ring)]).toEqual(['released', 5]);
    expect(
      await database.markPaid({ razorpay_order_id: razorpayOrderId, total_paise: 102_360 }),
    ).toBe('paid');
    expect(await database.stockOf(ring)).toBe(4);
    const other = await open();
    const otherId = await attach(other.id);
    await database.release(other.id);
    await database.query('update public.products set stock = 0 where id = $1', ring);
    expect(await database.markPaid({ razorpay_order_id: otherId, total_paise: 102_360 })).toBe(
      'refund_due',
    );
    // There is no address: only the admin is notified of the refund.
    expect(await mails(other.id)).toEqual([{ kind: 'refund_alert', recipient: null }]);
  });
});

test('two presses are one order, and an ended one is not made again', async () => {
  const key = crypto.randomUUID();
  const first = await sell({ key });
  expect(await sell({ key })).toMatchObject({ outcome: 'already', order: { id: first.order?.id } });
  await database.release(first.order?.id ?? 0);
  expect((await sell({ key })).outcome).toBe('expired');
  expect(await database.stockOf(ring)).toBe(5);
});

test('neither a closed checkout nor a hidden product keeps the admin from selling; stock and price do', async () => {
  await database.query(
    `select public.save_notice(jsonb_build_object('message', 'Away', 'first_day', private.india_date(now()), 'last_day', private.india_date(now()), 'closes_checkout', true, 'extra_days', 0))`,
  );
  await database.query('update public.products set hidden = true where id = $1', ring);
  expect((await sell(byHand)).outcome).toBe('placed');
  expect((await sell({ ...byHand, quantity: 5 })).outcome).toBe('out_of_stock');
  expect((await sell({ ...byHand, total: 99_999 })).outcome).toBe('price_changed');
  await database.query('select public.delete_product($1)', ring);
  expect((await sell(byHand)).outcome).toBe('unknown_product');
  await database.query('select public.save_notice(null)');
});

test('an invalid order is refused', () =>
  eachRow(
    [
      [{ method: 'cash', token: token() }],
      [{ method: null, token: null }],
      [{ method: 'card', token: null }],
      [{ ...byHand, details: { name: '' } }],
      [{ ...byHand, details: { address: '' } }],
      [{ ...byHand, details: { email: 'nobody' } }],
    ] as const,
    async ([sale]) => {
      expect(await sqlState(sell(sale))).toBe('22023');
    },
  ));
