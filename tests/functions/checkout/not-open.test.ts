import { beforeEach, expect, test, vi } from 'vitest';
import { indiaCalendarDay } from '#domain/calendar-day.ts';
import { openingText } from '#domain/checkout/checkout-state.ts';
import { opensOn } from '#settings/opening.ts';
import noticeEndpoint from '#netlify/functions/notice.ts';
import { eachRow } from '#tests/each-row.ts';
import { keyId } from '#tests/functions/support/razorpay-server.ts';
import { useStack, type Customer } from '#tests/functions/support/stack.ts';

/*
 * A live site without live keys is open to look at and closed to buy. That a named address buys in test mode to the end is
 * a test of the browser (`not-open.own-stack.spec.ts`): the provider of these tests knows the sandbox's key alone.
 */
const stack = await useStack();
let customer: Customer;
let ring = '';

beforeEach(async () => {
  customer = await stack.signUp();
  ring = await stack.addProduct({ stock: 3 });
  stack.razorpay.calls.length = 0;
  vi.stubEnv('CONTEXT', 'production');
});

const order = () => stack.createOrder(customer, [{ product_id: ring, quantity: 1 }]);

test('nobody who is not named can order with test keys, and nobody at all without keys', () =>
  eachRow(
    [
      ['', ''],
      ['', 'customer'],
      ['rzp_test_key', ''],
      ['rzp_test_key', 'someone@else.example, other@else.example'],
      // A key of a kind that nobody knows takes no money either.
      ['rzp_tset_key', ''],
    ],
    async ([key, buyers]) => {
      vi.stubEnv('RAZORPAY_KEY_ID', key);
      vi.stubEnv('TEST_BUYERS', buyers === 'customer' ? customer.email : buyers);
      expect(await order()).toMatchObject({
        status: 403,
        json: {
          error: 'not_open',
          message: `Our checkout ${openingText(opensOn, indiaCalendarDay(new Date()))}. Your cart is kept.`,
        },
      });
      expect(await stack.stockOf(ring)).toBe(3);
      expect(stack.razorpay.calls).toEqual([]);
    },
  ));

test('a named address goes on to the provider, in any case, once it is confirmed', async () => {
  vi.stubEnv('RAZORPAY_KEY_ID', 'rzp_test_key');
  vi.stubEnv('TEST_BUYERS', `someone@else.example, ${customer.email.toUpperCase()}`);
  const confirmed = 'update auth.users set email_confirmed_at = $2 where id = $1';
  await stack.sql(confirmed, customer.id, null);
  expect((await order()).status).toBe(403);
  await stack.sql(confirmed, customer.id, '2026-11-01');
  // The provider, which does not know this key, is asked.
  expect((await order()).json).toMatchObject({ error: 'payment_provider' });
  expect(stack.razorpay.calls.length).toBeGreaterThan(0);
});

test('pages are told how the shop stands, without whom it names', async () => {
  const told = async (context: string, key: string): Promise<unknown> => {
    vi.stubEnv('CONTEXT', context);
    vi.stubEnv('RAZORPAY_KEY_ID', key);
    const { json } = await stack.call(noticeEndpoint, '/api/notice');
    expect(JSON.stringify(json)).not.toContain(customer.email);
    return (json as { checkout: unknown }).checkout;
  };
  vi.stubEnv('TEST_BUYERS', customer.email);
  expect(await told('production', 'rzp_live_key')).toBe('open');
  expect(await told('production', 'rzp_test_key')).toBe('test');
  expect(await told('production', '')).toBe('closed');
  expect(await told('deploy-preview', 'rzp_test_key')).toBe('open');
  expect(await told('dev', keyId)).toBe('open');
});

test('a key that is not whole is a fault of the shop, not a shop that is not open', async () => {
  vi.stubEnv('RAZORPAY_KEY_ID', 'rzp_live_key');
  vi.stubEnv('RAZORPAY_KEY_SECRET', '');
  expect(await order()).toMatchObject({ status: 503, json: { error: 'not_configured' } });
});
