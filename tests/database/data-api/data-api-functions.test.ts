import { describe, expect, test } from 'vitest';
import { retentionDays } from '../../../src/domain/retention.ts';
import { useDatabase, type Asker } from '../support/postgres.ts';
import { askRestApi } from '../support/rest-api.ts';
import { customerDetails, newPaymentId } from '../support/shop-database.ts';
import { findCalls } from './calls-in-sources.ts';

/*
 * Every SQL function that the shop calls through the Data API, in the order of a shop's life, on a project that grants
 * nothing by itself: what the service is answered. Browsers are refused all of them.
 */
const database = await useDatabase('explicitGrants');

const customer = await database.addCustomer('a@example.com');
const ring = await database.addProduct();
const product = {
  name: 'Chain',
  category: 'necklaces',
  description: '',
  price: 100,
  offerPrice: null,
  stock: 3,
  images: [],
  attributes: {},
};
const [added, key] = [crypto.randomUUID(), crypto.randomUUID()];
const [razorpayOrder, payment] = ['order_1', newPaymentId()];
const source = { p_address: '192.0.2.1', p_device: null };
const [hash, fingerprint] = ['a'.repeat(64), 'b'.repeat(64)];
const paid = {
  p_amount_paise: 102_360,
  p_currency: 'INR',
  p_method: 'upi',
  p_event_id: 'event_1',
  p_event: 'payment.captured',
  p_key_id: 'rzp_1',
  p_low_stock_below: 5,
};

type Arguments = Readonly<Record<string, unknown>>;
const prefixes = { p_order_prefix: 'XYZ', p_invoice_prefix: 'XY', p_credit_note_prefix: 'XC' };
const plan = { p_deployed_version: 0, p_quiet_seconds: 0, p_deploys_per_month: 60 };
/** The first one that a shop has. */
const order = { p_order_id: 1001 };
/** Name, arguments, and the answer: an outcome, a number of rows, a value, or 'object'. */
const calls: [name: string, args: Arguments, answer: string][] = [
  ['orders_naming', { p_email: 'nobody@example.org' }, '0 rows'],
  ['count_code_mail', { p_user_id: crypto.randomUUID(), p_network: 'ip:a' }, 'true'],
  ['count_cost', { p_effect: 'lookup', p_network: 'ip:a' }, 'true'],
  [
    'count_login_attempt',
    { ...source, p_limit_per_source: 5, p_limit_overall: 50, p_window_seconds: 900 },
    'object',
  ],
  [
    'open_admin_session',
    {
      p_token_hash: hash,
      p_password_fingerprint: fingerprint,
      p_seconds: 60,
      ...source,
      p_step: null,
      p_recovery_hash: null,
    },
    'string',
  ],
  ['read_admin_session', { p_token_hash: hash, p_password_fingerprint: fingerprint }, 'object'],
  [
    'allow_refund',
    { p_session_id: 1, ...order, p_payment_id: null, p_amount_paise: 1, p_limit_paise: 1 },
    'true',
  ],
  ['note_wrong_code', {}, 'null'],
  ['offer_second_factor', { p_secret: 'A'.repeat(32) }, 'true'],
  [
    'turn_on_second_factor',
    { p_secret: 'A'.repeat(32), p_step: 1, p_recovery_hashes: [hash], p_session_id: 1 },
    'true',
  ],
  ['read_second_factor', {}, 'object'],
  ['confirm_admin_session', { p_id: 1, ...source, p_step: 2, p_recovery_hash: null }, 'true'],
  [
    'replace_recovery_codes',
    { p_step: 3, p_recovery_hash: null, p_recovery_hashes: [hash] },
    'true',
  ],
  ['turn_off_second_factor', { p_step: null, p_recovery_hash: hash }, 'true'],
  ['forget_login_attempt', source, 'null'],
  ['insert_product', { p_id: added, p_product: product }, 'created'],
  [
    'save_product',
    {
      p_id: added,
      p_product: { ...product, price: 200 },
      p_expected: { updatedAt: '2026-01-01T00:00:00Z', stock: 3 },
    },
    'changed',
  ],
  [
    'admin_products',
    {
      p_search: '',
      p_category: null,
      p_stock: 'all',
      p_show: 'all',
      p_low_stock_below: 5,
      p_sort: 'newest',
      p_offset: 0,
      p_limit: 10,
    },
    'object',
  ],
  ['admin_product', { p_id: added }, 'object'],
  ['delete_product', { p_id: added }, 'true'],
  ['unpublished_changes', { p_after_version: 0, p_limit: 50 }, 'object'],
  ['withdrawn_products', { p_after_version: 0, p_limit: 500 }, '1 rows'],
  ['restore_product', { p_id: added }, 'object'],
  ['save_products', { p_rows: [{ id: added, product, seen: null }] }, 'saved'],
  ['exported_products', { p_offset: 0, p_limit: 1000 }, 'list'],
  ['products_by_id_or_name', { p_ids: [added], p_names: ['chain'] }, 'list'],
  ['delete_products', { p_ids: [added] }, 'list'],
  ['restore_products', { p_ids: [added] }, 'list'],
  ['end_deleted_products', { p_limit: 50 }, 'number'],
  ['feature_products', { p_ids: [added], p_expected: [], p_limit: 3 }, 'saved'],
  ['featured_products', {}, 'list'],
  ['save_occasion', { p_occasion: null }, 'null'],
  ['read_occasion', {}, 'null'],
  ['unused_pictures', { p_limit: 10 }, '0 rows'],
  ['request_build', { ...plan, p_requested_by: 'admin' }, 'number'],
  ['deploy_budget', plan, 'object'],
  ['record_deploy', { p_deploy_id: 'deploy_1', p_state: 'building', p_reason: null }, 'number'],
  ['fail_build', { p_id: 1, p_reason: 'It failed' }, 'null'],
  ['save_notice', { p_notice: null }, 'null'],
  ['read_notice', {}, 'null'],
  [
    'create_discount',
    {
      p_discount: {
        code: 'ONAM',
        percent: 10,
        amount_paise: null,
        min_paise: 0,
        first_day: '2026-01-01',
        last_day: '2026-01-31',
        max_uses: null,
        max_per_shopper: null,
      },
    },
    'created',
  ],
  ['check_discount', { p_code: 'ONAM', p_user_id: customer }, 'object'],
  ['stop_discount', { p_code: 'ONAM', p_stopped: true }, 'true'],
  ['list_discounts', {}, 'list'],
  ['shown_discounts', {}, 'list'],
  [
    'ask_stock_alert',
    { p_product_id: ring, p_size: null, p_email: 'a@example.com', p_user_id: null },
    'available',
  ],
  ['confirm_stock_alert', { p_token: key }, 'false'],
  ['queue_back_in_stock', { p_per_hour: 100 }, 'number'],
  ['list_stock_alerts', {}, 'list'],
  ['delete_stock_alerts', { p_ids: [1] }, 'number'],
  [
    'place_order',
    {
      p_user_id: customer,
      p_idempotency_key: key,
      p_lines: [{ product_id: ring, quantity: 1 }],
      p_customer: customerDetails,
      p_expected_total_paise: 102_360,
      p_fee_bps: 236,
      p_hold_seconds: 900,
      p_max_units: 20,
    },
    'placed',
  ],
  [
    'place_admin_order',
    {
      p_key: key,
      p_lines: [{ product_id: ring, quantity: 1 }],
      p_customer: customerDetails,
      p_channel: 'instagram',
      p_hand_over: false,
      p_expected_total_paise: 100_000,
      p_fee_bps: 0,
      p_hold_seconds: 60,
      p_method: 'cash',
      p_reference: '',
      p_token: null,
      p_reduction_paise: 0,
    },
    'placed',
  ],
  ['read_payment_link', { p_order_id: 1002, p_token: 'a'.repeat(32) }, 'null'],
  [
    'attach_razorpay_order',
    { ...order, p_razorpay_order_id: razorpayOrder, p_key_id: 'rzp_1' },
    'attached',
  ],
  ['orders_to_check', { p_limit: 10, p_lease_seconds: 60 }, '0 rows'],
  ['mark_paid', { ...paid, p_razorpay_order_id: razorpayOrder, p_payment_id: payment }, 'paid'],
  ['release_order', { ...order, p_reason: 'expired' }, 'paid'],
  ['claim_outbox', { p_limit: 1, p_lease_seconds: 60 }, '1 rows'],
  ['finish_outbox', { p_id: 1, p_error: null }, 'object'],
  [
    'list_orders',
    { p_filter: 'all', p_all: [], p_any: [], p_after_at: null, p_after_id: null, p_limit: 10 },
    'object',
  ],
  ['read_order', order, 'object'],
  ['orders_for_slips', { p_stage: 'to_pack', p_limit: 50 }, 'object'],
  ['read_orders', { p_order_ids: [order.p_order_id] }, 'list'],
  [
    'list_customers',
    { p_all: [], p_any: [], p_sort: 'recent', p_offset: 0, p_limit: 10 },
    'object',
  ],
  ['sales_figures', { p_period: 'week', p_day: null }, 'object'],
  ['read_today', { p_low_stock_below: 5 }, 'object'],
  [
    'change_order_details',
    {
      ...order,
      p_changes: { customer_city: { from: 'Kochi', to: 'Thrissur' } },
      p_moves_state: false,
    },
    'changed',
  ],
  ['assign_invoice', { ...order, p_document: {} }, 'assigned'],
  ['read_invoice', order, 'object'],
  ['mail_invoice', order, 'queued'],
  ['own_invoice', { p_user_id: customer, ...order }, 'object'],
  ['own_data', { p_user_id: customer }, 'object'],
  ['data_of_address', { p_email: 'a@example.com' }, 'object'],
  ['ask_account_deletion', { p_user_id: customer }, 'mailed'],
  ['set_fulfilment', { ...order, p_state: 'packed', p_document: {} }, 'changed'],
  ['owns_order', { p_user_id: customer, ...order }, 'true'],
  [
    'note_claim_files',
    { ...order, p_kind: 'photo', p_paths: ['1001/a.webp'], p_keep: [] },
    'not_possible',
  ],
  ['claim_refusal', order, 'string'],
  ['note_claim_upload', { p_path: '1001/a.webp', p_bytes: 5 }, 'false'],
  ['drop_unfinished_upload', { p_path: '1001/a.webp' }, 'false'],
  ['withdraw_order_links', order, 'true'],
  ['report_claim', { ...order, p_message: 'Broken', p_paths: [], p_hours: 48 }, 'not_possible'],
  [
    'answer_claim',
    {
      ...order,
      p_claim_id: 1,
      p_key: key,
      p_answer: 'declined',
      p_reason: 'It was worn',
      p_amount_paise: null,
      p_items: {},
    },
    'not_found',
  ],
  ['read_claims', order, 'list'],
  ['take_due_claim_files', { p_days: 180, p_limit: 10 }, '0 rows'],
  ['forget_claim_files', { p_paths: ['1001/a.webp'] }, 'null'],
  [
    'ship_orders',
    {
      p_parcels: [{ order_id: order.p_order_id, carrier: 'DTDC', tracking_number: 'D12345678' }],
      p_save: false,
    },
    'checked',
  ],
  [
    'request_refund',
    { ...order, p_key: key, p_amount_paise: 100, p_reason: 'A scratch', p_restock: {} },
    'refunding',
  ],
  ['claim_refunds', { p_limit: 10, p_lease_seconds: 60 }, '1 rows'],
  [
    'finish_refund',
    { p_id: 1, p_razorpay_refund_id: 'rfnd_1', p_error: null, p_processed: false },
    'object',
  ],
  ['refunds_to_poll', { p_limit: 10 }, '0 rows'],
  ['clear_unanswered_refund', { p_id: 1 }, 'null'],
  [
    'record_refund',
    {
      p_payment_id: payment,
      p_razorpay_refund_id: 'rfnd_1',
      p_amount_paise: 100,
      p_status: 'processed',
      p_receipt: null,
    },
    'recorded',
  ],
  ['credit_notes_due', { p_limit: 10, p_order_id: null }, '1 rows'],
  ['issue_credit_note', { p_refund_id: 1, p_document: {}, p_earlier: 0 }, 'issued'],
  ['month_documents', { p_month: '2026-11-01' }, 'object'],
  [
    'record_dispute',
    {
      p_payment_id: payment,
      p_dispute_id: 'disp_1',
      p_event: 'payment.dispute.created',
      p_amount_paise: 100,
    },
    'recorded',
  ],
  [
    'cancel_order',
    {
      ...order,
      p_key: crypto.randomUUID(),
      p_reason: 'Sold in the shop',
      p_restock: true,
      p_payment_checked: true,
    },
    'cancelled',
  ],
  [
    'cancel_own_order',
    {
      p_user_id: customer,
      ...order,
      p_key: crypto.randomUUID(),
      p_paid: true,
      p_payment_checked: true,
    },
    'already',
  ],
  ['refund_payment', { p_payment_id: payment, p_key: crypto.randomUUID() }, 'nothing'],
  ['note_provider', { p_reachable: true }, 'null'],
  ['next_reconciliation', {}, 'object'],
  ['compare_payments', { p_payments: [] }, '0 rows'],
  ['refunds_to_record', { p_refunds: [] }, '0 rows'],
  ['unlisted_payments', { p_id: 1, p_key_id: 'rzp_1', p_limit: 50 }, '0 rows'],
  ['note_listed', { p_payment_ids: [payment] }, 'null'],
  [
    'advance_reconciliation',
    {
      p_id: 1,
      p_step: 'payments',
      p_skip: 0,
      p_next_step: null,
      p_next_skip: 0,
      p_payments: 0,
      p_differences: [],
    },
    'true',
  ],
  [
    'note_failed_payment',
    { p_event_id: 'event_2', p_payment_id: 'pay_2', p_razorpay_order_id: razorpayOrder },
    'recorded',
  ],
  ['payments_of_unknown_origin', { p_limit: 20, p_payment_id: null }, '0 rows'],
  ['settle_payment_origin', { p_payment_id: payment, p_is_ours: true }, 'null'],
  [
    'record_foreign_payment',
    {
      p_razorpay_order_id: 'order_1',
      p_payment_id: 'pay_1',
      p_amount_paise: 100,
      p_currency: 'INR',
    },
    'null',
  ],
  ['notify_admin', { p_topic: 'sweep', p_payload: {}, p_dedupe_key: 'a' }, 'null'],
  [
    'save_contact_message',
    { p_name: 'Asha', p_email: 'a@example.com', p_subject: 'Hello', p_message: 'Hello' },
    'number',
  ],
  ['save_form_entry', { p_form: 'order', p_fields: { name: 'Asha' }, p_caller: 'a:b' }, 'true'],
  ['subscribe', { p_email: 'a@example.com', p_consent_text: 'Yes' }, 'asked'],
  ['confirm_subscription', { p_token: key }, 'false'],
  ['unsubscribe', { p_token: key }, 'false'],
  ['list_inbox', { p_kind: 'messages', p_before: null, p_limit: 10 }, 'object'],
  ['mark_inbox', { p_kind: 'messages', p_id: 1, p_read: true, p_answered: null }, 'true'],
  ['all_subscribers', {}, 'list'],
  [
    'save_push_subscription',
    {
      p_endpoint: 'https://push.example.com/1',
      p_p256dh: 'a'.repeat(87),
      p_auth: 'a'.repeat(22),
      p_session_id: 1,
      p_device: 'Chrome on Android',
    },
    'null',
  ],
  ['list_push_devices', { p_session_id: 1 }, 'list'],
  ['remove_push_device', { p_id: 99 }, 'false'],
  ['end_push_subscription', { p_endpoint: 'https://push.example.com/1' }, 'true'],
  ['note_sweep', {}, 'null'],
  ['begin_sweep', { p_steps: [], p_settings: {}, p_claim_days: 9, p_stranger_mails: 9 }, 'object'],
  ['note_catalogue_rest', { p_state: '1', p_until: null, p_complete: true }, 'null'],
  ['is_own_reference', { p_reference: 'XYZ-1001-3f9a2c' }, 'false'],
  ['set_shop_settings', prefixes, 'true'],
  ['forget', { p_terms: retentionDays, p_limit: 10 }, 'done'],
  ['shop_health', {}, 'object'],
  ['end_admin_sessions', { p_id: 1, p_everywhere: false }, 'number'],
  ['erase_address', { p_email: 'a@example.com' }, 'number'],
  ['delete_account', { p_user_id: customer }, 'false'],
];

/** Functions that return rows one by one: `max_rows` cuts them, lists in one value it does not. */
const sets = await database.column<string>(
  `select proname as name from pg_proc where pronamespace = 'public'::regnamespace and proretset`,
);

async function ask(asker: Asker, name: string, args: Arguments): Promise<string> {
  const request = new Request(`https://project.supabase.co/rest/v1/rpc/${name}`, {
    method: 'POST',
    body: JSON.stringify(args),
  });
  const { data, code } = await askRestApi(database, asker, request, 1_000);
  if (code !== undefined) return code;
  if (Array.isArray(data)) return sets.includes(name) ? `${String(data.length)} rows` : 'list';
  if (data === null || typeof data === 'boolean') return String(data);
  const { outcome } = Object(data) as { outcome?: unknown };
  return typeof outcome === 'string' ? outcome : typeof data;
}

describe('each function that the shop calls', () => {
  test('is in this list, and no other', () => {
    expect(calls.map(([name]) => `rpc ${name}`).sort()).toEqual(
      findCalls().filter((name) => name.startsWith('rpc ')),
    );
  });

  test('answers the service, and refuses a visitor and a customer', async () => {
    const given: typeof calls = [];
    const open: string[] = [];
    for (const [name, args] of calls) {
      const refusals = [
        await ask({ role: 'anon' }, name, args),
        await ask({ role: 'authenticated', claims: { sub: customer } }, name, args),
      ];
      if (refusals.some((code) => code !== '42501')) open.push(`${name}: ${refusals.join()}`);
      given.push([name, args, await ask({ role: 'service_role' }, name, args)]);
    }
    expect(open).toEqual([]);
    expect(given.map(([name, , answer]) => `${name}: ${answer}`)).toEqual(
      calls.map(([name, , answer]) => `${name}: ${answer}`),
    );
  });
});
