import { expect, test } from 'vitest';
import { isFreeEverywhere, shippingCharge } from '../../../src/domain/checkout/shipping-charge.ts';
import { useSampleTax } from '../../sample-tax.ts';

useSampleTax();

test('without a shipping charge no page mentions one', () => {
  const free = { label: 'Free', freeWithin: 'Kerala' };
  expect(isFreeEverywhere(free)).toBe(true);
  expect(shippingCharge(free, 'Kerala')).toBe('free within Kerala');
  expect(shippingCharge(free, 'India')).toBe('free all over India');
});

test('where the cart charges for shipping, it says where the charge is shown', () => {
  const priced = { label: '₹80.00', freeWithin: 'Kerala' };
  expect(isFreeEverywhere(priced)).toBe(false);
  expect(shippingCharge(priced)).toBe(
    'free within Kerala; elsewhere the Order Summary shows the charge before you pay',
  );
});
