import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { one, type Database } from '../support/database.ts';
import {
  createDatabase,
  oneAfterTheOther,
  type Connection,
  type Postgres,
} from '../support/postgres.ts';
import {
  addProduct,
  addShopper,
  markPaid,
  newPaymentId,
  place,
  placeOpen,
  release,
  stockOf,
} from '../support/shop-rows.ts';
import { reportFigures } from '../../figures.ts';
import { permutations } from '../../permutations.ts';
import { times } from '../../soak.ts';

let postgres: Postgres;
let connections: Connection[] = [];
beforeAll(async () => {
  postgres = await createDatabase();
  connections = await postgres.connect(times(50, 100));
});
afterAll(() => postgres.close());

let ring = '';
let order: Awaited<ReturnType<typeof placeOpen>>;
beforeEach(async () => {
  ring = await addProduct(postgres, { stock: 1 });
  order = await placeOpen(postgres, await addShopper(postgres), [
    { product_id: ring, quantity: 1 },
  ]);
});

/** Runs on so many connections at once and counts the answers. */
async function race(
  count: number,
  run: (database: Database, index: number) => Promise<string>,
): Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  await Promise.all(
    connections.slice(0, count).map(async (database, index) => {
      const answer = await run(database, index);
      answers[answer] = (answers[answer] ?? 0) + 1;
    }),
  );
  return answers;
}

/** How the order, its mails, payments and refunds ended. */
const outcomeOf = (
  id: number = order.id,
  database: Database = postgres,
): Promise<Record<string, unknown>> =>
  one(
    database,
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
    await race(connections.length, (database) =>
      markPaid(database, order, payment, { eventId: 'event_same' }),
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
    await race(connections.length, (database, index) =>
      markPaid(database, order, payment, { eventId: `event_${String(index)}` }),
    ),
  ).toEqual({ paid: 1, already_paid: connections.length - 1 });
  expect(await outcomeOf()).toEqual(completed);
});

test('50 payments of one order at once: one is taken, each of the others goes back once', async () => {
  expect(await race(50, (database) => markPaid(database, order))).toEqual({
    paid: 1,
    refund_due: 49,
  });
  expect(await outcomeOf()).toMatchObject({
    status: 'COMPLETED',
    payment_status: 'COMPLETED',
    refunds: 49,
  });
  expect(
    await one(
      postgres,
      `select count(*)::int as n from public.payments where order_id = $1 and state = 'accepted'`,
      order.id,
    ),
  ).toEqual({ n: 1 });
});

test('paid after its time with the stock gone: one refund and one mail to each side, over 50 triggers at once', async () => {
  await release(postgres, order.id);
  expect(
    (await place(postgres, await addShopper(postgres), [{ product_id: ring, quantity: 1 }]))
      .outcome,
  ).toBe('placed');
  const payment = newPaymentId();
  const trigger = (database: Database, index: number): Promise<string> =>
    markPaid(database, order, payment, {
      eventId: index % 2 === 0 ? `gone_${String(index)}` : null,
    });
  const answers = await race(50, trigger);
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

describe('whoever is first', () => {
  const openLast = async (): Promise<{ piece: string; open: typeof order }> => {
    const piece = await addProduct(postgres, { stock: 1 });
    return {
      piece,
      open: await placeOpen(postgres, await addShopper(postgres), [
        { product_id: piece, quantity: 1 },
      ]),
    };
  };
  const two = (): [Connection, Connection] => connections.slice(0, 2) as [Connection, Connection];

  test('a release and a payment end in a paid order, and the piece is sold once', async () => {
    const first = await openLast();
    const payment = newPaymentId();
    const released = (database: Database): Promise<string> => release(database, first.open.id);
    const paid = (database: Database): Promise<string> => markPaid(database, first.open, payment);
    expect(await oneAfterTheOther(postgres, two(), released, paid)).toEqual(['released', 'paid']);
    expect(await outcomeOf(first.open.id)).toEqual(completed);
    expect(await stockOf(postgres, first.piece)).toBe(0);

    const second = await openLast();
    const pays = (database: Database): Promise<string> => markPaid(database, second.open);
    const releases = (database: Database): Promise<string> => release(database, second.open.id);
    expect(await oneAfterTheOther(postgres, two(), pays, releases)).toEqual(['paid', 'paid']);
    expect(await outcomeOf(second.open.id)).toEqual(completed);
    expect(await stockOf(postgres, second.piece)).toBe(0);
  });

  test('releases and payments of one order from six connections end in a paid order', async () => {
    for (let round = 0; round < times(4, 40); round += 1) {
      const { piece, open } = await openLast();
      const payment = newPaymentId();
      const answers = await race(6, (database, index) =>
        (index + round) % 2 === 0 ? markPaid(database, open, payment) : release(database, open.id),
      );
      expect(answers['paid'] ?? 0).toBeGreaterThan(0);
      expect(await outcomeOf(open.id)).toEqual(completed);
      expect(await stockOf(postgres, piece)).toBe(0);
    }
  });

  test('a late payment and another buyer: the first of them gets the last piece', async () => {
    const released = async (): Promise<
      Awaited<ReturnType<typeof openLast>> & { buyer: string }
    > => {
      const last = await openLast();
      await release(postgres, last.open.id);
      return { ...last, buyer: await addShopper(postgres) };
    };
    const buy = async (
      database: Database,
      { piece, buyer }: { piece: string; buyer: string },
    ): Promise<string> =>
      (await place(database, buyer, [{ product_id: piece, quantity: 1 }], { expected: 102_360 }))
        .outcome;

    const bought = await released();
    expect(
      await oneAfterTheOther(
        postgres,
        two(),
        (database) => buy(database, bought),
        (database) => markPaid(database, bought.open),
      ),
    ).toEqual(['placed', 'refund_due']);
    expect(await stockOf(postgres, bought.piece)).toBe(0);

    const late = await released();
    expect(
      await oneAfterTheOther(
        postgres,
        two(),
        (database) => markPaid(database, late.open),
        (database) => buy(database, late),
      ),
    ).toEqual(['paid', 'out_of_stock']);
    expect(await stockOf(postgres, late.piece)).toBe(0);
  });
});

describe('news in any order', () => {
  const news = ['authorized', 'failed', 'captured', 'order.paid', 'verify', 'release'] as const;
  type News = (typeof news)[number];
  /** What each piece of news does in the database; authorised and failed payments are only kept for the record. */
  async function tell(
    database: Database,
    what: News,
    open: typeof order,
    payment: string,
  ): Promise<void> {
    const eventId = `${what}_${String(open.id)}`;
    if (what === 'captured' || what === 'order.paid')
      await markPaid(database, open, payment, { eventId });
    else if (what === 'verify') await markPaid(database, open, payment);
    else if (what === 'release') await release(database, open.id);
    else
      await database.query(
        'insert into public.webhook_events (event_id, event, payment_id) values ($1, $2, $3) on conflict do nothing',
        eventId,
        what,
        payment,
      );
  }

  test('the orders of six, each told twice, end in one state', async () => {
    expect(permutations(news)).toHaveLength(720);
    // All of them in the long run, otherwise every seventh.
    const everyOrder = permutations(news).filter((_, index) => index % times(7, 1) === 0);
    const piece = await addProduct(postgres, { stock: everyOrder.length });
    const states = new Map<string, number>();
    const workers = connections.slice(0, 20).map(async (database, worker) => {
      for (const sequence of everyOrder.filter((_, index) => index % 20 === worker)) {
        const open = await placeOpen(
          database,
          await addShopper(database),
          [{ product_id: piece, quantity: 1 }],
          {
            expected: 102_360,
          },
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
    expect(await stockOf(postgres, piece)).toBe(0);
  });

  test('all six at once, each three times, end in the same state', async () => {
    for (let round = 0; round < times(3, 15); round += 1) {
      const piece = await addProduct(postgres, { stock: 1 });
      const open = await placeOpen(postgres, await addShopper(postgres), [
        { product_id: piece, quantity: 1 },
      ]);
      const payment = newPaymentId();
      await race(18, async (database, index) => {
        await tell(database, news[(index * 5 + round) % 6] ?? 'verify', open, payment);
        return 'told';
      });
      expect(await outcomeOf(open.id)).toEqual(completed);
      expect(await stockOf(postgres, piece)).toBe(0);
    }
  });
});

test('nothing above deadlocked', async () => {
  expect(
    await one(
      postgres,
      `select deadlocks::int as n from pg_stat_database where datname = current_database()`,
    ),
  ).toEqual({
    n: 0,
  });
});
