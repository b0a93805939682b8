import { describe, expect, test } from 'vitest';
import { eachRow } from '#tests/each-row.ts';
import { ownOrderFromRow } from '#domain/orders/own-order.ts';
import {
  askLinks,
  cancelChoice,
  ownStatus,
  progressOf,
  stateWord,
  unpaidState,
} from '#domain/orders/own-order-progress.ts';
import { row } from './order-row.ts';
import { fulfilmentBadge, orderActions } from '#domain/admin/orders/order-labels.ts';
import { stepTakenAt } from '#domain/orders/order-delivery.ts';
import { orderFromRow } from '#domain/orders/order.ts';
import { promisedDelivery } from '#domain/orders/promised-delivery.ts';
import { adminOrder } from '#tests/unit/admin/admin-order.ts';

const order = (changes: Record<string, unknown> = {}) =>
  ownOrderFromRow(
    row({
      user_id: 'a',
      state: 'paid',
      kind: 'now',
      paid_at: '2026-11-20T06:00:00Z',
      payment_method: 'upi',
      fulfilment: 'new',
      ...changes,
    }),
  );
const now = Date.parse('2026-11-23T06:00:00Z');
const held = {
  state: 'open',
  payment_status: 'PENDING',
  payment_id: null,
  paid_at: null,
  hold_expires_at: '2026-11-23T06:17:00Z',
};

test('a paid order shows how far it is, with the day of each step', () => {
  expect(progressOf(order({ fulfilment: 'shipped', shipped_at: '2026-11-21T06:00:00Z' }))).toEqual([
    { name: 'Paid', isDone: true, at: '2026-11-20T06:00:00Z' },
    { name: 'Packed', isDone: true, at: null },
    { name: 'Shipped', isDone: true, at: '2026-11-21T06:00:00Z' },
    { name: 'Delivered', isDone: false, at: null },
  ]);
});

test('one word stands beside the badge, and never the one that the badge has', () =>
  eachRow(
    [
      [{}, 'Being packed'],
      [{ fulfilment: 'packed' }, 'Packed'],
      [{ fulfilment: 'shipped' }, 'Shipped'],
      [{ fulfilment: 'delivered' }, 'Delivered'],
      [{ state: 'cancelled_paid', payment_status: 'REFUNDED', fulfilment: 'cancelled' }, ''],
      [{ payment_status: 'PARTIALLY_REFUNDED' }, 'A part of the amount was refunded'],
      [{ payment_status: 'REFUND_DUE', fulfilment: 'cancelled' }, 'Your refund is on its way'],
      [{ hand_over: true }, ''],
      [held, ''],
    ] as const,
    ([changes, word]) => {
      const own = order(changes);
      expect(stateWord(own)).toBe(word);
      expect(stateWord(own).toLowerCase()).not.toBe(ownStatus(own).label.toLowerCase());
    },
  ));

test('a parcel that was sent later than promised is expected from the day on which it was sent', () => {
  const days = (changes: Record<string, unknown>) => promisedDelivery(order(changes));
  const promised = days({});
  const sent = (shipped_at: string) => days({ fulfilment: 'shipped', shipped_at });
  expect(sent('2026-11-21T06:00:00Z')).toEqual(promised);
  const late = sent('2026-12-10T06:00:00Z');
  expect(late?.first).toBeGreaterThan(Date.parse('2026-12-10'));
  expect(late?.last).toBeGreaterThan(promised?.last ?? Infinity);
});

test('an order that goes nowhere shows no steps', () => {
  for (const changes of [
    held,
    { fulfilment: 'cancelled' },
    { hand_over: true },
    { state: 'refunded', payment_status: 'REFUNDED' },
  ])
    expect(progressOf(order(changes))).toBeNull();
  expect(progressOf(order({ payment_status: 'PARTIALLY_REFUNDED' }))).not.toBeNull();
});

test('an unpaid order can be paid by its account while it is held, and has ended after that; any other order is none', () => {
  const payable = { kind: 'held', until: '2026-11-23T06:17:00Z', payable: true };
  const ended = { kind: 'ended' };
  const released = { ...held, state: 'left' };
  return eachRow(
    [
      [held, payable],
      [
        { ...held, user_id: null },
        { ...payable, payable: false },
      ],
      [{ ...held, hold_expires_at: '2026-11-23T05:59:00Z' }, ended],
      [released, ended],
      [{ ...released, state: 'ended', payment_status: 'FAILED' }, ended],
      [{}, null],
      [{ ...released, state: 'owed', payment_status: 'REFUND_DUE' }, null],
      [{ ...released, state: 'cancelled', fulfilment: 'cancelled' }, null],
      [{ ...held, state: null }, null],
      [{ ...held, state: 'ended', kind: 'imported' }, null],
    ],
    ([changes, state]) => {
      expect(unpaidState(order(changes), now)).toEqual(state);
    },
  );
});

describe('cancelling', () => {
  test('is the customer’s own until the order is packed, then a question to the shop', () =>
    eachRow(
      [
        [{}, 'cancel'],
        [{ payment_status: 'PARTIALLY_REFUNDED' }, 'cancel'],
        [{ fulfilment: 'packed' }, 'ask'],
        [{ kind: 'hand' }, 'ask'],
        [{ kind: 'imported' }, 'ask'],
        // The shop's own gift: a press of its customer was always refused.
        [{ kind: 'replacement' }, 'ask'],
        [{ kind: 'test' }, 'cancel'],
        [{ fulfilment: 'shipped' }, null],
        [{ fulfilment: 'cancelled' }, null],
        [{ hand_over: true }, null],
        [{ state: 'refunded', payment_status: 'REFUNDED' }, null],
        [held, null],
      ],
      ([changes, choice]) => {
        expect(cancelChoice(order(changes))).toBe(choice);
      },
    ));

  test('a question carries the order’s number', () => {
    expect(askLinks({ id: '1001', isTest: false }, 'Please cancel').whatsapp).toContain(
      '?text=Order%20%231001%3A%20Please%20cancel',
    );
    expect(askLinks({ id: '1001', isTest: false }).mail).toContain('?subject=Order%20%231001');
  });
});

const shipped = {
  id: 1,
  fulfilment: 'shipped',
  carrier: 'DTDC',
  tracking_number: 'D1234567',
  tracking_url: 'https://dtdc.example/D1234567',
  packed_at: '2026-11-20T10:00:00Z',
  shipped_at: '2026-11-21T10:00:00Z',
  payment_status: 'PARTIALLY_REFUNDED',
};

test('a row says where the order is', () => {
  const { delivery, refund } = orderFromRow(shipped);
  expect(delivery).toEqual({
    fulfilment: 'shipped',
    carrier: 'DTDC',
    trackingNumber: 'D1234567',
    trackingUrl: 'https://dtdc.example/D1234567',
    packedAt: '2026-11-20T10:00:00Z',
    shippedAt: '2026-11-21T10:00:00Z',
    deliveredAt: null,
    cancelledAt: null,
    invoiceNumber: null,
  });
  expect(stepTakenAt(delivery)).toBe('2026-11-21T10:00:00Z');
  expect(refund).toBe('part');
});

test('an order in a state that this build does not know is never new, to pack, to send or to cancel', () =>
  eachRow(['returned', 'NEW', '', 5, null, undefined], (fulfilment) => {
    const changes = { ...shipped, paid: true, payment_status: 'COMPLETED', fulfilment };
    const order = orderFromRow(changes);
    expect(order.delivery.fulfilment).toBe('unknown');
    expect(stepTakenAt(order.delivery)).toBeNull();
    expect([progressOf(order), promisedDelivery(order)]).toEqual([null, null]);
    const listed = adminOrder({ fulfilment: order.delivery.fulfilment });
    expect(fulfilmentBadge(listed)).toEqual({ label: 'Unknown state', tone: 'grey' });
    expect(orderActions(listed)).toMatchObject({ forward: [], back: null, cancel: false });
    const own = ownOrderFromRow({
      ...changes,
      state: 'paid',
      kind: 'now',
      paid_at: '2026-11-20T09:00:00Z',
    });
    expect([cancelChoice(own), unpaidState(own, 0)]).toEqual([null, null]);
  }));

test('an order in a state that this build does not know says nothing about an unpaid order', () => {
  const own = { id: 1, payment_status: 'PENDING', fulfilment: 'new', kind: 'now' };
  expect(unpaidState(ownOrderFromRow({ ...own, state: 'left' }), 0)).toEqual({
    kind: 'ended',
  });
  expect(unpaidState(ownOrderFromRow({ ...own, state: 'parked' }), 0)).toBeNull();
});

test('only an https address is a link to a parcel', () =>
  eachRow(
    ['http://dtdc.example/1', 'javascript:alert(1)', 'https://', 'https://dtdc.example/ 1', null],
    (tracking_url) => {
      expect(orderFromRow({ ...shipped, tracking_url }).delivery.trackingUrl).toBeNull();
    },
  ));
