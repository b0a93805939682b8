import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { findFiles } from '#tests/find-files.ts';

/*
 * A state of an order answers questions in one place, private.order_answers. Whoever asks for itself forgets the next state: cash orders
 * that were reserved counted as nobody's stock, and a free replacement as a purchase.
 */

/** The functions that move an order from state to state, with guards of their own, and the table that they move. */
const transitions = new Set([
  'orders.sql',
  'order-states.sql',
  'cart.sql',
  'place-cart.sql',
  'place-order.sql',
  'payments.sql',
  'mark-paid.sql',
  'unknown-payments.sql',
  'failed-payments.sql',
  'unpaid-orders.sql',
  'refunds.sql',
  'send-refunds.sql',
  'admin-refunds.sql',
  'reconciliation.sql',
  'fulfilment.sql',
  'holds.sql',
  'stock.sql',
  'cash-on-delivery.sql',
  'restore.sql',
]);

/** Lines that ask all the same, each with its reason. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // The predicates of partial indexes, without which the table is read whole.
  'cart-mail.sql': [
    `where hold_state = 'released' and cart_mailed_at is null`,
    `where o.hold_state = 'released' and o.cart_mailed_at is null`,
  ],
  'admin-reads.sql': [`hold_state = 'held' and hold_expires_at > clock_timestamp()`],
  'costs.sql': [`o.cash_paise > 0 and o.status = 'PENDING'`],
  // The same orders as end_unconfirmed_orders and orders_to_check, which it says are due.
  'sweep.sql': [
    `o.hold_state = 'reserved' and o.hold_expires_at <= v_now`,
    `o.status in ('PENDING', 'FAILED') and o.payment_status in ('PENDING', 'FAILED')`,
  ],
  // An order that a claim makes is complete from the start.
  'claims.sql': ['fee_bps, status, payment_status, payment_method, hold_state'],
};
/** Facts that are passed on as they are, and columns of a view that release 1.0.0 has: no condition. */
const passedOn = /'\w+', o\.\w+|^ {2}o\.\w+(?:, o\.\w+)*,?$|^\s+select id, customer_name/u;

const asks =
  /\b(?:hold_state|is_test)\b|(?:\bo|order)\.(?:sold|paid)\b|\b(?:payment_)?status\s*(?:=|<>|in\b)/u;

const withoutComments = (sql: string): string => sql.replaceAll(/--[^\n]*/gu, '');

test('no SQL but the functions that move an order asks for its state by itself', () => {
  const files = findFiles(['supabase/schemas/**/*.sql']);
  const reading = files.filter((path) => !transitions.has(basename(path)));
  const found = (paths: readonly string[]) =>
    paths.flatMap((path) =>
      withoutComments(readFileSync(path, 'utf8'))
        .split('\n')
        .filter((line) => asks.test(line) && !passedOn.test(line))
        .map((line) => ({ file: basename(path), line: line.trim() })),
    );
  // The pattern finds what it looks for.
  expect(found(files.filter((path) => transitions.has(basename(path)))).length).toBeGreaterThan(50);
  const used = new Set<string>();
  const others = found(reading).filter(({ file, line }) => {
    const exception = exceptions[file]?.find((part) => line.includes(part));
    if (exception !== undefined) used.add(exception);
    return exception === undefined;
  });
  expect(others).toEqual([]);
  expect([...used].toSorted()).toEqual(Object.values(exceptions).flat().toSorted());
});

test('no page and no mail asks for the stock of an order: it asks the answers', () => {
  const files = findFiles(['{src,netlify}/**/*.{ts,tsx,astro}']);
  expect(files.length).toBeGreaterThan(500);
  const asking = files.filter((path) =>
    /\bholdState\b|\bhold_state\b/u.test(readFileSync(path, 'utf8')),
  );
  expect(asking.toSorted()).toEqual([
    // What a payment may still do to an order.
    'netlify/core/checkout/confirm-checkout.ts',
    'netlify/core/checkout/orders.ts',
    'netlify/core/payments/confirm-payment.ts',
  ]);
});
