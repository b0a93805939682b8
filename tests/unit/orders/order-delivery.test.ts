import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stepTakenAt } from '../../../src/domain/orders/order-delivery.ts';
import { orderFromRow } from '../../../src/domain/orders/order.ts';
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

test('a row without these columns, or with anything in them, is new', () => {
  expect(orderFromRow({ id: 1 }).delivery.fulfilment).toBe('new');
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom(...Object.keys(shipped).filter((column) => column !== 'id')),
        fc.anything({ maxDepth: 1 }),
      ),
      (row) => {
        const { delivery } = orderFromRow({ ...row, id: 1 });
        expect(typeof delivery.fulfilment).toBe('string');
      },
    ),
  );
});

test('only an https address is a link to a parcel', () =>
  eachRow(
    ['http://dtdc.example/1', 'javascript:alert(1)', 'https://', '', 5, null],
    (tracking_url) => {
      expect(orderFromRow({ ...shipped, tracking_url }).delivery.trackingUrl).toBeNull();
    },
  ));
