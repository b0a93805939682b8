import { describe, expect, test, vi } from 'vitest';
import { addToCart, cartOf, emptyCart } from '../../../src/domain/cart/cart.ts';
import { orderFormFields } from '../../../src/domain/checkout/order-form.ts';
import {
  describeProducts,
  orderFormValues,
} from '../../../src/islands/checkout/order-form-fields.ts';
import { readOrderQuery } from '../../../src/islands/confirmation/order-query.ts';
import { describeNewTotal, describeShortage } from '../../../src/islands/checkout/refusal-text.ts';
import { fillEmpty, isKnownAddress } from '../../../src/islands/checkout/use-customer-form.ts';
import { isInAppBrowser } from '../../../src/services/checkout/razorpay-checkout.ts';
import { ring } from '../support/arbitraries.ts';
import { eachRow } from '../../each-row.ts';

vi.mock('../../../src/shop/shop.ts', async () => ({
  shop: (await import('../../sample-shop.ts')).sampleShop,
}));

const blank = {
  name: '',
  email: '',
  phone: '',
  address: '',
  city: '',
  postalCode: '',
  notes: '',
  giftNote: '',
  recipientName: '',
  recipientPhone: '',
  gstin: '',
};

describe('the confirmation page reads its address', () => {
  test('both spellings of the order id, the payment id and the status', () => {
    expect(readOrderQuery('?payment_id=pay_1&order_id=order_1&status=pending')).toEqual({
      orderId: 'order_1',
      paymentId: 'pay_1',
      pending: true,
      refusal: null,
    });
    expect(readOrderQuery('?orderId=ABC-1001-ab12cd').orderId).toBe('ABC-1001-ab12cd');
    expect(readOrderQuery('')).toEqual({
      orderId: null,
      paymentId: null,
      pending: false,
      refusal: null,
    });
  });

  test('a text that is not an id is not shown', () =>
    eachRow(['<b>x</b>', 'Call +91 99999 to get a refund', 'x'.repeat(65), '%00'], (text) => {
      expect(readOrderQuery(`?order_id=${encodeURIComponent(text)}`).orderId).toBeNull();
    }));
});

describe('the form-collection fields', () => {
  const cart = addToCart(
    addToCart(
      emptyCart,
      ring({ id: 'a', name: 'Ring', price: 100_000, offerPrice: 90_000, stock: 5 }),
      2,
    ),
    ring({ id: 'b', name: 'Sold', stock: 0 }),
  );

  test('products are the charged products at offer prices, without sold-out ones', () => {
    expect(describeProducts(cart)).toBe('Ring x 2 = ₹1,800.00');
    expect(describeProducts(cartOf([]))).toBe('');
  });

  test('every field of the order is posted, the total in rupees', () => {
    const values = orderFormValues({ ...blank, name: 'Asha', notes: 'Gift' }, cart, 184_248);
    expect(Object.keys(values)).toEqual([...orderFormFields]);
    expect(values).toMatchObject({ name: 'Asha', notes: 'Gift', total: '1842.48' });
  });
});

describe('refusals in words', () => {
  test('a shortage names each product and how many are left', () => {
    const text = describeShortage([
      { product_id: 'a', name: 'Ring', requested: 3, available: 2 },
      { product_id: 'b', name: 'Chain', requested: 1, available: 0 },
    ]);
    expect(text).toContain('Only 2 of Ring left. Chain is out of stock.');
  });

  test('a changed price shows the new total', () => {
    expect(describeNewTotal(12_345_600)).toContain('₹1,23,456.00');
  });
});

describe('filling the form in', () => {
  test('typed values stay, and empty ones are filled except in the focused field', () => {
    const filled = fillEmpty(
      { ...blank, name: 'Typed' },
      { name: 'Known', city: 'Kochi', address: 'Temple Road' },
      'address',
    );
    expect(filled).toEqual({ ...blank, name: 'Typed', city: 'Kochi' });
  });
});

test('an address is one line when it is all known, and the form would neither refuse nor ask', () => {
  const known = {
    name: 'Anjali Menon',
    email: 'anjali@example.com',
    phone: '+91 98470 12345',
    address: '14 Temple Road, West',
    city: 'Thrissur',
    postalCode: '680001',
  };
  expect(isKnownAddress({ ...blank, ...known, notes: 'Ring twice' }, known)).toBe(true);
  return eachRow(
    [
      [{ address: '1 Another Road' }, {}],
      [{}, { city: '' }],
      [{ city: '' }, { city: '' }],
      [{ address: 'Short' }, { address: 'Short' }],
      [{ postalCode: '68201' }, { postalCode: '68201' }],
      [{ phone: '0484-abcdefgh' }, { phone: '0484-abcdefgh' }],
    ],
    ([typed, stored]) => {
      expect(isKnownAddress({ ...blank, ...known, ...typed }, { ...known, ...stored })).toBe(false);
    },
  );
});

test('in-app browsers are recognised by name', () =>
  eachRow(
    [
      ['Mozilla/5.0 (iPhone) AppleWebKit Instagram 300.0', true],
      ['Mozilla/5.0 [FBAN/FBIOS;FBAV/400.0]', true],
      ['Mozilla/5.0 (Linux; Android 16) Chrome/150.0', false],
    ],
    ([userAgent, expected]) => {
      expect(isInAppBrowser(userAgent)).toBe(expected);
    },
  ));
