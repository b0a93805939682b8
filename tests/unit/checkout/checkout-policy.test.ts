import { expect, test } from 'vitest';
import { checkoutPolicy } from '#domain/checkout/checkout-policy.ts';

test('with the provider’s own script, the policy names the provider alone', () => {
  const { scripts, directives } = checkoutPolicy('https://checkout.razorpay.com/v1/checkout.js');
  expect(scripts).toEqual(['https://checkout.razorpay.com', 'https://cdn.razorpay.com']);
  const origins = directives.flatMap((directive) => directive.split(' ').slice(1));
  expect(origins.filter((origin) => !/^https:\/\/[a-z-]+\.razorpay\.com$/u.test(origin))).toEqual(
    [],
  );
});

test('the sandbox stands beside the provider in every directive, and in place of it in none', () => {
  const { scripts, directives } = checkoutPolicy(
    'http://127.0.0.1:8888/local/razorpay/checkout.js',
  );
  const live = checkoutPolicy('https://checkout.razorpay.com/v1/checkout.js');
  expect(scripts).toEqual([...live.scripts, 'http://127.0.0.1:8888']);
  expect(directives).toEqual(
    live.directives.map((directive) => `${directive} http://127.0.0.1:8888`),
  );
});

test('an invalid address adds nothing', () => {
  expect(checkoutPolicy('')).toEqual(
    checkoutPolicy('https://checkout.razorpay.com/v1/checkout.js'),
  );
});
