import { beforeEach, describe, expect, test } from 'vitest';
import { sqlState } from '#tests/database/support/database.ts';
import type { ShopDatabase } from '#tests/database/support/shop-database.ts';
import { oneAfterTheOther, race, useDatabase } from '#tests/database/support/postgres.ts';

/* Damage claims on PostgreSQL: what can be reported, and what each answer does to money and stock. */
const database = await useDatabase();

let customer = '';
let ring = '';
let order = 0;

type Answer = Record<string, unknown>;
const outcomeOf = async (answer: Promise<Answer>): Promise<unknown> => (await answer)['outcome'];
const report = (
  paths: string[] = [],
  id = order,
  on: ShopDatabase = database,
): Promise<unknown> => {
  const sql = `select public.report_claim($1, 'The clasp is broken', $2::text[], 48)`;
  return outcomeOf(on.value(sql, id, paths));
};
const note = (paths: string[], keep: string[] | null = null): Promise<unknown> => {
  const sql = `select public.note_claim_files($1, 'photo', $2::text[], $3::text[])`;
  return outcomeOf(database.value(sql, order, paths, keep));
};
/** Marks the files that are due, and returns their paths. */
const take = async (on: ShopDatabase = database): Promise<string[]> =>
  (await on.column<string>('select public.take_due_claim_files(180, 10)')).toSorted();
const forgetFiles = (paths: string[]): Promise<unknown> =>
  database.query('select public.forget_claim_files($1::text[])', paths);
const claims = (): Promise<Answer[]> => database.value('select public.read_claims($1)', order);
/** Answers the newest claim, or another one. */
const answer = async (
  kind: 'refund' | 'replacement' | 'declined',
  { reason = '', amount = null as number | null, items = {}, claim = 0 } = {},
  on: ShopDatabase = database,
): Promise<Answer> =>
  on.value(
    'select public.answer_claim($1, $2, gen_random_uuid(), $3, $4, $5, $6::jsonb)',
    ...[order, claim || (await claims())[0]?.['id'], kind, reason, amount, JSON.stringify(items)],
  );
const decline = (): Promise<Answer> => answer('declined', { reason: 'Worn' });
const arrive = (): Promise<unknown> =>
  database.run('update public.claim_files set bytes = 1 where true');
const mails = (): Promise<string[]> =>
  database.column(
    `select kind from public.outbox where kind like 'claim%' or payload ->> 'topic' = 'damage_claim' order by kind`,
  );
/** Makes the parcel arrive so many hours ago. */
const deliver = (hoursAgo = 1, id = order): Promise<unknown> =>
  database.run(
    `update public.orders set fulfilment = 'delivered', delivered_at = now() - interval '${String(hoursAgo)} hours' where id = ${String(id)}`,
  );

beforeEach(async () => {
  customer = await database.addCustomer();
  ring = await database.addProduct({ stock: 5, price: 1_000 });
  const placed = await database.placeOpen(customer, [{ product_id: ring, quantity: 2 }]);
  await database.markPaid(placed);
  order = placed.id;
  await database.run('delete from public.outbox where true');
});

describe('a report', () => {
  test('is possible from when the parcel is on its way, and not of an order that is refunded', async () => {
    expect([await report(), await note(['a'])]).toEqual(['not_possible', 'not_possible']);
    const set = (fields: string): Promise<unknown> =>
      database.query(`update public.orders set ${fields} where id = $1`, order);
    await set(`fulfilment = 'shipped', payment_status = 'REFUNDED'`);
    expect(await report()).toBe('not_possible');
    await set(`payment_status = 'COMPLETED'`);
    expect(await report()).toBe('reported');
    expect(await claims()).toMatchObject([{ late: false, answer: null, files: [] }]);
    expect(await report([], 999_999)).toBe('not_found');
  });

  test('is marked as late after the time of the policy', async () => {
    await deliver(49);
    await report();
    expect(await claims()).toMatchObject([{ late: true }]);
  });

  test('sent twice is one, with one mail to each side; five are the most of an order', async () => {
    await deliver();
    expect([await report(), await report()]).toEqual(['reported', 'already']);
    expect(await mails()).toEqual(['admin_alert', 'claim_received']);
    for (let count = 1; count < 5; count += 1) {
      await decline();
      expect(await report()).toBe('reported');
    }
    await decline();
    expect(await report()).toBe('too_many');
  });

  test('takes files of its own order, each for one claim', async () => {
    await deliver();
    expect(await note(['x/1.webp', 'x/2.webp'])).toBe('noted');
    expect(await report(['x/1.webp'])).toBe('files_missing');
    await arrive();
    expect(await report(['x/1.webp', 'x/none.webp'])).toBe('files_missing');
    expect(await report(['x/1.webp'])).toBe('reported');
    expect(await claims()).toMatchObject([{ files: [{ path: 'x/1.webp', kind: 'photo' }] }]);
    await decline();
    expect(await report(['x/1.webp'])).toBe('files_missing');
    const many = Array.from({ length: 41 }, (_, index) => `x/many-${String(index)}`);
    expect(await note(many)).toBe('full');
    expect(await note(many.slice(0, 5))).toBe('noted');
  });
});

describe('the answer', () => {
  beforeEach(async () => {
    await deliver();
    await report();
  });

  test('refund sends that much back, and no more than is left', async () => {
    expect(await answer('refund', { amount: 9_999_999 })).toMatchObject({ outcome: 'too_much' });
    expect(await claims()).toMatchObject([{ answer: null }]);
    expect(await answer('refund', { amount: 50_000 })).toEqual({ outcome: 'answered' });
    expect(await claims()).toMatchObject([{ answer: 'refund', amountPaise: 50_000 }]);
    expect(
      await database.value(
        'select amount_paise::int as paise from public.refunds where order_id = $1',
        order,
      ),
    ).toBe(50_000);
    expect(await mails()).toContain('claim_answered');
  });
  test('refund is told by a mail of its own, also when Razorpay had refused the same amount before', async () => {
    await database.requestRefund(order, 50_000);
    await database.query(
      `update public.refunds set state = 'failed', unanswered = 0 where order_id = $1`,
      order,
    );
    await database.run('update public.outbox set sent_at = now() where sent_at is null');
    expect(await answer('refund', { amount: 50_000 })).toEqual({ outcome: 'answered' });
    expect(
      await database.column(
        `select kind from public.outbox where sent_at is null and kind <> 'push' order by id`,
      ),
    ).toEqual(['refund_notice', 'claim_answered']);
  });

  test('replacement is a free order of those items that takes their stock, and gives it back when it is cancelled', async () => {
    expect(await answer('replacement', { items: { [ring]: 3 } })).toMatchObject({
      outcome: 'too_many_items',
    });
    expect(await answer('replacement', { items: { [ring]: 1 } })).toEqual({ outcome: 'answered' });
    expect(await database.stockOf(ring)).toBe(2);
    const [claim] = await claims();
    const id = Number(claim?.['replacementId']);
    expect(await database.orderRow(id)).toMatchObject({
      user_id: customer,
      replaces: order,
      total_paise: 0,
      stage: 'to_pack',
      paid: true,
      items: [{ product_id: ring, quantity: 1, discount_paise: 100_000 }],
    });
    expect(await database.cancel(id)).toEqual({ outcome: 'cancelled' });
    expect(await database.stockOf(ring)).toBe(3);
  });

  test('replacement is no purchase: neither one more order of its customer nor what opens the mails of customers', async () => {
    const rank = (id: number) => database.value('select private.customer_order_rank($1)', id);
    await answer('replacement', { items: { [ring]: 1 } });
    const [claim] = await claims();
    const id = Number(claim?.['replacementId']);
    expect(await database.orderRow(id)).toMatchObject({ state: 'paid', kind: 'replacement' });
    expect(await rank(order)).toEqual({ nth: 1, orders: 1 });
    expect(await rank(id)).toEqual({ nth: null, orders: 1 });
    const hasBought = (): Promise<boolean> =>
      database.value('select private.has_bought($1)', customer);
    expect(await hasBought()).toBe(true);
    await database.cancel(order);
    await database.run(
      `update public.orders set fulfilment = 'cancelled' where id = ${String(order)}`,
    );
    expect(await hasBought()).toBe(false);
    expect(await outcomeOf(database.cancelOwn(customer, id, true))).toBe('ask');
  });

  test('replacement without enough stock changes nothing', async () => {
    await database.run(`update public.products set stock = 0 where id = '${ring}'`);
    expect(await answer('replacement', { items: { [ring]: 1 } })).toEqual({
      outcome: 'out_of_stock',
    });
    expect(await claims()).toMatchObject([{ answer: null, replacementId: null }]);
  });

  test('is given once, also when several are sent at once', async () => {
    const claim = Number((await claims())[0]?.['id']);
    const connections = await database.connect(3);
    const outcomes = await race(connections, async (on, index) => {
      const given = [
        () => answer('refund', { amount: 50_000, claim }, on),
        () => answer('replacement', { items: { [ring]: 1 }, claim }, on),
        () => answer('declined', { reason: 'Worn', claim }, on),
      ][index];
      return String((await given?.())?.['outcome']);
    });
    expect(outcomes).toEqual({ answered: 1, answered_before: 2 });
  });

  test('without a reason or without items is refused', async () => {
    expect(await sqlState(answer('declined'))).toBe('22023');
    expect(await sqlState(answer('replacement'))).toBe('22023');
    expect(await sqlState(answer('refund', { amount: 99 }))).toBe('22023');
  });
});

describe('files', () => {
  const [kept, loose] = ['y/kept.webp', 'y/loose.webp'];
  const paths = (): Promise<string[]> =>
    database.column('select path from public.claim_files where not removing order by path');
  const age = (): Promise<unknown> =>
    database.run(`update public.claim_files set created_at = now() - interval '3 days' where true`);

  beforeEach(async () => {
    await database.run('delete from public.claim_files where true');
    await deliver();
    await note([kept, loose]);
    await arrive();
  });

  test('are due after their term, and two days after an upload that no claim took', async () => {
    await report([kept]);
    expect(await take()).toEqual([]);
    await age();
    expect(await take()).toEqual([loose]);
    // A file that could not be deleted is due again.
    expect(await take()).toEqual([loose]);
    await forgetFiles([kept, loose]);
    expect(await paths()).toEqual([kept]);
    await decline();
    await database.run(
      `update public.claims set answered_at = now() - interval '181 days' where answer is not null`,
    );
    expect(await take()).toEqual([kept]);
    await forgetFiles([kept]);
    expect(await take()).toEqual([]);
  });

  test('files of a claim without an answer are due after two years', async () => {
    await report([kept, loose]);
    await age();
    expect(await take()).toEqual([]);
    await database.run(
      `update public.claims set created_at = now() - interval '3 years' where order_id = ${String(order)}`,
    );
    expect(await take()).toEqual([kept, loose]);
  });

  test('that are being deleted are in no claim, and are not uploaded meanwhile', async () => {
    await age();
    await take();
    expect(await report([loose])).toBe('files_missing');
    expect(await note([loose])).toBe('removing');
    await forgetFiles([loose]);
    expect(await note([loose])).toBe('noted');
  });

  test('that a draft replaced are freed at once, those of a claim never', async () => {
    await report([kept]);
    await decline();
    expect(await note(['y/new.webp'], [])).toBe('noted');
    expect(await paths()).toEqual([kept, 'y/new.webp']);
    expect(await take()).toEqual([loose]);
    expect(await note(['y/second.webp'], ['y/new.webp'])).toBe('noted');
    expect(await paths()).toEqual([kept, 'y/new.webp', 'y/second.webp']);
  });

  test('a claim that is sent while the old files are deleted names only files that stay', async () => {
    await report([loose]);
    await decline();
    await note([kept]);
    await arrive();
    await age();
    const late = await oneAfterTheOther(
      database,
      (first) => take(first),
      (second) => report([kept], order, second),
    );
    expect(late).toEqual([[kept], 'files_missing']);
    expect(await claims()).toMatchObject([{ files: [{ path: loose }] }]);
  });
});

describe('files of all orders together', () => {
  /** Announces a file of an order in a shop that may store 6 MB. */
  const announce = (
    id = order,
    path = `${String(id)}/${crypto.randomUUID()}`,
  ): Promise<unknown> => {
    const sql = `select public.note_claim_files($1, 'video', array[$2], null, 6000000)`;
    return outcomeOf(database.value(sql, id, path));
  };
  beforeEach(async () => {
    await database.run('delete from public.claim_files where true');
    await deliver();
  });

  test('have a limit, and the admin hears of it at 70 %', async () => {
    const alerts = () =>
      database.query(`select 1 from public.outbox where payload ->> 'topic' = 'claim_files_full'`);
    expect(await announce()).toBe('noted');
    expect(await alerts()).toHaveLength(0);
    // Two that have not arrived count as 4 MB each.
    expect(await announce()).toBe('full');
    expect(await alerts()).toHaveLength(1);
    await arrive();
    expect([await announce(order, 'x/b'), await announce(order, 'x/b')]).toEqual([
      'noted',
      'noted',
    ]);
  });

  test('that other orders announce and never send take no space from anybody', async () => {
    const others: number[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { id } = await database.buy([{ product_id: ring, quantity: 1 }]);
      await deliver(1, id);
      others.push(id);
      expect(await announce(id)).toBe('noted');
    }
    expect(await announce()).toBe('noted');
    // Only files that have arrived count.
    await database.query(
      'update public.claim_files set bytes = 6000000 where order_id = $1',
      others[0],
    );
    expect(await announce()).toBe('full');
  });
});
