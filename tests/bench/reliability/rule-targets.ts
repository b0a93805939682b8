import { functionOf, type Target } from './target.ts';

const costs = 'tests/functions/platform/costs.test.ts';
const disputes = [
  'tests/database/payments/disputes.test.ts',
  'tests/database/payments/lost-disputes.test.ts',
];
const cash = ['cash', 'cash-refusals'].map(
  (name) => `tests/features/cash-on-delivery/${name}.database.test.ts`,
);

/** Rules that one test shows, at the lowest height that has them: none of the tests above it would notice. */
export const ruleTargets: readonly Target[] = [
  // What strangers may cost.
  {
    file: 'netlify/core/forms/public-form.ts',
    lines: /await limitForm\(/u,
    tests: [costs],
    names: 'whatever door',
  },
  {
    file: 'netlify/functions/discount-check.ts',
    lines: /await limitCost\(/u,
    tests: [costs],
    names: 'whatever door',
  },
  {
    ...functionOf('public.save_contact_message'),
    lines: /^ {2}if not private\.has_mail_left\(\) then/u,
    tests: [costs],
    names: 'a flood of strangers',
  },
  {
    ...functionOf('public.ask_account_deletion'),
    lines: /elsif not private\.has_mail_left\(\) then/u,
    tests: [costs],
    names: 'whatever door',
  },
  {
    ...functionOf('public.save_form_entry'),
    lines: /case when v_order_id is null then 'order_form'/u,
    tests: [costs],
    names: 'whatever door',
  },
  {
    ...functionOf('public.ask_stock_alert'),
    lines: /\) >= (?:200|3) then|offset 199/u,
    tests: ['tests/features/stock-alerts/stock-alerts.database.test.ts'],
    names: 'confirmed addresses may wait|invented addresses',
  },
  {
    ...functionOf('private.cost_left'),
    lines: /d\.units_left >= p_units/u,
    tests: [costs],
    names: 'whatever door',
  },
  // Limits that the form and SQL both state.
  {
    file: 'src/features/discounts/domain/discounts-api.ts',
    lines: /z\.minimum\(/u,
    tests: ['tests/features/discounts/limits.database.test.ts'],
  },
  {
    file: 'src/features/sales-by-hand/domain/new-order.ts',
    lines: /quantity: z|z\.maxLength\(20\)/u,
    tests: ['tests/features/sales-by-hand/limits.database.test.ts'],
  },
  {
    file: 'src/features/claims/domain/damage-claim.ts',
    lines: /message: \d/u,
    tests: ['tests/features/claims/limits.database.test.ts'],
  },
  {
    file: 'src/domain/checkout/forms.ts',
    lines: /optionalText\(15, 'Phone'\)/u,
    tests: ['tests/unit/site/forms.test.ts'],
  },
  // A product that was changed elsewhere.
  {
    file: 'src/domain/admin/products/product-rebase.ts',
    lines: /const moved = |return moved|if \(same\(|stock\.changed|sameCount\(/u,
    tests: ['tests/unit/admin/admin-product-rebase.test.ts'],
  },
  {
    file: 'src/islands/admin/products/form/save-product.ts',
    lines: /maxTries|conflict === null|seen\.some\(|typed === saved|status === 404/u,
    tests: ['tests/unit/admin/save-product.test.ts'],
  },
  {
    ...functionOf('public.save_product'),
    lines: /v_fields_changed := |v_wanted -> size is distinct|'stock_changed', /u,
    tests: [
      'tests/database/admin/admin-products.test.ts',
      'tests/database/admin/admin-sizes.test.ts',
    ],
  },
  // Time, deletion, and what a person reads in a mail.
  {
    ...functionOf('private.is_late'),
    lines: /interval '5 minutes'/u,
    tests: ['tests/database/payments/late-payments.test.ts'],
    names: 'up to five minutes',
  },
  {
    file: 'netlify/core/payments/confirm-payment.ts',
    lines: /if \(!holdsStock\)/u,
    tests: ['tests/functions/payments/sweep.test.ts'],
    names: 'no longer holds its stock|that holds its stock is captured',
  },
  {
    file: 'netlify/core/scheduled/sweep-orders.ts',
    lines: /isPaid \|\|=/u,
    tests: ['tests/functions/payments/sweep.test.ts'],
  },
  {
    ...functionOf('private.add_stock'),
    lines: /where p\.id = added/u,
    tests: ['tests/database/orders/sweep.test.ts'],
  },
  {
    file: 'netlify/core/mail/outbox.ts',
    lines: /customer \|\| adminAddress/u,
    tests: ['tests/functions/forms/reply-to.test.ts'],
  },
  {
    file: 'netlify/core/mail/mail-order.ts',
    lines: /quantity > 1 \?/u,
    tests: ['tests/functions/forms/mail.test.ts', 'tests/functions/forms/mail-words.test.ts'],
  },
  {
    file: 'src/domain/cart/discount-terms.ts',
    lines: /subtotal < minSubtotal|percent \+ 50/u,
    tests: ['tests/unit/cart/cart-summary.test.ts'],
  },
  // Origins, passwords, carts, tax and files.
  {
    file: 'netlify/core/auth/admin-routes.ts',
    lines: /headers\.get\('origin'\) === /u,
    tests: ['tests/functions/admin/admin-access.test.ts'],
  },
  {
    file: 'netlify/core/auth/confirm.ts',
    lines: /await forgetAttempt\(/u,
    tests: ['tests/features/second-factor/second-factor.functions.test.ts'],
    names: 'asking for the code uses none',
  },
  {
    file: 'netlify/core/orders/order-steps.ts',
    lines: /await requireConfirmedRefund\(/u,
    tests: ['tests/functions/admin/orders/admin-large-refunds.test.ts'],
  },
  {
    file: 'src/domain/cart/cart.ts',
    lines: /Math\.min\(item\.quantity|shop\.limits\.cartLines\)\);/u,
    tests: ['tests/unit/cart/cart-storage.test.ts'],
  },
  {
    file: 'src/domain/cart/cart-changes.ts',
    lines: /filter\(\(item\) => keyOf\(item\) !== key\)/u,
    tests: ['tests/unit/cart/cart.test.ts'],
  },
  {
    file: 'src/domain/invoice/gst.ts',
    lines: /rateBps\) \/ parts/u,
    tests: ['tests/unit/orders/gst.test.ts'],
  },
  {
    file: 'src/domain/invoice/gst.ts',
    lines: /amount \* units/u,
    tests: ['tests/unit/orders/credit-note.test.ts'],
  },
  {
    file: 'src/domain/csv.ts',
    lines: /guardedStart\.test\(text\)/u,
    tests: ['tests/unit/admin/csv.test.ts'],
  },
  {
    file: 'src/features/feeds/domain/product-feed.ts',
    lines: /product\.offerPrice === null/u,
    tests: ['tests/features/feeds/feeds.functions.test.ts'],
  },
  {
    ...functionOf('private.discount_of'),
    lines: /percent \+ 50\) \/ 100/u,
    tests: ['tests/database/checkout/discounts.test.ts'],
    names: 'half a paisa',
  },
  // What a bank decides about, and what it gave back.
  {
    ...functionOf('public.record_dispute'),
    lines: /v_event = 'lost' then coalesce|v_event <> 'lost' or v_known|p\.lost_paise \+ v_lost/u,
    tests: [
      'tests/database/payments/disputes.test.ts',
      'tests/database/payments/dispute-terms.test.ts',
    ],
  },
  {
    ...functionOf('private.settle_lost_payment'),
    lines: /payment_status = 'REFUND_DUE' or/u,
    tests: disputes,
  },
  {
    ...functionOf('private.is_over_refunded'),
    lines: /p_payment\.lost_paise < private\.possibly_refunded_paise/u,
    tests: disputes,
  },
  {
    ...functionOf('private.is_retryable'),
    lines: /p_refund\.amount_paise <= private\.refundable_paise/u,
    tests: [...disputes, 'tests/database/payments/razorpay-refunds.test.ts'],
  },
  {
    ...functionOf('private.uncredited_paise'),
    lines: /fulfilment <> 'cancelled' or p_order\.invoice_number/u,
    tests: disputes,
  },
  {
    ...functionOf('public.claim_refunds'),
    lines: /^ {4}where .* and not private\.awaits_bank\(r\)$/u,
    tests: ['tests/database/payments/disputes.test.ts'],
  },
  {
    ...functionOf('private.settle_payment'),
    lines: /p\.amount_paise <= p\.lost_paise/u,
    tests: ['tests/database/payments/disputes.test.ts'],
  },
  {
    ...functionOf('private.phase_waits'),
    lines: /'fraud'/u,
    tests: ['tests/database/payments/dispute-terms.test.ts'],
  },
  {
    ...functionOf('private.disputes_due'),
    lines: /d\.event <> 'under_review'|interval '(?:24|6) hours'/u,
    tests: ['tests/database/payments/dispute-terms.test.ts'],
  },
  // Orders that are paid at the door.
  {
    ...functionOf('private.cash_amount'),
    lines: /p_paise \+ 50/u,
    tests: ['tests/features/cash-on-delivery/whole-rupees.database.test.ts'],
  },
  {
    ...functionOf('private.cash_refusal'),
    lines:
      /confirmed_email\(p_user_id\) is null|r\.user_id = p_user_id or|r\.created_at > now|p_total_paise [<>] \(p_cash|pins'\) = 'array'|'yes'\) <> 'yes'/u,
    tests: cash,
  },
  {
    ...functionOf('private.cash_advance'),
    lines: /least\(greatest\(private\.cash_amount\(|\), 100\), p_total_paise - 100\)/u,
    tests: cash,
    names: 'to the paisa',
  },
  {
    file: 'src/domain/sums/payment-way.ts',
    lines: /advance\.percent|Math\.min/u,
    tests: cash,
    names: 'to the paisa',
  },
  {
    ...functionOf('private.receive_cash'),
    lines:
      /abs\(p_amount_paise - p_order\.cash_paise\) >=|p_amount_paise < p_order|p_order\.cash_paise = 0 or|release_reason = 'refused' then$/u,
    tests: [...cash, 'tests/features/cash-on-delivery/remittance.database.test.ts'],
  },
  {
    ...functionOf('public.refuse_cash_order'),
    lines: /v_order\.cash_paise = 0 or .* not v_order\.sold then/u,
    tests: cash,
  },
  {
    ...functionOf('public.end_unconfirmed_orders'),
    lines: /hold_state = 'reserved' and hold_expires_at/u,
    tests: cash,
  },
  {
    ...functionOf('public.record_remittance'),
    lines: /as is_unclear$|c\.is_sent$/u,
    tests: ['tests/features/cash-on-delivery/remittance.database.test.ts'],
  },
  {
    ...functionOf('private.is_cash_use'),
    lines: /p_order\.cash_confirmed_at is null or/u,
    tests: ['tests/features/cash-on-delivery/cash-ends.database.test.ts'],
    names: 'the limits of open orders',
  },
  {
    // A generated column, which stands beside the function.
    file: functionOf('private.online_paise').file,
    lines: /coalesce\(hold_state = 'taken' and/u,
    tests: cash,
  },
];
