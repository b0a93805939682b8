import { expect, test } from 'vitest';
import { fulfilmentBadge, orderActions } from '../../../src/domain/admin/orders/order-labels.ts';
import { stepTakenAt } from '../../../src/domain/orders/order-delivery.ts';
import { orderFromRow } from '../../../src/domain/orders/order.ts';
import {
  cancelChoice,
  progressOf,
  unpaidState,
} from '../../../src/domain/orders/own-order-progress.ts';
import { ownOrderFromRow } from '../../../src/domain/orders/own-order.ts';
import { promisedDelivery } from '../../../src/domain/orders/promised-delivery.ts';
import { adminOrder } from '../admin/admin-order.ts';
import { eachRow } from '../../each-row.ts';

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
      hold_state: 'taken',
      paid_at: '2026-11-20T09:00:00Z',
    });
    expect([cancelChoice(own), unpaidState(own, 0)]).toEqual([null, null]);
  }));

test('a hold in a state that this build does not know says nothing about an unpaid order', () => {
  const own = { id: 1, payment_status: 'PENDING', fulfilment: 'new' };
  expect(unpaidState(ownOrderFromRow({ ...own, hold_state: 'released' }), 0)).toEqual({
    kind: 'ended',
  });
  expect(unpaidState(ownOrderFromRow({ ...own, hold_state: 'parked' }), 0)).toBeNull();
});

test('only an https address is a link to a parcel', () =>
  eachRow(
    ['http://dtdc.example/1', 'javascript:alert(1)', 'https://', 'https://dtdc.example/ 1', null],
    (tracking_url) => {
      expect(orderFromRow({ ...shipped, tracking_url }).delivery.trackingUrl).toBeNull();
    },
  ));
