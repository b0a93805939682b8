-- Orders of Razorpay's test mode are no income: not in the figures, the books or the series of invoices. The key that
-- made an order says so. The previous site reads and writes orders as before. Its test orders leave the figures, too.
--
-- The new column is computed for every order once, while nobody can read the table: a second for a hundred thousand.

alter table public.orders
  add column is_test boolean not null
    generated always as (coalesce(starts_with(razorpay_key_id, 'rzp_test_'), false)) stored;

comment on column public.orders.is_test is
  'Paid, or to be paid, in Razorpay''s test mode: no income, not in the books, and no invoice number of their series';

grant select (is_test) on public.orders to authenticated;

-- Paid orders that are neither tests, cancelled nor refunded in full, including imported ones. The columns are those of
-- release 1.0.0: `select *` in a view is expanded once, when the view is created.
create or replace view private.bought_orders as
select
  id, created_at, updated_at, user_id, merchant_transaction_id, idempotency_key, cart_fingerprint, customer_name,
  customer_email, customer_phone, customer_address, customer_city, customer_postal_code, customer_gstin, notes,
  gift_note, admin_note, items, products, subtotal_paise, discount_code, discount_paise, fee_paise, total_paise,
  fee_bps, currency, amount, total_amount, payment_amount, status, payment_status, payment_method, payment_reference,
  razorpay_order_id, razorpay_key_id, payment_id, paid_at, hold_state, network, hold_expires_at, released_at,
  release_reason, next_check_at, checks, fulfilment, carrier, tracking_number, tracking_url, packed_at, shipped_at,
  delivered_at, cancelled_at, cancel_reason, invoice_number, delivery_notice, channel, hand_over, pay_token,
  admin_key, restocked, paid, stage, search_text, phone_key, replaces
from public.orders
where stage in ('to_pack', 'packed', 'shipped', 'delivered') and upper(coalesce(payment_status, '')) <> 'REFUNDED'
  and not is_test;

-- Sales from p_from up to p_to: one row per paid order (orders 1, paise its total), one per refund of such an order
-- (orders 0, paise negative), including refunds in progress, and one per fee kept of a cancelled order (orders 0).
create or replace function private.sales(p_from timestamptz, p_to timestamptz)
returns table (at timestamptz, orders integer, paise bigint)
language sql
stable
set search_path = ''
as $$
  select o.paid_at, case when o.fulfilment = 'cancelled' then 0 else 1 end,
    case when o.fulfilment = 'cancelled' then o.kept_paise else coalesce(o.total_paise, 0) end
  from public.orders o
  where o.paid_at >= p_from and o.paid_at < p_to and (o.fulfilment <> 'cancelled' or o.kept_paise > 0) and not o.is_test
  union all
  select r.created_at, 0, -r.amount_paise
  from public.refunds r
  join public.orders o on o.id = r.order_id and o.payment_id = r.payment_id
  where r.created_at >= p_from and r.created_at < p_to and r.state <> 'failed'
    and o.paid_at is not null and o.fulfilment <> 'cancelled' and not o.is_test;
$$;

-- A page of orders: {orders: [{order, refundedPaise, openRefund}], counts}. p_filter: 'all', 'refunds' or a stage.
-- 'to_pack' and 'packed' are sorted oldest first, all others newest first. p_all and p_any are LIKE patterns for
-- search_text: all of p_all and one of p_any must match. The page starts after the order (p_after_at, p_after_id).
create or replace function public.list_orders(
  p_filter text, p_all text[], p_any text[], p_after_at timestamptz, p_after_id bigint, p_limit integer
)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_oldest_first boolean := p_filter in ('to_pack', 'packed');
  v_order text := case when v_oldest_first then 'asc' else 'desc' end;
  v_where text := 'true';
  v_orders jsonb;
  v_counts jsonb;
begin
  if p_limit is null or p_limit not between 1 and 101 then
    raise exception 'limit must be 1 to 101' using errcode = '22023';
  end if;
  if p_filter = 'refunds' then
    v_where := 'o.id in (select r.order_id from public.refunds r where r.state <> ''processed'')';
  elsif p_filter <> 'all' then
    v_where := 'o.stage = $1';
  end if;
  if cardinality(p_all) > 0 then
    v_where := v_where || ' and o.search_text like all ($2)';
  end if;
  if cardinality(p_any) > 0 then
    v_where := v_where || ' and o.search_text like any ($3)';
  end if;
  if p_after_at is not null then
    v_where := v_where || format(' and (o.created_at, o.id) %s ($4, $5)', case when v_oldest_first then '>' else '<' end);
  end if;
  -- Dynamic, so that each combination of filters gets a plan with its own index. All values are parameters.
  execute format(
    $query$
      select coalesce(jsonb_agg(jsonb_build_object(
        'refundedPaise', private.refunded_paise(o), 'openRefund', private.open_refund_state(o),
        'order', jsonb_build_object(
        'id', o.id, 'merchant_transaction_id', o.merchant_transaction_id, 'created_at', o.created_at,
        'customer_name', o.customer_name, 'customer_email', o.customer_email, 'customer_phone', o.customer_phone,
        'customer_city', o.customer_city, 'notes', o.notes, 'items', o.items, 'products', o.products,
        'amount', o.amount, 'total_amount', o.total_amount, 'payment_amount', o.payment_amount, 'status', o.status,
        'payment_status', o.payment_status, 'paid', o.paid, 'fulfilment', o.fulfilment, 'is_test', o.is_test
      )) order by page.created_at %2$s, page.id %2$s), '[]')
      from (
        select o.id, o.created_at from public.orders o where %1$s order by o.created_at %2$s, o.id %2$s limit $6
      ) page
      join public.orders o on o.id = page.id
    $query$,
    v_where, v_order
  )
  into v_orders
  using p_filter, p_all, p_any, p_after_at, p_after_id, p_limit;

  select jsonb_object_agg(stage, n) into v_counts
  from (select o.stage, count(*) as n from public.orders o group by o.stage) t;
  return jsonb_build_object(
    'orders', v_orders,
    'counts', coalesce(v_counts, '{}') || jsonb_build_object(
      'refunds', (select count(distinct r.order_id) from public.refunds r where r.state <> 'processed')
    )
  );
end;
$$;

-- Issues the invoice of an order, or returns the number of the existing one. The caller has locked the order, and
-- takes no other lock afterwards. Raises 22023 without a document.
create or replace function private.issue_invoice(p_order_id bigint, p_document jsonb)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_number text;
  v_is_test boolean;
  v_counter public.document_counters;
begin
  select invoice_number, is_test into v_number, v_is_test from public.orders where id = p_order_id;
  if v_number is not null then
    return v_number;
  end if;
  if jsonb_typeof(p_document) is distinct from 'object' then
    raise exception 'an invoice needs its document' using errcode = '22023';
  end if;
  if v_is_test then
    v_counter := row('invoice', 'test', p_order_id, clock_timestamp());
    v_number := 'TEST/' || p_order_id;
  else
    v_counter := private.next_document('invoice');
    v_number := private.document_number(
      (select invoice_prefix from public.shop_settings), v_counter.financial_year, v_counter.last_serial
    );
  end if;
  insert into public.invoices (number, order_id, financial_year, serial, issued_at, document)
  values (v_number, p_order_id, v_counter.financial_year, v_counter.last_serial, v_counter.last_issued_at, p_document);
  update public.orders set invoice_number = v_number where id = p_order_id;
  return v_number;
end;
$$;

-- Issues the credit note of a refund. p_earlier is the number of credit notes of the invoice when the document was
-- made. Returns {outcome}: issued, with number; already; changed (another credit note was issued in between);
-- not_due. Raises 22023 without a document.
create or replace function public.issue_credit_note(p_refund_id bigint, p_document jsonb, p_earlier integer)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_counter public.document_counters;
  v_number text;
begin
  if jsonb_typeof(p_document) is distinct from 'object' then
    raise exception 'a credit note needs its document' using errcode = '22023';
  end if;
  select o.* into v_order from public.orders o
  where o.id = (select r.order_id from public.refunds r where r.id = p_refund_id)
  for update;
  if v_order.invoice_number is null or not exists (
    select 1 from public.refunds r
    where r.id = p_refund_id and r.state = 'processed' and r.payment_id = v_order.payment_id
  ) then
    return jsonb_build_object('outcome', 'not_due');
  elsif exists (select 1 from public.credit_notes where refund_id = p_refund_id) then
    return jsonb_build_object('outcome', 'already');
  elsif (select count(*) from public.credit_notes where invoice_number = v_order.invoice_number) <> p_earlier then
    return jsonb_build_object('outcome', 'changed');
  end if;
  update public.refunds set has_credit_note = true where id = p_refund_id;
  if v_order.is_test then
    v_counter := row('credit_note', 'test', p_refund_id, clock_timestamp());
    v_number := 'TEST/C' || p_refund_id;
  else
    v_counter := private.next_document('credit_note');
    v_number := private.document_number(
      (select credit_note_prefix from public.shop_settings), v_counter.financial_year, v_counter.last_serial
    );
  end if;
  insert into public.credit_notes (number, refund_id, invoice_number, financial_year, serial, issued_at, document)
  values (
    v_number, p_refund_id, v_order.invoice_number, v_counter.financial_year, v_counter.last_serial,
    v_counter.last_issued_at, p_document
  );
  return jsonb_build_object('outcome', 'issued', 'number', v_number);
end;
$$;

-- The documents of a month for the accountant, in order of their numbers, without tests: {invoices, creditNotes}. p_month is its
-- first day in India. One JSON value, because the API returns at most 1,000 rows.
create or replace function public.month_documents(p_month date)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  with month as (
    select date_trunc('month', p_month::timestamp) at time zone 'Asia/Kolkata' as first,
      (date_trunc('month', p_month::timestamp) + interval '1 month') at time zone 'Asia/Kolkata' as next
  )
  select jsonb_build_object(
    'invoices', coalesce((
      select jsonb_agg(jsonb_build_object('number', i.number, 'issuedAt', i.issued_at, 'document', i.document)
        order by i.financial_year, i.serial)
      from public.invoices i, month m
      where i.issued_at >= m.first and i.issued_at < m.next and i.financial_year <> 'test'
    ), '[]'),
    'creditNotes', coalesce((
      select jsonb_agg(jsonb_build_object('number', c.number, 'issuedAt', c.issued_at, 'document', c.document)
        order by c.financial_year, c.serial)
      from public.credit_notes c, month m
      where c.issued_at >= m.first and c.issued_at < m.next and c.financial_year <> 'test'
    ), '[]')
  );
$$;
