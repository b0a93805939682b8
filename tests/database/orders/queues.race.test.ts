import fc from 'fast-check';
import { expect, test } from 'vitest';
import { useDatabase } from '../support/postgres.ts';
import { newPaymentId } from '../support/shop-database.ts';
import { times } from '../../soak.ts';

const postgres = await useDatabase();
await postgres.allowRefunds();
const workers = await postgres.connect(20);

/** Every worker claims until nothing is left; the ids in the order they were handed out. */
async function drain(call: string): Promise<number[]> {
  const claimed: number[] = [];
  await Promise.all(
    workers.map(async (database) => {
      for (;;) {
        const rows = await database.query<{ id: string }>(
          `select (row ->> 'id') as id from ${call} row`,
        );
        if (rows.length === 0) return;
        claimed.push(...rows.map(({ id }) => Number(id)));
      }
    }),
  );
  return claimed;
}
const isEachOnce = (claimed: number[], count: number): void => {
  expect(claimed).toHaveLength(count);
  expect(new Set(claimed).size).toBe(count);
};

test('20 senders take each mail once', async () => {
  await postgres.run(
    `insert into public.outbox (kind, dedupe_key) select 'admin_alert', 'note:' || n from generate_series(1, ${String(times(150, 500))}) n`,
  );
  isEachOnce(await drain('public.claim_outbox(7, 60)'), times(150, 500));
});

test('20 sweeps ask for each refund once, and look at each order once', async () => {
  const ring = await postgres.addProduct({ stock: 120 });
  for (let index = 0; index < 100; index += 1) {
    const order = await postgres.placeOpen(
      await postgres.addCustomer(),
      [{ product_id: ring, quantity: 1 }],
      { expected: 102_360 },
    );
    if (index < 60) await postgres.markPaid(order);
    if (index < 60) await postgres.markPaid(order);
  }
  // Without an order at the provider: released by whichever sweep sees it first.
  for (let index = 0; index < 20; index += 1)
    await postgres.place(await postgres.addCustomer(), [{ product_id: ring, quantity: 1 }], {
      expected: 102_360,
    });
  isEachOnce(await drain('public.claim_refunds(3, 60)'), 60);
  await postgres.run('update public.orders set next_check_at = now() where payment_id is null');
  const checked: number[] = [];
  await Promise.all(
    workers.map(async (database) => {
      for (let round = 0; round < 20; round += 1) {
        const rows = await database.query<{ id: string }>(
          `select row ->> 'id' as id from public.orders_to_check(5, 60) row`,
        );
        checked.push(...rows.map(({ id }) => Number(id)));
      }
    }),
  );
  isEachOnce(checked, 40);
  expect(await postgres.value('select stock from public.products where id = $1', ring)).toBe(20);
});

test('200 hits at once: exactly the limit is allowed', async () => {
  const allowed: boolean[] = [];
  await Promise.all(
    workers.map(async (database) => {
      for (let hit = 0; hit < 10; hit += 1) {
        allowed.push(
          await database.value<boolean>(`select private.hit_rate_limit('race', 37, 86400) as ok`),
        );
      }
    }),
  );
  expect(allowed.filter(Boolean)).toHaveLength(37);
});

type Step =
  | { do: 'place'; customer: number; quantities: number[]; again: boolean }
  | { do: 'pay' | 'pay again' | 'release' | 'wrong amount'; order: number }
  | { do: 'restock'; product: number; by: number }
  | { do: 'sweep' };
const index = fc.nat(7);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      customer: fc.nat(2),
      quantities: fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }),
      again: fc.boolean(),
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({
      do: fc.constantFrom(
        'pay' as const,
        'pay again' as const,
        'release' as const,
        'wrong amount' as const,
      ),
      order: index,
    }),
    weight: 5,
  },
  {
    arbitrary: fc.record({
      do: fc.constant('restock' as const),
      product: fc.nat(2),
      by: fc.integer({ min: -2, max: 2 }),
    }),
    weight: 1,
  },
  { arbitrary: fc.constant({ do: 'sweep' as const }), weight: 1 },
);

test('stock + held + taken stays the same in every order of events, and each payment counts once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const initial = new Map<string, number>();
      for (const stock of [5, 3, 1])
        initial.set(await postgres.addProduct({ price: 100, stock }), stock);
      const products = [...initial.keys()];
      const customers: string[] = [];
      for (let count = 0; count < 3; count += 1) customers.push(await postgres.addCustomer());
      const orders: { id: number; razorpay_order_id: string; total_paise: number; paid: string }[] =
        [];
      for (const now of steps) {
        if (now.do === 'place') {
          const lines = products.flatMap((id, at) =>
            (now.quantities[at] ?? 0) > 0
              ? [{ product_id: id, quantity: now.quantities[at] ?? 0 }]
              : [],
          );
          if (lines.length === 0) continue;
          const { order } = await postgres.place(
            customers[now.customer] ?? '',
            lines,
            now.again ? {} : { expected: 1 },
          );
          if (!order || orders.some(({ id }) => id === order.id)) continue;
          const razorpayOrderId = `order_${String(order.id)}`;
          await postgres.query(
            'select public.attach_razorpay_order($1, $2)',
            order.id,
            razorpayOrderId,
          );
          orders.push({
            id: order.id,
            razorpay_order_id: razorpayOrderId,
            total_paise: order.total_paise,
            paid: newPaymentId(),
          });
        } else if (now.do === 'restock') {
          const id = products[now.product] ?? '';
          const rows = await postgres.query(
            'update public.products set stock = stock + $2 where id = $1 and stock + $2 >= 0 returning 1',
            id,
            now.by,
          );
          if (rows.length > 0) initial.set(id, (initial.get(id) ?? 0) + now.by);
        } else if (now.do === 'sweep') {
          await postgres.query(
            'update public.orders set next_check_at = now() where id = any ($1) and next_check_at is not null',
            orders.map(({ id }) => id),
          );
          for (const { id } of await postgres.query<{ id: number }>(
            `select (row ->> 'id')::bigint as id from public.orders_to_check(50, 60) row`,
          ))
            await postgres.release(id);
        } else {
          const order = orders[now.order % Math.max(orders.length, 1)];
          if (!order) continue;
          if (now.do === 'pay') await postgres.markPaid(order, order.paid);
          if (now.do === 'pay again') await postgres.markPaid(order);
          if (now.do === 'wrong amount')
            await postgres.markPaid(order, newPaymentId(), { amount: order.total_paise + 1 });
          if (now.do === 'release') await postgres.release(order.id);
        }
        const rows = await postgres.query<{ id: string; stock: number; bound: number }>(
          `select p.id, p.stock, coalesce(sum((item ->> 'quantity')::int) filter (where o.hold_state in ('held', 'taken')), 0)::int as bound
           from public.products p left join (public.orders o cross join jsonb_array_elements(o.items) item) on item ->> 'product_id' = p.id::text and o.user_id = any ($2)
           where p.id = any ($1) group by p.id`,
          products,
          customers,
        );
        for (const { id, stock, bound } of rows) {
          expect(stock).toBeGreaterThanOrEqual(0);
          expect(stock + bound).toBe(initial.get(id));
        }
      }
      // Paid and taken are the same orders; every payment is either the one of its order or goes back, once and whole.
      const odd = await postgres.query(
        `select o.id from public.orders o where o.user_id = any ($1) and not (
           (o.hold_state = 'taken') = (o.payment_id is not null) and (o.status = 'COMPLETED') = (o.payment_id is not null)
           and (select count(*) from public.outbox m where m.order_id = o.id and m.kind = 'order_confirmation') = (o.payment_id is not null)::int
           and not exists (
             select 1 from public.payments p where p.order_id = o.id and (
               (p.state = 'accepted') <> (p.payment_id is not distinct from o.payment_id)
               or (select coalesce(sum(r.amount_paise), 0) from public.refunds r where r.payment_id = p.payment_id) <> case p.state when 'accepted' then 0 else p.amount_paise end)))`,
        customers,
      );
      expect(odd).toEqual([]);
    }),
    { numRuns: times(12, 60) },
  );
});
