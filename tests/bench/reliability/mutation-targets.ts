import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findFiles } from '../../find-files.ts';

/** Lines that decide a signature, an amount or an owner, and the tests nearest to them. */
export interface Target {
  file: string;
  /** Which of its lines. */
  lines: RegExp;
  tests: readonly string[];
  /** The tests of these names alone. */
  names?: string;
}

const root = resolve(import.meta.dirname, '../../..');

/**
 * The newest migration with this function, such as 'public.mark_paid': the database of the tests is made of migrations, and
 * no test can catch a change of an earlier text. Throws when there is none.
 */
function migrationOf(name: string): string {
  const file = findFiles('supabase/migrations/*.sql', { cwd: root }).findLast((path) =>
    readFileSync(join(root, path), 'utf8').includes(` function ${name}(`),
  );
  if (file === undefined) throw new Error(`No migration creates ${name}`);
  return file;
}

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
    file: migrationOf('private.platform_fee'),
    lines: /p_fee_bps \+ 5000/u,
    tests: [
      'tests/database/checkout/charged-price.test.ts',
      'tests/database/schema/migrations.test.ts',
    ],
    names: 'to the paisa|the fee is the same',
  },
  {
    file: migrationOf('private.cart_subtotal'),
    lines: /"offerPrice", p\.price\) \* 100\)::bigint \* l\.quantity\) end/u,
    tests: ['tests/database/checkout/place-order.test.ts', 'tests/database/checkout/holds.test.ts'],
  },
  {
    file: migrationOf('public.place_order'),
    lines: /v_order\.total_paise <>/u,
    tests: ['tests/database/checkout/place-order.test.ts', 'tests/database/checkout/holds.test.ts'],
  },
  {
    file: migrationOf('private.place_cart'),
    lines:
      /total_paise =|p_expected_total_paise then|"offerPrice", p\.price\) \* 100|v_subtotal \+ (?:v_fee|private)/u,
    tests: [
      'tests/database/checkout/charged-price.test.ts',
      'tests/database/checkout/place-order.test.ts',
      'tests/database/checkout/holds.test.ts',
    ],
  },
  {
    file: migrationOf('public.mark_paid'),
    lines: /p_amount_paise is|is distinct from v_order\.(?:id|total_paise)/u,
    tests: ['tests/database/orders/payments.test.ts', 'tests/database/schema/limits.test.ts'],
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
    file: migrationOf('public.place_order'),
    lines: /where user_id = p_user_id and idempotency_key/u,
    tests: ['tests/database/checkout/place-order.test.ts', 'tests/database/checkout/holds.test.ts'],
  },
  {
    file: migrationOf('private.place_cart'),
    lines: /o\.user_id = p_user_id and/u,
    tests: ['tests/database/checkout/place-order.test.ts', 'tests/database/checkout/holds.test.ts'],
  },
  {
    file: migrationOf('private.order_ids_of'),
    lines: /o\.user_id = p_user_id|o\.user_id is null and/u,
    tests: [
      'tests/database/operation/accounts.test.ts',
      'tests/database/schema/permissions.test.ts',
    ],
  },
  {
    file: migrationOf('private.confirmed_email'),
    lines: /where id = p_user_id and email_confirmed_at/u,
    tests: ['tests/database/operation/accounts.test.ts'],
  },
  {
    file: migrationOf('public.own_invoice'),
    lines: /o\.id = p_order_id and o\.id in/u,
    tests: ['tests/functions/checkout/foreign-orders.test.ts'],
  },
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
