import { beforeEach, expect, test } from 'vitest';
import { oneAfterTheOther, race, useDatabase } from '#tests/database/support/postgres.ts';
import {
  newPaymentId,
  type OpenOrder,
  type ShopDatabase,
} from '#tests/database/support/shop-database.ts';
import { reportFigures } from '#tests/figures.ts';
import { permutations } from '#tests/permutations.ts';
import { times } from '#tests/soak.ts';

const postgres = await useDatabase();
await postgres.allowRefunds();
const connections = await postgres.connect(times(50, 100));

let ring = '';
let order: OpenOrder;
beforeEach(async () => {
  ring = await postgres.addProduct({ stock: 1 });
  order = await postgres.openOrder(ring);
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

test.each([
  ['one event', 'duplicate_event', () => 'event_same'],
  ['many events about one payment', 'already_paid', (index: number) => `event_${String(index)}`],
])(
  '%s many times at once: one transition and one pair of mails',
  async (_name, repeated, eventIdOf) => {
    const payment = newPaymentId();
    expect(
      await race(connections, (database, index) =>
        database.markPaid(order, payment, { eventId: eventIdOf(index) }),
      ),
    ).toEqual({ paid: 1, [repeated]: connections.length - 1 });
    expect(await outcomeOf()).toEqual(completed);
  },
);

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

test.each([
  ['release', ['released', 'paid']],
  ['payment', ['paid', 'paid']],
])('a release and a payment, the %s first, end in a paid order', async (first, answers) => {
  const release = (database: ShopDatabase): Promise<string> => database.release(order.id);
  const pay = (database: ShopDatabase): Promise<string> => database.markPaid(order);
  const [one, other] = first === 'release' ? [release, pay] : [pay, release];
  expect(await oneAfterTheOther(postgres, one, other)).toEqual(answers);
  expect(await outcomeOf()).toEqual(completed);
  expect(await postgres.stockOf(ring)).toBe(0);
});

test.each([
  ['late payment', ['paid', 'out_of_stock']],
  ['other customer', ['placed', 'refund_due']],
])(
  'a late payment and another customer: the %s comes first and gets the last unit',
  async (first, answers) => {
    await postgres.release(order.id);
    const customer = await postgres.addCustomer();
    const pay = (database: ShopDatabase): Promise<string> => database.markPaid(order);
    const buy = async (database: ShopDatabase): Promise<string> => {
      const lines = [{ product_id: ring, quantity: 1 }];
      return (await database.place(customer, lines, { expected: 102_360 })).outcome;
    };
    const [one, other] = first === 'late payment' ? [pay, buy] : [buy, pay];
    expect(await oneAfterTheOther(postgres, one, other)).toEqual(answers);
    expect(await postgres.stockOf(ring)).toBe(0);
  },
);

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

test('nothing above deadlocked', async () => {
  expect(await postgres.deadlocks()).toBe(0);
});
