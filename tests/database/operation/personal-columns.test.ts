import { expect, test } from 'vitest';
import { retention } from '#domain/retention.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';

const database = await useDatabase();

/** Tables and columns without a term, and why they need none. */
const settled: Readonly<Record<string, string>> = {
  products: 'the catalogue; deleted products end after 30 days, see end_deleted_products',
  old_addresses: 'addresses of products in another shop; end with their product',
  pictures: 'files that no product shows; unused ones end, see unused_pictures',
  shop_notice: 'one row',
  admin_second_factor: 'one row; ends when the admin turns it off',
  occasion: 'one row',
  shop_settings: 'one row; written by each deploy',
  heartbeats: 'one row a task',
  mail_server: 'one row; keyed hashes of two addresses at most, until the server takes a mail',
  builds: 'the 200 newest and those of 62 days, see request_build',
  discount_codes: 'written by the admin; no personal data',
  costs: 'each sweep deletes what no longer counts, see note_sweep',
  cost_limits: 'written by migrations; no personal data',
  profiles: 'ends with the account',
  cart_mail_refusals: 'the wish to get no mail about a cart holds for good; a hash of the address',
  wishlists: 'ends with the account; 100 products at most',
  payments: 'tax law; no name and no address',
  document_counters: 'tax law; two rows a year',
  'claims.answer': 'one of three words',
  'claims.answer_key': 'of one press of the admin',
  'invoices.number': 'tax law',
  'invoices.financial_year': 'tax law',
  'credit_notes.financial_year': 'tax law',
  'credit_notes.number': 'tax law',
  'credit_notes.invoice_number': 'tax law',
  'outbox.kind': 'a word of the program',
  'outbox.dedupe_key': 'ids and times',
  ...Object.fromEntries(
    'payment_id idempotency_key items state razorpay_refund_id last_error request_keys'
      .split(' ')
      .map((column) => [`refunds.${column}`, 'tax law; no name and no address']),
  ),
  ...Object.fromEntries(
    [
      'merchant_transaction_id idempotency_key cart_fingerprint admin_key items products sum_rows discount_code currency',
      'last_units restocked status payment_status payment_method hold_state release_reason ended_by',
      'razorpay_order_id razorpay_key_id payment_id advance_payment_id invoice_number',
      'fulfilment carrier channel delivery_notice terms asked_about review_request',
    ]
      .flatMap((names) => names.split(' '))
      .map((column) => [
        `orders.${column}`,
        'what was ordered, paid and sent; no name and no address',
      ]),
  ),
};

const ends: readonly string[] = Object.values(retention).flatMap(
  (term): readonly string[] => term.ends,
);

test('every column that can hold a person’s data has a term, or a reason why it needs none', async () => {
  const columns = await database.query<{ table: string; column: string }>(
    `select c.relname::text as table, a.attname::text as column
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       join pg_type t on t.oid = a.atttypid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       -- Numbers, times and yes or no name nobody.
       and t.typcategory not in ('N', 'D', 'B')`,
  );
  expect(columns.length).toBeGreaterThan(100);
  const decided = new Set([...ends, ...Object.keys(settled)]);
  expect(
    columns
      .map(({ table, column }) => [table, `${table}.${column}`] as const)
      .filter((names) => !names.some((name) => decided.has(name)))
      .map(([, name]) => name),
    'Somebody’s data may be in these. Write their term into `retention` of src/domain/retention.ts and into `private.forget_subject`, or, when they name nobody, the reason into `settled` of this file.',
  ).toEqual([]);
  const names = new Set(columns.flatMap(({ table, column }) => [table, `${table}.${column}`]));
  expect([...decided].filter((name) => !name.startsWith('auth.') && !names.has(name))).toEqual([]);
});
