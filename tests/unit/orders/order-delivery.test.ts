import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliveryFromRow } from '../../../src/domain/orders/order-delivery.ts';
import { eachRow } from '../../each-row.ts';

const shipped = {
  ...{ fulfilment: 'shipped', carrier: 'DTDC', tracking_number: 'D1234567', tracking_url: 'https://dtdc.example/D1234567' },
  ...{ packed_at: '2026-11-20T10:00:00Z', shipped_at: '2026-11-21T10:00:00Z', payment_status: 'PARTIALLY_REFUNDED' },
};

test('a row says where the order is', () => {
  expect(deliveryFromRow(shipped)).toEqual({
    ...{ fulfilment: 'shipped', carrier: 'DTDC', trackingNumber: 'D1234567' },
    ...{ trackingUrl: 'https://dtdc.example/D1234567', at: '2026-11-21T10:00:00Z', invoiceNumber: null, refund: 'part' },
  });
});

test('a row without these columns, or with anything in them, is new', () => {
  expect(deliveryFromRow({ id: 1 }).fulfilment).toBe('new');
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(shipped)), fc.anything({ maxDepth: 1 })), (row) => {
      const delivery = deliveryFromRow(row);
      expect(typeof delivery.fulfilment).toBe('string');
    }),
  );
});

test('only an https address is a link to a parcel', () =>
  eachRow(['http://dtdc.example/1', 'javascript:alert(1)', 'https://', '', 5, null], (tracking_url) => {
    expect(deliveryFromRow({ ...shipped, tracking_url }).trackingUrl).toBeNull();
  }),
);
