import { describe, expect, test } from 'vitest';
import { deletionOutcomes } from '#core/account/deletion-link.ts';
import { featureOutcomes } from '#core/catalogue/featured.ts';
import { insertOutcomes, savedSchema } from '#core/catalogue/products.ts';
import { rowOutcomes, severalOutcomes } from '#core/catalogue/several-products.ts';
import { endedByShop, releaseOutcomes } from '#core/checkout/orders.ts';
import { placedOutcomes } from '#core/checkout/place-order-answer.ts';
import { creditNoteOutcomes } from '#core/orders/documents/credit-notes.ts';
import { invoiceMailOutcomes, invoiceOutcomes } from '#core/orders/documents/invoices.ts';
import {
  cancelOutcomes,
  detailOutcomes,
  fulfilmentOutcomes,
  paymentRefundOutcomes,
  refundOutcomes,
} from '#core/orders/order-refusal.ts';
import { ownCancelOutcomes } from '#core/orders/own-cancel.ts';
import { recordDisputeOutcomes, recordRefundOutcomes } from '#core/payments/refunds.ts';
import { failedPaymentOutcomes } from '#core/payments/webhook-event.ts';
import { forgetOutcomes } from '#core/scheduled/forget.ts';
import { paymentProblems } from '#domain/admin/today.ts';
import { cashRefusals } from '#domain/sums/payment-way.ts';
import { discountRefusals } from '#domain/checkout/discount-refusal.ts';
import { orderRefusalSchema, waitReasons } from '#domain/checkout/order-outcome.ts';
import { markPaidOutcomes } from '#domain/checkout/payment-outcome.ts';
import { paymentReasons } from '#domain/orders/payment-reasons.ts';
import { findCalls } from '#tests/database/data-api/calls-in-sources.ts';
import { limitsOf } from '#tests/database/support/limits.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { SqlWords, type WordList } from '#tests/database/support/sql-words.ts';

/*
 * A word of SQL is a word of the compiler: each list of TypeScript has the words that its SQL function answers, no more and no
 * less, so that a word without a sentence does not compile.
 */
const database = await useDatabase();

const wordsOf = (schema: {
  def: { options: readonly { shape: { outcome: { def: { values: readonly string[] } } } }[] };
}): string[] => schema.def.options.flatMap(({ shape }) => shape.outcome.def.values);

// Only the admin's orders are `already` there.
const refusedOutcomes = wordsOf(orderRefusalSchema);
const placeOutcomes = [...placedOutcomes, ...refusedOutcomes];

const lists: readonly WordList[] = [
  { sql: 'public.mark_paid', words: markPaidOutcomes },
  { sql: 'public.place_order', words: placeOutcomes.filter((word) => word !== 'already') },
  {
    sql: 'public.place_order',
    words: waitReasons,
    read: (sql) => sql.of('public.place_order', { key: 'reason', outcome: 'wait' }),
  },
  { sql: 'public.place_admin_order', words: placeOutcomes },
  { sql: 'private.cash_refusal', words: cashRefusals.filter((word) => word !== 'last_unit') },
  {
    sql: 'private.last_unit_refusal',
    words: cashRefusals.filter((word) => word === 'last_unit'),
  },
  {
    sql: 'private.discount_refusal',
    words: discountRefusals,
    read: (sql) => sql.of('private.discount_refusal', { key: 'reason' }),
  },
  { sql: 'public.release_order', words: releaseOutcomes },
  { sql: 'public.set_fulfilment', words: fulfilmentOutcomes },
  { sql: 'public.cancel_order', words: cancelOutcomes },
  { sql: 'public.cancel_own_order', words: ownCancelOutcomes },
  { sql: 'public.change_order_details', words: detailOutcomes },
  { sql: 'public.request_refund', words: refundOutcomes },
  { sql: 'public.refund_payment', words: paymentRefundOutcomes },
  { sql: 'public.assign_invoice', words: invoiceOutcomes },
  { sql: 'public.mail_invoice', words: invoiceMailOutcomes },
  { sql: 'public.issue_credit_note', words: creditNoteOutcomes },
  { sql: 'public.note_failed_payment', words: failedPaymentOutcomes },
  { sql: 'public.record_refund', words: recordRefundOutcomes },
  { sql: 'public.record_dispute', words: recordDisputeOutcomes },
  { sql: 'private.payment_problems', words: paymentProblems },
  { sql: 'public.insert_product', words: insertOutcomes },
  { sql: 'public.save_product', words: wordsOf(savedSchema) },
  { sql: 'public.save_products', words: severalOutcomes },
  {
    sql: 'public.save_products',
    words: [...rowOutcomes, 'created', 'exists', 'saved'],
    read: (sql) => sql.ofVariable('public.save_products', 'v_answer'),
  },
  { sql: 'public.feature_products', words: featureOutcomes },
  { sql: 'public.ask_account_deletion', words: deletionOutcomes },
  { sql: 'public.forget', words: forgetOutcomes },
  // Those of features: each `tests/features/NAME/sql-words.ts`.
  ...Object.values(
    import.meta.glob<readonly WordList[]>('../../features/*/sql-words.ts', {
      eager: true,
      import: 'wordLists',
    }),
  ).flat(),
];

const inDatabase = (sql: SqlWords, { sql: name, read }: WordList): string[] =>
  read?.(sql) ?? sql.of(name);

describe('the words of SQL', () => {
  test.each(lists)('$sql has those that the sources list: $words', async (list) => {
    expect(inDatabase(await SqlWords.read(database), list)).toEqual([...list.words].sort());
  });

  test('every function that the sources call and that answers an outcome has a list', async () => {
    const sql = await SqlWords.read(database);
    const called = findCalls().flatMap((call) =>
      call.startsWith('rpc ') ? [`public.${call.slice(4)}`] : [],
    );
    const answering = called.filter((name) => sql.of(name).length > 0);
    expect(answering.length).toBeGreaterThan(25);
    const listed = new Set(lists.map(({ sql: name }) => name));
    expect(answering.filter((name) => !listed.has(name))).toEqual([
      // Its order id counts, whoever stored it.
      'public.attach_razorpay_order',
    ]);
  });

  /** The lists that differ while a function's text has `to` in place of `from`. */
  async function differing(name: string, from: string, to: string): Promise<string[]> {
    const definition = await database.value<string>(
      'select pg_get_functiondef($1::regproc) as text',
      name,
    );
    expect(definition).toContain(from);
    await database.run('begin');
    try {
      await database.run(definition.replace(from, to));
      const sql = await SqlWords.read(database);
      return lists.flatMap((list) => {
        const found = inDatabase(sql, list).filter((word) => !list.words.includes(word));
        return found.length === 0 ? [] : [`${list.sql} ${found.join(' ')}`];
      });
    } finally {
      await database.run('rollback');
    }
  }

  test.each([
    [
      'in an answer',
      'public.set_fulfilment',
      "return jsonb_build_object('outcome', 'changed')",
      "return jsonb_build_object('outcome', case when v_from = v_to then 'changed' else 'meteorite' end)",
      ['public.set_fulfilment', 'public.ship_orders'],
    ],
    [
      'of a function that others call',
      'private.limit_hold',
      "'outcome', 'wait', 'reason', 'network'",
      "'outcome', 'meteorite', 'reason', 'network'",
      ['public.place_order', 'public.place_admin_order'],
    ],
    [
      'in a query',
      'private.payment_problems',
      "select 'dispute',",
      "select 'meteorite',",
      ['private.payment_problems'],
    ],
    [
      'in a variable',
      'public.feature_products',
      "v_outcome := 'missing'",
      "v_outcome := 'meteorite'",
      ['public.feature_products'],
    ],
  ])('a new word %s is found', async (_where, name, from, to, found) => {
    expect(await differing(name, from, to)).toEqual(found.map((list) => `${list} meteorite`));
  });
});

describe('why a payment cannot be used', () => {
  const reasons = async (): Promise<string[]> =>
    (await SqlWords.read(database)).ofColumn('public.payments', 'reason');

  test('is one of the reasons that history and mails have sentences for', async () => {
    expect(await reasons()).toEqual([...paymentReasons].sort());
  });

  test('a reason that SQL adds is found, also behind another function', async () => {
    const definition = await database.value<string>(
      `select pg_get_functiondef('private.late_refusal'::regproc) as text`,
    );
    await database.run('begin');
    await database.run(definition.replace("return 'not_sold'", "return 'meteorite'"));
    const found = await reasons();
    await database.run('rollback');
    expect(found.filter((reason) => !paymentReasons.some((known) => known === reason))).toEqual([
      'meteorite',
    ]);
  });

  test('either ends its order unpaid, or leaves it as it is', async () => {
    const { definitionOf } = limitsOf(database);
    const unusable = (await definitionOf('is_unusable_payment')).match(/'[a-z_]+'/gu) ?? [];
    expect(unusable.length).toBeGreaterThan(0);
    // These payments are of an order that is paid already, of another amount, of no order, or wait for the admin.
    const leaves = [
      'second_payment',
      'amount_mismatch',
      'unknown_order',
      'origin_unknown',
      'duplicate_purchase',
      'refund_waits',
    ];
    expect([...unusable.map((word) => word.slice(1, -1)), ...leaves].sort()).toEqual(
      [...paymentReasons].sort(),
    );
  });
});

test('SQL knows by the same words that the shop ended an unpaid order', async () => {
  const source = await limitsOf(database).definitionOf('release_order');
  const [, list = ''] = /when p_reason in \(([^)]+)\) then 'shop'/u.exec(source) ?? [];
  expect(list.match(/[a-z_]+/gu)?.sort()).toEqual([...endedByShop].sort());
});
