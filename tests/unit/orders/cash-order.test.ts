import { advanceOf } from '#domain/sums/payment-way.ts';
import { expect, test } from 'vitest';
import { orderActions, paymentBadge } from '#domain/admin/orders/order-labels.ts';
import { orderTimeline } from '#domain/admin/orders/order-timeline.ts';
import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { ownOrderFromRow, type OwnOrder } from '#domain/orders/own-order.ts';
import { cashNote, ownStatus, progressOf, unpaidState } from '#domain/orders/own-order-progress.ts';
import { promisedDelivery } from '#domain/orders/promised-delivery.ts';
import { eachRow } from '#tests/each-row.ts';
import { adminOrder } from '#tests/unit/admin/admin-order.ts';
import { row } from './order-row.ts';

/** An order of ₹1,023.60 that is paid at the door; `advance` in paise. */
const order = (changes: Record<string, unknown> = {}, advance = 0): OwnOrder =>
  ownOrderFromRow(
    row({
      user_id: 'a',
      payment_status: 'PENDING',
      payment_id: null,
      paid_at: null,
      cash_paise: 102_360 - advance,
      cash_charge_paise: 5_000,
      advance_payment_id: advance === 0 ? null : 'pay_2',
      state: 'to_confirm',
      kind: advance === 0 ? 'door' : 'door_advance',
      hold_expires_at: '2026-11-24T06:00:00Z',
      ...changes,
    }),
  );
const confirmed = { state: 'due', cash_confirmed_at: '2026-11-23T06:00:00Z' };
const ended = { state: 'ended', status: 'FAILED', payment_status: 'FAILED' };
const over = { fulfilment: 'cancelled', cancelled_at: '2026-11-25T06:00:00Z' };
const cancelled = { ...ended, ...over, state: 'cancelled' };
const refused = {
  ...ended,
  ...over,
  ...confirmed,
  state: 'refused',
  shipped_at: '2026-11-24T06:00:00Z',
};

test('the customer reads how the order stands, and never that a payment is late or has failed', () =>
  eachRow<[OwnOrder, string, string | null]>(
    [
      [order(), 'To be confirmed', 'to confirm this order by'],
      [order(confirmed), 'Cash on delivery', '₹1,023.60 in cash ready'],
      [order(confirmed, 20_000), 'Cash on delivery', '₹823.60 in cash ready'],
      [order(ended), 'Ended', 'could not confirm this order with you in time'],
      [order(ended, 20_000), 'Ended', 'could not confirm this order with you in time'],
      [order(cancelled), 'Ended', null],
      [order(refused), 'Ended', 'was not paid at the door, so it came back to us.'],
      [order(refused, 20_000), 'Ended', 'The advance is not returned'],
      [order({ ...refused, state: 'written_off' }), 'Ended', 'so it came back to us.'],
      [
        order({ ...confirmed, state: 'paid', payment_status: 'COMPLETED', payment_id: 'hand_1' }),
        'COMPLETED',
        null,
      ],
    ],
    ([own, status, note]) => {
      expect(ownStatus(own).label).toBe(status);
      if (note === null) expect(cashNote(own)).toBeNull();
      else expect(cashNote(own)).toContain(note);
      expect(unpaidState(own, 0)).toBeNull();
    },
  ));

test('an advance that is not paid is an unpaid order like any other', () => {
  const open = order({ state: 'open', advance_payment_id: null }, 20_000);
  expect([ownStatus(open).label, cashNote(open)]).toEqual(['PENDING', null]);
  expect(unpaidState(open, 0)).toMatchObject({ kind: 'held', payable: true });
  const unpaid = order({ ...ended, advance_payment_id: null }, 20_000);
  expect(cashNote(unpaid)).toBeNull();
  expect(unpaidState(unpaid, 0)).toEqual({ kind: 'ended' });
});

test('its days are counted from the shop’s word, also once the cash has come; before it from the first to the last moment of that word', () => {
  const { first, last } = promisedDelivery(order(confirmed)) ?? { first: 0, last: 0 };
  expect(first).toBeGreaterThan(Date.parse('2026-11-23T00:00:00Z'));
  const paid = { payment_status: 'COMPLETED', payment_id: 'hand_1', paid_at: '2026-12-20T06:00Z' };
  expect(promisedDelivery(order({ ...confirmed, ...paid }))).toEqual({ first, last });
  const reserved = order({ created_at: '2026-11-23T06:00:00Z' });
  const waiting = promisedDelivery(reserved);
  expect(waiting?.first).toBe(first);
  // The shop has until the next day.
  expect(waiting?.last).toBeGreaterThan(last);
  for (const over of [ended, cancelled, refused]) expect(promisedDelivery(order(over))).toBeNull();
  expect(progressOf(order(confirmed))?.[0]).toEqual({
    name: 'Confirmed',
    isDone: true,
    at: '2026-11-23T06:00:00Z',
  });
});

test('the owner reads that it has ended, or that its advance went back, and cannot cancel it again', () => {
  const listed = (changes: Partial<AdminOrder>): AdminOrder =>
    adminOrder({
      status: 'FAILED',
      paymentStatus: 'FAILED',
      sold: false,
      refundablePaise: 0,
      cash: {
        due: 102_360,
        charge: 5_000,
        rounding: 0,
        state: 'ended',
        advancePaymentId: null,
        until: null,
        confirmedAt: '2026-11-23T06:00:00Z',
      },
      ...changes,
    });
  const over = listed({});
  expect(paymentBadge(over)).toEqual({ label: 'Ended', tone: 'grey' });
  expect(orderActions(over).cancel).toBe(false);
  expect(orderTimeline(over).map(({ title }) => title)).toContain('Confirmed');
  expect(paymentBadge(listed({ paymentStatus: 'REFUNDED', refundedPaise: 20_000 })).label).toBe(
    'Refunded',
  );
  expect(paymentBadge(listed({ paymentStatus: 'REFUND_DUE' })).label).toBe('Refund due');
});

test('an advance is a rupee at least, which is the least that Razorpay takes, and leaves as much for the door', () => {
  expect([
    advanceOf(2_000, { advance: { percent: 1 } }),
    advanceOf(200, { advance: { amount: 1 } }),
    advanceOf(10_000, { advance: { amount: 10_000 } }),
    advanceOf(10_000, {}),
  ]).toEqual([100, 100, 9_900, 0]);
});
