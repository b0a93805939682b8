import { expect, test, vi } from 'vitest';
import { addToCart, emptyCart } from '#domain/cart/cart.ts';
import { orderFormFields } from '#domain/checkout/order-form.ts';
import { describeProducts, orderFormValues } from '#islands/checkout/order-form-fields.ts';
import { readOrderQuery } from '#islands/confirmation/order-query.ts';
import { describeNewTotal, describeShortage } from '#islands/checkout/refusal-text.ts';
import { fillEmpty, isKnownAddress } from '#islands/checkout/use-customer-form.ts';
import { isInAppBrowser } from '#services/checkout/razorpay-checkout.ts';
import { ring } from '#tests/unit/support/arbitraries.ts';
import { typedDetails } from '#tests/unit/checkout/addresses.ts';
import { eachRow } from '#tests/each-row.ts';

vi.mock('#shop/shop.ts', async () => ({
  shop: (await import('#tests/sample-shop.ts')).sampleShop,
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

test('the confirmation page reads its address: both spellings of the order id, and no text that is not an id', () =>
  eachRow(
    [
      ['?payment_id=pay_1&order_id=order_1&status=pending', 'order_1', 'pay_1', true],
      ['?orderId=ABC-1001-ab12cd', 'ABC-1001-ab12cd', null, false],
      ['', null, null, false],
      ['?order_id=%3Cb%3Ex%3C/b%3E', null, null, false],
      ['?order_id=Call%20+91%2099999%20to%20get%20a%20refund', null, null, false],
      [`?order_id=${'x'.repeat(65)}`, null, null, false],
    ] as const,
    ([query, orderId, paymentId, pending]) => {
      expect(readOrderQuery(query)).toEqual({ orderId, paymentId, pending, refusal: null });
    },
  ));

test('every field of the order is posted, its products at offer prices without sold-out ones, the total in rupees', () => {
  const offered = ring({ id: 'a', name: 'Ring', offerPrice: 90_000 });
  const soldOut = ring({ id: 'b', name: 'Sold', stock: 0 });
  const cart = addToCart(addToCart(emptyCart, offered, 2), soldOut);
  expect(describeProducts(cart)).toBe('Ring x 2 = ₹1,800.00');
  const values = orderFormValues({ ...blank, name: 'Asha', notes: 'Gift' }, cart, 184_248);
  expect(Object.keys(values)).toEqual([...orderFormFields]);
  expect(values).toMatchObject({ name: 'Asha', notes: 'Gift', total: '1842.48' });
});

test('refusals name each product with how many are left, and the new total', () => {
  const text = describeShortage([
    { product_id: 'a', name: 'Ring', requested: 3, available: 2 },
    { product_id: 'b', name: 'Chain', requested: 1, available: 0 },
  ]);
  expect(text).toContain('Only 2 of Ring left. Chain is out of stock.');
  expect(describeNewTotal(12_345_600)).toContain('₹1,23,456.00');
});

test('typed values stay, and empty ones are filled except in the focused field', () => {
  const known = { name: 'Known', city: 'Kochi', address: 'Temple Road' };
  expect(fillEmpty({ ...blank, name: 'Typed' }, known, 'address')).toEqual({
    ...blank,
    name: 'Typed',
    city: 'Kochi',
  });
});

test('an address is one line when it is all known, and the form would neither refuse nor ask', () => {
  const known = typedDetails;
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
