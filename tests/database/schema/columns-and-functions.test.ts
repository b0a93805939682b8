import { describe, expect, test } from 'vitest';
import { sqlState } from '../support/database.ts';
import { useDatabase, type Asker } from '../support/postgres.ts';

const database = await useDatabase();
const a = await database.addCustomer('a@example.com');
const ring = await database.addProduct();
await database.placeOpen(a, [{ product_id: ring, quantity: 1 }]);

const visitor: Asker = { role: 'anon' };
const customer: Asker = { role: 'authenticated', claims: { sub: a } };

const columnsOf = (table: string): Promise<string[]> =>
  database.column(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1`,
    table,
  );

describe('columns', () => {
  const inside = [
    'idempotency_key',
    'cart_fingerprint',
    'fee_bps',
    'razorpay_key_id',
    'network',
    'held_since',
    'released_at',
    'release_reason',
    'ended_by',
    'next_check_at',
    'checks',
    'cancel_reason',
    'admin_note',
    'restocked',
    'replaces',
    'channel',
    'pay_token',
    'admin_key',
    'paid',
    'stage',
    'search_text',
    'phone_key',
    'last_units',
    'kept_paise',
    'erase_pending',
    'link_version',
    'asked_about',
  ];

  test('a customer reads their order without its internal columns', async () => {
    for (const column of await columnsOf('orders')) {
      const state = await sqlState(database.as(customer, `select ${column} from public.orders`));
      expect(`${column} ${state}`).toBe(`${column} ${inside.includes(column) ? '42501' : 'none'}`);
    }
    expect(await sqlState(database.as(customer, 'select * from public.orders'))).toBe('42501');
  });

  test('the pages find every column they ask for', async () => {
    const spec = `id, created_at, customer_name, customer_email, customer_phone, products, items, total_amount, payment_amount,
      amount, payment_status, status, razorpay_order_id, payment_id, merchant_transaction_id, user_id`;
    expect(await database.as(customer, `select ${spec} from public.orders`)).toHaveLength(1);
  });

  test('a customer edits the five fields of the profile form and no other', async () => {
    const editable = ['full_name', 'phone', 'address', 'city', 'postal_code'];
    for (const column of await columnsOf('profiles')) {
      const state = await sqlState(
        database.as(customer, `update public.profiles set ${column} = ${column}`),
      );
      expect(`${column} ${state}`).toBe(
        `${column} ${editable.includes(column) ? 'none' : '42501'}`,
      );
    }
  });

  test('a customer cannot store more in a profile than the form allows', async () => {
    for (const [column, longest] of Object.entries({
      full_name: 100,
      address: 200,
      city: 100,
      postal_code: 20,
    })) {
      const store = (length: number): Promise<string> =>
        sqlState(
          database.as(customer, `update public.profiles set ${column} = $1`, 'x'.repeat(length)),
        );
      expect([await store(longest), await store(longest + 1)]).toEqual(['none', '23514']);
    }
  });
});

interface Callable {
  name: string;
  call: string;
}
const all = await database.query<Callable & { schema: string }>(
  `select n.nspname as schema, p.proname as name, format('%I.%I(%s)', n.nspname, p.proname,
     (select string_agg('null::' || format_type(t, null), ', ' order by i) from unnest(p.proargtypes) with ordinality a (t, i))) as call
   from pg_proc p join pg_namespace n on n.oid = p.pronamespace
   where n.nspname in ('public', 'private') and p.prorettype <> 'trigger'::regtype`,
);
const ofSchema = (schema: string): Callable[] =>
  all.filter((callable) => callable.schema === schema);

describe('functions', () => {
  test('they are all here', () => {
    expect(ofSchema('public').map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'place_order',
        'attach_razorpay_order',
        'release_order',
        'mark_paid',
        'orders_to_check',
        'claim_outbox',
        'finish_outbox',
        'claim_refunds',
        'finish_refund',
        'hit_rate_limits',
        'count_code_mail',
        'count_cost',
        'read_admin_session',
        'open_admin_session',
        'end_admin_sessions',
        'confirm_admin_session',
        'offer_second_factor',
        'turn_on_second_factor',
        'turn_off_second_factor',
        'count_login_attempt',
        'save_push_subscription',
        'end_push_subscription',
        'list_push_devices',
        'remove_push_device',
        'admin_products',
        'admin_product',
        'insert_product',
        'save_product',
        'delete_product',
        'restore_product',
        'end_deleted_products',
        'products_by_id_or_name',
        'save_products',
        'delete_products',
        'restore_products',
        'featured_products',
        'feature_products',
        'read_occasion',
        'save_occasion',
        'unpublished_changes',
        'withdrawn_products',
        'unused_pictures',
        'request_build',
        'deploy_budget',
        'record_deploy',
        'fail_build',
        'list_orders',
        'read_order',
        'read_orders',
        'set_fulfilment',
        'ship_orders',
        'request_refund',
        'cancel_order',
        'cancel_own_order',
        'refund_payment',
        'assign_invoice',
        'own_invoice',
        'month_documents',
        'credit_notes_due',
        'issue_credit_note',
        'change_order_details',
        'list_inbox',
        'mark_inbox',
        'all_subscribers',
        'read_today',
        'read_notice',
        'place_admin_order',
        'read_payment_link',
        'save_notice',
        'orders_for_slips',
        'sales_figures',
        'list_customers',
        'mail_invoice',
        'check_discount',
        'create_discount',
        'stop_discount',
        'list_discounts',
        'shown_discounts',
        'ask_stock_alert',
        'list_stock_alerts',
        'delete_stock_alerts',
      ]),
    );
  });

  /** Those of `functions` for whom a call fails with 42501 (no privilege), or does not. */
  const callers = async (
    asker: Asker,
    functions: Callable[],
    denied: boolean,
  ): Promise<string[]> => {
    const names: string[] = [];
    for (const { call } of functions) {
      const state = await sqlState(database.as(asker, `select ${call}`));
      if ((state === '42501') === denied) names.push(call);
    }
    return names;
  };

  test('no browser calls any of them, public or private', async () => {
    const functions = [...ofSchema('public'), ...ofSchema('private')];
    expect(await callers(visitor, functions, false)).toEqual([]);
    expect(await callers(customer, functions, false)).toEqual([]);
  });

  test('the service calls each public one', async () => {
    // With nothing but nulls it may refuse its input, but not the caller.
    expect(await callers({ role: 'service_role' }, ofSchema('public'), true)).toEqual([]);
  });

  test('a function that a later migration forgets to close is closed all the same', async () => {
    await database.run(
      'create function public.forgotten() returns int language sql as $$ select 1 $$',
    );
    expect(await sqlState(database.as(visitor, 'select public.forgotten()'))).toBe('42501');
    expect(await sqlState(database.as(customer, 'select public.forgotten()'))).toBe('42501');
    await database.run('drop function public.forgotten()');
  });

  test('a table that a later migration forgets to close is closed all the same', async () => {
    await database.run('create table public.forgotten (id int)');
    expect(await sqlState(database.as(visitor, 'select * from public.forgotten'))).toBe('42501');
    expect(await sqlState(database.as(customer, 'select * from public.forgotten'))).toBe('42501');
    await database.run('drop table public.forgotten');
  });
});

test('product images have a public bucket that takes files of up to 8 MB', async () => {
  expect(await database.one(`select * from storage.buckets where id = 'product-images'`)).toEqual({
    id: 'product-images',
    name: 'product-images',
    public: true,
    file_size_limit: 8 * 1024 * 1024,
    allowed_mime_types: ['image/jpeg', 'image/png', 'image/webp', 'image/avif'],
  });
});
