import { expect, test } from 'vitest';
import { shippedMessage } from '#domain/admin/orders/contact-links.ts';
import {
  leftOutLines,
  leftOutOf,
  whyNot,
  type SeveralStep,
} from '#domain/admin/orders/several-orders.ts';
import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { shop } from '#settings/shop.ts';
import { eachRow } from '#tests/each-row.ts';
import { adminOrder } from './admin-order.ts';

const steps: readonly SeveralStep[] = ['slip', 'parcel', 'packed', 'shipped'];

test('of several orders each takes the steps that it can take alone, and says why not', () =>
  eachRow<[Partial<AdminOrder>, readonly (string | null)[]]>(
    [
      [{}, [null, null, null, null]],
      [{ fulfilment: 'packed' }, [null, null, 'is packed already', null]],
      [{ fulfilment: 'shipped' }, steps.map(() => 'was sent already')],
      // A sent parcel would be moved back.
      [{ fulfilment: 'delivered', sold: false }, steps.map(() => 'was sent already')],
      [{ fulfilment: 'cancelled' }, steps.map(() => 'is cancelled')],
      [{ fulfilment: 'unknown' }, steps.map(() => 'has an unknown state')],
      [{ sold: false, paymentStatus: 'PENDING' }, steps.map(() => 'is not paid')],
      [{ sold: false, paymentStatus: 'REFUNDED' }, steps.map(() => 'was refunded in full')],
      [
        { handedOver: true },
        [
          null,
          'is handed over in person, so it has no parcel',
          null,
          'is handed over in person, so it has no parcel',
        ],
      ],
    ],
    ([changes, reasons]) => {
      expect(steps.map((step) => whyNot(adminOrder(changes), step))).toEqual(reasons);
    },
  ));

test('orders that are left out for the same reason share a line', () => {
  const orders = [
    adminOrder({ id: 1003, fulfilment: 'cancelled' }),
    adminOrder({ id: 1004, sold: false, paymentStatus: 'PENDING' }),
    adminOrder({ id: 1005 }),
    adminOrder({ id: 1006, fulfilment: 'cancelled' }),
  ];
  expect(leftOutLines(leftOutOf(orders, 'packed'))).toEqual([
    '1003, 1006: is cancelled',
    '1004: is not paid',
  ]);
});

test('the message about a parcel has its number and link, as far as there are any', () => {
  const parcel = { carrier: 'DTDC', trackingNumber: 'D123', trackingUrl: 'https://dtdc.example/1' };
  expect(shippedMessage(adminOrder(parcel))).toBe(
    `Your order 1001 at ${shop.name} is on its way with DTDC, tracking number D123. Follow it here: https://dtdc.example/1`,
  );
  expect(shippedMessage(adminOrder({ ...parcel, trackingNumber: null, trackingUrl: null }))).toBe(
    `Your order 1001 at ${shop.name} is on its way with DTDC.`,
  );
});
