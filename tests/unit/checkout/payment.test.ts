import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  acceptCurrency,
  checkAmount,
  checkCustomer,
  PaymentError,
  readCreatedOrder,
  readError,
  readVerified,
} from '#domain/checkout/payment.ts';
import { eachRow } from '#tests/each-row.ts';

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
      isReserved: false,
      isRepeated: false,
    });
  });

  test('carries the order id in any of the known fields', () =>
    eachRow(
      [
        { payment: { orderId: 'order_1' } },
        { order_id: 'order_1' },
        { id: 'order_1' },
        { orderId: 'order_1' },
        { razorpay_order_id: 'order_1' },
        { data: { order_id: 'order_1' } },
        { data: { id: 'order_1' } },
        { data: { orderId: 'order_1' } },
        { data: { razorpay_order_id: 'order_1' } },
        { data: { payment: { orderId: 'order_1' } } },
        { data: { order: { id: 'order_1' } } },
        { order: { order_id: 'order_1' } },
        { order_id: '', id: null, orderId: 'order_1' },
      ],
      (answer) => {
        expect(readCreatedOrder(answer).orderId).toBe('order_1');
      },
    ));

  test('with several ids, the order is the provider’s name before the shop’s own, the top before what is nested', () =>
    eachRow(
      [
        { payment: { orderId: 'first' }, order_id: 'x', id: 'x', order: { id: 'x' } },
        { order_id: 'first', id: 'x', orderId: 'x' },
        { id: 'first', orderId: 'x', razorpay_order_id: 'x' },
        { razorpay_order_id: 'first', data: { id: 'x' }, order: { id: 'x' } },
        { order: { id: 'x', razorpay_order_id: 'first' } },
      ],
      (answer) => {
        expect(readCreatedOrder(answer).orderId).toBe('first');
      },
    ));

  test('carries key, currency and reference in any of the known fields, those of the payment first', () =>
    eachRow(
      [
        [{ payment: { key: 'k' }, key_id: 'x', keyId: 'x', key: 'x' }, { key: 'k' }],
        [{ key_id: 'k', keyId: 'x', key: 'x' }, { key: 'k' }],
        [{ keyId: 'k', key: 'x' }, { key: 'k' }],
        [{ key: 'k' }, { key: 'k' }],
        [{ payment: { currency: 'USD' }, currency: 'x' }, { currency: 'USD' }],
        [{ currency: 'USD', data: { currency: 'x' } }, { currency: 'USD' }],
        [{ data: { currency: 'USD' } }, { currency: 'USD' }],
        [{ order: { id: 1001 } }, { reference: '1001' }],
        [{ data: { order: { id: 'ABC-2' } } }, { reference: 'ABC-2' }],
        [{ order: { id: {} } }, { reference: null }],
      ],
      ([answer, read]) => {
        expect(readCreatedOrder({ order_id: 'order_1', ...answer })).toMatchObject(read);
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
      isReserved: false,
      isRepeated: false,
    });
  });

  test('without a readable order id is refused, with the reason', () =>
    eachRow<[unknown, string]>(
      [
        [null, 'Empty response from backend'],
        ['', 'Empty response from backend'],
        [{}, 'Empty response from backend'],
        ['<html>', 'Invalid response from backend'],
        [{ order_id: 5 }, 'Invalid order ID received from backend'],
        [{ payment: { orderId: {} } }, 'Invalid order ID received from backend'],
        [{ order_id: '', order: [] }, 'Order ID missing from backend response'],
        [{ message: 'Only 1 left' }, 'Only 1 left'],
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

test('an error answer says its message, or else its error, when that is text', () =>
  eachRow<[unknown, string | null]>(
    [
      [{ message: 'm', error: 'e' }, 'm'],
      [{ message: '', error: 'e' }, 'e'],
      [{ message: { text: 'm' }, error: 'e' }, 'e'],
      [{ error: { code: 1 } }, null],
      [null, null],
      ['text', null],
    ],
    ([answer, text]) => {
      expect(readError(answer)).toBe(text);
    },
  ));

test('the answer to verify means paid when it says success or verified, and nothing else does', () =>
  eachRow(
    [
      [{ success: true }, true],
      [{ verified: true, order: {} }, true],
      [{}, false],
      [null, false],
      ['true', false],
      [{ success: false, message: 'ok' }, false],
      [{ verified: 'true' }, false],
      [{ success: 1 }, false],
    ],
    ([answer, paid]) => {
      expect(readVerified(answer)).toBe(paid);
    },
  ));

test('the amount before payment is refused outside of ₹1 to ₹10,00,000, with the reason', () => {
  for (const amount of [100, 100_000_000])
    expect(() => {
      checkAmount(amount);
    }).not.toThrow();
  return eachRow(
    [
      [99, 'Amount must be at least ₹1'],
      [-100, 'Amount must be at least ₹1'],
      [100_000_001, 'Amount exceeds maximum limit of ₹10,00,000'],
      [Number.NaN, 'Invalid amount value'],
      [Infinity, 'Invalid amount value'],
    ],
    ([amount, message]) => {
      expect(() => {
        checkAmount(amount);
      }).toThrow(new PaymentError(message));
    },
  );
});

test('a currency other than INR, USD, EUR and GBP becomes INR with one warning', () => {
  const warn = vi.fn();
  const known = ['INR', 'USD', 'EUR', 'GBP'];
  expect(known.map((currency) => acceptCurrency(currency, warn))).toEqual(known);
  expect(warn).not.toHaveBeenCalled();
  const others = ['JPY', 'inr', '', undefined, null, 5];
  for (const currency of others) expect(acceptCurrency(currency, warn)).toBe('INR');
  expect(warn).toHaveBeenCalledTimes(others.length);
});

test('a customer without a name, an address with @ or ten digits may not pay, and reads the first reason', () => {
  const asha = { name: 'Asha', email: 'asha@example.com', phone: '9876543210' };
  expect(() => {
    checkCustomer(asha);
  }).not.toThrow();
  return eachRow(
    [
      [{ name: '', email: '', phone: '' }, 'Customer name is required'],
      [{ name: '   ' }, 'Customer name is required'],
      [{ email: 'asha.example.com' }, 'Valid customer email is required'],
      [{ phone: '987654321 ' }, 'Valid customer phone number is required'],
    ],
    ([changes, message]) => {
      expect(() => {
        checkCustomer({ ...asha, ...changes });
      }).toThrow(new PaymentError(message));
    },
  );
});
