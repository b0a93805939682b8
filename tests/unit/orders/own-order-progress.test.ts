import { describe, expect, test } from 'vitest';
import { eachRow } from '../../each-row.ts';
import { ownOrderFromRow } from '../../../src/domain/orders/own-order.ts';
import {
  askLinks,
  cancelChoice,
  progressOf,
  unpaidState,
} from '../../../src/domain/orders/own-order-progress.ts';
import { row } from './order-row.ts';

const order = (changes: Record<string, unknown> = {}) =>
  ownOrderFromRow(
    row({
      user_id: 'a',
      hold_state: 'taken',
      paid_at: '2026-11-20T06:00:00Z',
      payment_method: 'upi',
      fulfilment: 'new',
      ...changes,
    }),
  );
const now = Date.parse('2026-11-23T06:00:00Z');
const held = {
  payment_status: 'PENDING',
  payment_id: null,
  paid_at: null,
  hold_state: 'held',
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

test('an order that goes nowhere shows no steps', () => {
  for (const changes of [
    held,
    { fulfilment: 'cancelled' },
    { hand_over: true },
    { payment_status: 'REFUNDED' },
  ])
    expect(progressOf(order(changes))).toBeNull();
  expect(progressOf(order({ payment_status: 'PARTIALLY_REFUNDED' }))).not.toBeNull();
});

describe('an unpaid order', () => {
  test('can be paid while it is held', () => {
    expect(unpaidState(order(held), now)).toEqual({
      kind: 'held',
      until: '2026-11-23T06:17:00Z',
      payable: true,
    });
    expect(unpaidState(order({ ...held, user_id: null }), now)).toMatchObject({ payable: false });
  });

  test('has ended once its hold has', () => {
    const ended = { kind: 'ended' };
    expect(unpaidState(order({ ...held, hold_expires_at: '2026-11-23T05:59:00Z' }), now)).toEqual(
      ended,
    );
    expect(unpaidState(order({ ...held, hold_state: 'released' }), now)).toEqual(ended);
    const failed = { ...held, hold_state: 'released', payment_status: 'FAILED' };
    expect(unpaidState(order(failed), now)).toEqual(ended);
  });

  test('is not what a paid, refunded, cancelled or imported order is', () => {
    for (const changes of [
      {},
      { ...held, hold_state: 'released', payment_status: 'REFUND_DUE' },
      { ...held, hold_state: 'released', fulfilment: 'cancelled' },
      { ...held, hold_state: null },
    ])
      expect(unpaidState(order(changes), now)).toBeNull();
  });
});

describe('cancelling', () => {
  test('is the customer’s own until the order is packed, then a question to the shop', () =>
    eachRow(
      [
        [{}, 'cancel'],
        [{ payment_status: 'PARTIALLY_REFUNDED' }, 'cancel'],
        [{ fulfilment: 'packed' }, 'ask'],
        [{ payment_id: 'hand_1' }, 'ask'],
        [{ hold_state: null }, 'ask'],
        [{ fulfilment: 'shipped' }, null],
        [{ fulfilment: 'cancelled' }, null],
        [{ hand_over: true }, null],
        [{ payment_status: 'REFUNDED' }, null],
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
