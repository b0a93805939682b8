import { expect, test } from 'vitest';
import { isFreeEverywhere, shippingCharge } from '#domain/checkout/shipping-charge.ts';
import { useSampleTax } from '#tests/sample-tax.ts';

useSampleTax();

test('without a shipping charge no page mentions one', () => {
  const free = { label: 'Free', freeWithin: 'Kerala' };
  expect(isFreeEverywhere(free)).toBe(true);
  expect(shippingCharge(free, 'Kerala')).toBe('free within Kerala');
  expect(shippingCharge(free, 'India')).toBe('free within Kerala, and all over India');
});

test('where the cart has other words for shipping, it says where they stand', () => {
  const included = { label: 'Included', freeWithin: 'Kerala' };
  expect(isFreeEverywhere(included)).toBe(false);
  expect(shippingCharge(included)).toBe(
    'free within Kerala; elsewhere as the Order Summary says before you pay',
  );
});
