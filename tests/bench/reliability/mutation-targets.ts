import { ruleTargets } from './rule-targets.ts';
import { functionOf, type Target } from './target.ts';

/** Lines that decide a signature, an amount or an owner, and then those of rules that one height of the tests shows. */
export const targets: readonly Target[] = [
  // Signatures.
  {
    file: 'netlify/core/payments/signature.ts',
    lines: /return|const/u,
    tests: ['tests/functions/payments/signature.test.ts'],
  },
  {
    file: 'netlify/core/payments/checkout-response.ts',
    lines: /isPaymentSignature\(/u,
    tests: ['tests/functions/checkout/verify.test.ts'],
    names: 'a paid order is verified|changed signatures',
  },
  {
    file: 'netlify/functions/payment-webhook.ts',
    lines: /isWebhookSignature\(|bad_signature/u,
    tests: ['tests/functions/payments/webhook.test.ts'],
    names: 'a closed browser|changed signatures',
  },
  // Amounts.
  {
    file: 'netlify/core/payments/confirm-payment.ts',
    lines: /payment\.order_id !==|status === 'captured'/u,
    tests: ['tests/functions/checkout/verify.test.ts'],
  },
  {
    file: 'src/domain/money.ts',
    lines: /return|const value|const scaled|const text/u,
    tests: ['tests/unit/checkout/money.test.ts'],
  },
  {
    file: 'src/domain/cart/cart.ts',
    lines: /total: |fee|subtotal/u,
    tests: ['tests/unit/cart/cart.test.ts', 'tests/unit/cart/cart-properties.test.ts'],
  },
  {
    ...functionOf('private.sum_rows'),
    lines: /::integer \+ 5000|::integer \/ 2/u,
    tests: [
      'tests/database/checkout/charged-price.test.ts',
      'tests/database/checkout/order-sums.test.ts',
    ],
    names: 'to the paisa|the rows are the same',
  },
  {
    ...functionOf('private.cart_subtotal'),
    lines: /"offerPrice", p\.price\) \* 100\)::bigint \* l\.quantity\) end/u,
    tests: ['tests/database/checkout/place-order.test.ts', 'tests/database/checkout/holds.test.ts'],
  },
  {
    ...functionOf('public.place_order'),
    lines: /v_order\.total_paise <>/u,
    tests: ['tests/database/checkout/place-order.test.ts', 'tests/database/checkout/holds.test.ts'],
  },
  {
    ...functionOf('private.price_cart'),
    lines: /p_cart\.expected_total_paise then|"offerPrice", p\.price\) \* 100\)::bigint \* l\./u,
    tests: [
      'tests/database/checkout/charged-price.test.ts',
      'tests/database/checkout/place-order.test.ts',
      'tests/database/checkout/holds.test.ts',
      // A cash order has its charge in the total.
      'tests/features/cash-on-delivery/cash.database.test.ts',
    ],
  },
  {
    ...functionOf('public.mark_paid'),
    lines:
      /p_amount_paise is (?:null or p_amount_paise <= 0|distinct)|is distinct from v_order\.(?:id|total_paise)/u,
    tests: ['tests/database/payments/payments.test.ts', 'tests/database/schema/limits.test.ts'],
  },
  // Owners.
  {
    file: 'netlify/core/checkout/orders.ts',
    lines: /order\?\.user_id !== customer\.id/u,
    tests: ['tests/functions/checkout/foreign-orders.test.ts'],
  },
  {
    file: 'netlify/core/checkout/orders.ts',
    lines: /const query = database\(\)\.from/u,
    tests: ['tests/functions/checkout/callback.test.ts'],
  },
  {
    ...functionOf('public.place_order'),
    lines: /where user_id = p_user_id and idempotency_key/u,
    tests: ['tests/database/checkout/place-order.test.ts', 'tests/database/checkout/holds.test.ts'],
  },
  {
    ...functionOf('private.reusable_order'),
    lines: /o\.user_id = p_cart\.user_id and|o\.total_paise =/u,
    tests: ['tests/database/checkout/place-order.test.ts', 'tests/database/checkout/holds.test.ts'],
  },
  {
    ...functionOf('private.order_ids_of'),
    lines: /o\.user_id = p_user_id|o\.user_id is null and/u,
    tests: [
      'tests/database/operation/accounts.test.ts',
      'tests/database/schema/permissions.test.ts',
    ],
  },
  {
    ...functionOf('private.confirmed_email'),
    lines: /where id = p_user_id and email_confirmed_at/u,
    tests: ['tests/database/operation/accounts.test.ts'],
  },
  {
    ...functionOf('public.own_invoice'),
    lines: /o\.id = p_order_id and o\.id in/u,
    tests: ['tests/functions/checkout/foreign-orders.test.ts'],
  },
  ...ruleTargets,
];

/** Changes that change nothing, which no test could catch, with the reason. */
export const equivalent: readonly { file: string; from: string; to: string; why: string }[] = [
  {
    file: 'src/domain/money.ts',
    from: '!Number.isFinite(value)',
    to: 'false',
    why: 'what is not finite is no safe integer either, two lines below',
  },
  {
    file: 'src/domain/money.ts',
    from: '6',
    to: '7',
    why: 'amounts have two decimals; both are more than enough',
  },
];
