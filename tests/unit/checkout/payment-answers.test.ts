import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  PaymentError,
  readCreatedOrder,
  readError,
  readVerified,
} from '../../../src/domain/checkout/payment.ts';
import { eachRow } from '../../each-row.ts';

describe('the answer to create-order', () => {
  test('the answer to create-order of this shop is read whole', () => {
    expect(
      readCreatedOrder({
        order: { id: 'ABC-1001-abcdef', number: 1001 },
        order_id: 'order_1',
        payment: { orderId: 'order_1', key: 'rzp_1', currency: 'INR', amount: 102_360 },
        hold_expires_at: '2026-11-20T10:15:00Z',
        message: 'Order created',
      }),
    ).toEqual({
      orderId: 'order_1',
      key: 'rzp_1',
      currency: 'INR',
      amount: 102_360,
      reference: 'ABC-1001-abcdef',
      holdUntil: Date.parse('2026-11-20T10:15:00Z'),
    });
  });

  test('carries the order id in any of the known fields', () =>
    eachRow<[string, unknown]>(
      [
        ['payment.orderId', { payment: { orderId: 'order_1' } }],
        ['order_id', { order_id: 'order_1' }],
        ['id', { id: 'order_1' }],
        ['orderId', { orderId: 'order_1' }],
        ['razorpay_order_id', { razorpay_order_id: 'order_1' }],
        ['data.order_id', { data: { order_id: 'order_1' } }],
        ['data.id', { data: { id: 'order_1' } }],
        ['data.orderId', { data: { orderId: 'order_1' } }],
        ['data.razorpay_order_id', { data: { razorpay_order_id: 'order_1' } }],
        ['data.payment.orderId', { data: { payment: { orderId: 'order_1' } } }],
        ['order.order_id', { order: { order_id: 'order_1' } }],
        ['order.id', { order: { id: 'order_1' } }],
        ['order.orderId', { order: { orderId: 'order_1' } }],
        ['order.razorpay_order_id', { order: { razorpay_order_id: 'order_1' } }],
        ['data.order.id', { data: { order: { id: 'order_1' } } }],
        ['an empty field before it', { order_id: '', id: null, orderId: 'order_1' }],
      ],
      ([, answer]) => {
        expect(readCreatedOrder(answer).orderId).toBe('order_1');
      },
    ));

  test.each<[string, unknown]>([
    [
      'payment.orderId before all',
      { payment: { orderId: 'first' }, order_id: 'x', id: 'x', order: { id: 'x' } },
    ],
    ['order_id before id', { order_id: 'first', id: 'x', orderId: 'x' }],
    ['id before orderId', { id: 'first', orderId: 'x', razorpay_order_id: 'x' }],
    [
      'the top before what is nested',
      { razorpay_order_id: 'first', data: { id: 'x' }, order: { id: 'x' } },
    ],
    [
      'the name of the provider before the id of the shop',
      { order: { id: 'x', razorpay_order_id: 'first' } },
    ],
  ])('with several ids, the order is %s', (_which, answer) => {
    expect(readCreatedOrder(answer).orderId).toBe('first');
  });

  test('carries the key in any of the known fields, that of the payment first', () =>
    eachRow<[string, unknown]>(
      [
        ['payment.key', { payment: { key: 'k' }, key_id: 'x', keyId: 'x', key: 'x' }],
        ['key_id', { key_id: 'k', keyId: 'x', key: 'x' }],
        ['keyId', { keyId: 'k', key: 'x' }],
        ['key', { key: 'k' }],
      ],
      ([, answer]) => {
        expect(readCreatedOrder({ order_id: 'order_1', ...(answer as object) }).key).toBe('k');
      },
    ));

  test('carries the currency in any of the known fields, that of the payment first', () =>
    eachRow<[string, unknown]>(
      [
        [
          'payment.currency',
          { payment: { currency: 'USD' }, currency: 'x', data: { currency: 'x' } },
        ],
        ['currency', { currency: 'USD', data: { currency: 'x' } }],
        ['data.currency', { data: { currency: 'USD' } }],
      ],
      ([, answer]) => {
        expect(readCreatedOrder({ order_id: 'order_1', ...(answer as object) }).currency).toBe(
          'USD',
        );
      },
    ));

  test('gives the transaction id as text, or none', () =>
    eachRow<[unknown, string | null]>(
      [
        [{ order: { id: 'ABC-1' } }, 'ABC-1'],
        [{ order: { id: 1001 } }, '1001'],
        [{ data: { order: { id: 'ABC-2' } } }, 'ABC-2'],
        [{ order: { id: {} } }, null],
        [{}, null],
      ],
      ([answer, id]) => {
        expect(readCreatedOrder({ order_id: 'order_1', ...(answer as object) }).reference).toBe(id);
      },
    ));

  test('without key, currency or amount leaves them open', () => {
    expect(readCreatedOrder({ order_id: 'order_1', key: 5, amount: '100' })).toEqual({
      orderId: 'order_1',
      key: null,
      currency: undefined,
      amount: null,
      reference: null,
      holdUntil: null,
    });
  });

  test('without a readable order id is refused, with the reason', () =>
    eachRow<[unknown, string]>(
      [
        [null, 'Empty response from backend'],
        [undefined, 'Empty response from backend'],
        ['', 'Empty response from backend'],
        [{}, 'Empty response from backend'],
        ['<html>', 'Invalid response from backend'],
        [5, 'Invalid response from backend'],
        [[], 'Invalid response from backend'],
        [{ order_id: 5 }, 'Invalid order ID received from backend'],
        [{ payment: { orderId: {} } }, 'Invalid order ID received from backend'],
        [{ order: { id: 7 } }, 'Invalid order ID received from backend'],
        [{ payment: {} }, 'Order ID missing from backend response'],
        [{ order_id: '', order: [] }, 'Order ID missing from backend response'],
        [{ message: 'Only 1 left' }, 'Only 1 left'],
        [{ error: 'out_of_stock' }, 'out_of_stock'],
        [{ message: '', error: 'out_of_stock' }, 'out_of_stock'],
      ],
      ([answer, message]) => {
        expect(() => readCreatedOrder(answer)).toThrow(new PaymentError(message));
      },
    ));

  test('the answer to create-order of any shape gives an order id in text or a PaymentError, nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything({ maxDepth: 2 }), fc.jsonValue()), (answer) => {
        try {
          expect(typeof readCreatedOrder(answer).orderId).toBe('string');
        } catch (error) {
          expect(error).toBeInstanceOf(PaymentError);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('an error answer', () => {
  test('says its message, or else its error, when that is text', () =>
    eachRow<[unknown, string | null]>(
      [
        [{ message: 'm', error: 'e' }, 'm'],
        [{ error: 'e' }, 'e'],
        [{ message: '', error: 'e' }, 'e'],
        [{ message: { text: 'm' }, error: 'e' }, 'e'],
        [{ message: 5 }, null],
        [{ error: { code: 1 } }, null],
        [{}, null],
        [null, null],
        ['text', null],
        [[], null],
      ],
      ([answer, text]) => {
        expect(readError(answer)).toBe(text);
      },
    ));
});

describe('the answer to verify', () => {
  test('means paid when it says success or verified', () =>
    eachRow(
      [{ success: true }, { verified: true }, { success: true, verified: true, order: {} }],
      (answer) => {
        expect(readVerified(answer)).toBe(true);
      },
    ));

  test('means not paid when it says anything else', () =>
    eachRow(
      [
        {},
        null,
        undefined,
        true,
        'true',
        [],
        { success: false },
        { verified: 'true' },
        { success: 1 },
        { message: 'ok' },
      ],
      (answer) => {
        expect(readVerified(answer)).toBe(false);
      },
    ));
});
