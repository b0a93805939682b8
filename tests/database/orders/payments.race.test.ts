import { beforeEach, describe, expect, test } from 'vitest';
import { oneAfterTheOther, race, useDatabase } from '../support/postgres.ts';
import { newPaymentId, type OpenOrder, type ShopDatabase } from '../support/shop-database.ts';
import { reportFigures } from '../../figures.ts';
import { permutations } from '../../permutations.ts';
import { times } from '../../soak.ts';

const postgres = await useDatabase();
await postgres.allowRefunds();
const connections = await postgres.connect(times(50, 100));

let ring = '';
let order: OpenOrder;
beforeEach(async () => {
  ring = await postgres.addProduct({ stock: 1 });
  order = await postgres.placeOpen(await postgres.addCustomer(), [
    { product_id: ring, quantity: 1 },
  ]);
});

/** How the order, its mails, payments and refunds ended. */
const outcomeOf = (
  id: number = order.id,
  database: ShopDatabase = postgres,
): Promise<Record<string, unknown>> =>
  database.one(
    `select o.status, o.payment_status, o.hold_state,
       (select string_agg(kind, ' ' order by kind) from public.outbox where order_id = o.id) as mails,
       (select string_agg(state, ' ' order by state) from public.payments where order_id = o.id) as payments,
       (select count(*)::int from public.refunds where order_id = o.id) as refunds
     from public.orders o where o.id = $1`,
    id,
  );
const completed = {
  status: 'COMPLETED',
  payment_status: 'COMPLETED',
  hold_state: 'taken',
  mails: 'order_confirmation order_notice',
  payments: 'accepted',
  refunds: 0,
};

test('one event many times at once is one transition and one pair of mails', async () => {
  const payment = newPaymentId();
  expect(
    await race(connections, (database) =>
      database.markPaid(order, payment, { eventId: 'event_same' }),
    ),
  ).toEqual({
    paid: 1,
    duplicate_event: connections.length - 1,
  });
  expect(await outcomeOf()).toEqual(completed);
});

test('many events about one payment at once are one transition and one pair of mails', async () => {
  const payment = newPaymentId();
  expect(
    await race(connections, (database, index) =>
      database.markPaid(order, payment, { eventId: `event_${String(index)}` }),
    ),
  ).toEqual({ paid: 1, already_paid: connections.length - 1 });
  expect(await outcomeOf()).toEqual(completed);
});

test('50 concurrent payments of one order: one is accepted, each of the others is refunded once', async () => {
  expect(await race(connections.slice(0, 50), (database) => database.markPaid(order))).toEqual({
    paid: 1,
    refund_due: 49,
  });
  expect(await outcomeOf()).toMatchObject({
    status: 'COMPLETED',
    payment_status: 'COMPLETED',
    refunds: 49,
  });
  expect(
    await postgres.value(
      `select count(*)::int from public.payments where order_id = $1 and state = 'accepted'`,
      order.id,
    ),
  ).toBe(1);
});

test('paid after expiry with the stock gone: one refund and one mail to each side, over 50 concurrent triggers', async () => {
  await postgres.release(order.id);
  expect(
    (await postgres.place(await postgres.addCustomer(), [{ product_id: ring, quantity: 1 }]))
      .outcome,
  ).toBe('placed');
  const payment = newPaymentId();
  const trigger = (database: ShopDatabase, index: number): Promise<string> =>
    database.markPaid(order, payment, {
      eventId: index % 2 === 0 ? `gone_${String(index)}` : null,
    });
  const answers = await race(connections.slice(0, 50), trigger);
  const outcome = await outcomeOf();
  reportFigures(9, {
    triggers: Object.values(answers).reduce((sum, count) => sum + count, 0),
    refunds: Number(outcome['refunds']),
  });
  expect(answers).toEqual({ refund_due: 50 });
  expect(outcome).toEqual({
    status: 'FAILED',
    payment_status: 'REFUND_DUE',
    hold_state: 'released',
    mails: 'refund_alert refund_notice',
    payments: 'refund_due',
    refunds: 1,
  });
});

describe('the first report wins', () => {
  const openLast = async (): Promise<{ product: string; open: typeof order }> => {
    const product = await postgres.addProduct({ stock: 1 });
    return {
      product,
      open: await postgres.placeOpen(await postgres.addCustomer(), [
        { product_id: product, quantity: 1 },
      ]),
    };
  };

  test('a release and a payment end in a paid order, and the product is sold once', async () => {
    const first = await openLast();
    const payment = newPaymentId();
    const released = (database: ShopDatabase): Promise<string> => database.release(first.open.id);
    const paid = (database: ShopDatabase): Promise<string> =>
      database.markPaid(first.open, payment);
    expect(await oneAfterTheOther(postgres, released, paid)).toEqual(['released', 'paid']);
    expect(await outcomeOf(first.open.id)).toEqual(completed);
    expect(await postgres.stockOf(first.product)).toBe(0);

    const second = await openLast();
    const pays = (database: ShopDatabase): Promise<string> => database.markPaid(second.open);
    const releases = (database: ShopDatabase): Promise<string> => database.release(second.open.id);
    expect(await oneAfterTheOther(postgres, pays, releases)).toEqual(['paid', 'paid']);
    expect(await outcomeOf(second.open.id)).toEqual(completed);
    expect(await postgres.stockOf(second.product)).toBe(0);
  });

  test('releases and payments of one order from six connections end in a paid order', async () => {
    for (let round = 0; round < times(4, 40); round += 1) {
      const { product, open } = await openLast();
      const payment = newPaymentId();
      const answers = await race(connections.slice(0, 6), (database, index) =>
        (index + round) % 2 === 0 ? database.markPaid(open, payment) : database.release(open.id),
      );
      expect(answers['paid'] ?? 0).toBeGreaterThan(0);
      expect(await outcomeOf(open.id)).toEqual(completed);
      expect(await postgres.stockOf(product)).toBe(0);
    }
  });

  test('a late payment and another customer: the first of them gets the last unit', async () => {
    const released = async (): Promise<
      Awaited<ReturnType<typeof openLast>> & { customer: string }
    > => {
      const last = await openLast();
      await postgres.release(last.open.id);
      return { ...last, customer: await postgres.addCustomer() };
    };
    const buy = async (
      database: ShopDatabase,
      { product, customer }: { product: string; customer: string },
    ): Promise<string> =>
      (
        await database.place(customer, [{ product_id: product, quantity: 1 }], {
          expected: 102_360,
        })
      ).outcome;

    const bought = await released();
    expect(
      await oneAfterTheOther(
        postgres,

        (database) => buy(database, bought),
        (database) => database.markPaid(bought.open),
      ),
    ).toEqual(['placed', 'refund_due']);
    expect(await postgres.stockOf(bought.product)).toBe(0);

    const late = await released();
    expect(
      await oneAfterTheOther(
        postgres,

        (database) => database.markPaid(late.open),
        (database) => buy(database, late),
      ),
    ).toEqual(['paid', 'out_of_stock']);
    expect(await postgres.stockOf(late.product)).toBe(0);
  });
});

describe('news in any order', () => {
  const news = ['authorized', 'failed', 'captured', 'order.paid', 'verify', 'release'] as const;
  type News = (typeof news)[number];
  /** The effect of each event in the database; authorised and failed payments are only kept for the record. */
  async function tell(
    database: ShopDatabase,
    what: News,
    open: typeof order,
    payment: string,
  ): Promise<void> {
    const eventId = `${what}_${String(open.id)}`;
    if (what === 'captured' || what === 'order.paid')
      await database.markPaid(open, payment, { eventId });
    else if (what === 'verify') await database.markPaid(open, payment);
    else if (what === 'release') await database.release(open.id);
    else
      await database.query(
        'insert into public.webhook_events (event_id, event, payment_id) values ($1, $2, $3) on conflict do nothing',
        eventId,
        what,
        payment,
      );
  }

  test('six events in every order, each delivered twice, end in one state', async () => {
    expect(permutations(news)).toHaveLength(720);
    // All of them in the long run, otherwise every seventh.
    const everyOrder = permutations(news).filter((_, index) => index % times(7, 1) === 0);
    const product = await postgres.addProduct({ stock: everyOrder.length });
    const states = new Map<string, number>();
    const workers = connections.slice(0, 20).map(async (database, worker) => {
      for (const sequence of everyOrder.filter((_, index) => index % 20 === worker)) {
        const open = await database.placeOpen(
          await database.addCustomer(),
          [{ product_id: product, quantity: 1 }],
          { expected: 102_360 },
        );
        const payment = newPaymentId();
        // Half of them double each piece of news, half repeat the whole story.
        const told =
          worker % 2 === 0 ? sequence.flatMap((what) => [what, what]) : [...sequence, ...sequence];
        for (const what of told) await tell(database, what, open, payment);
        const state = JSON.stringify(await outcomeOf(open.id, database));
        states.set(state, (states.get(state) ?? 0) + 1);
      }
    });
    await Promise.all(workers);
    reportFigures(7, {
      'orders of six in SQL': everyOrder.length,
      'final states in SQL': states.size,
    });
    expect([...states]).toEqual([[JSON.stringify(completed), everyOrder.length]]);
    expect(await postgres.stockOf(product)).toBe(0);
  });

  test('all six at once, each three times, end in the same state', async () => {
    for (let round = 0; round < times(3, 15); round += 1) {
      const product = await postgres.addProduct({ stock: 1 });
      const open = await postgres.placeOpen(await postgres.addCustomer(), [
        { product_id: product, quantity: 1 },
      ]);
      const payment = newPaymentId();
      await race(connections.slice(0, 18), async (database, index) => {
        await tell(database, news[(index * 5 + round) % 6] ?? 'verify', open, payment);
        return 'told';
      });
      expect(await outcomeOf(open.id)).toEqual(completed);
      expect(await postgres.stockOf(product)).toBe(0);
    }
  });
});

test('nothing above deadlocked', async () => {
  expect(await postgres.deadlocks()).toBe(0);
});
