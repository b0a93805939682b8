-- What belongs to one shop and SQL writes by itself: the prefixes of its numbers. src/settings has them, and every deploy
-- writes them here (docs/decisions/0036-sql-reads-the-prefixes-from-one-row.md).

-- One row. Its first values are those of releases 1.0.0 and 1.1.0, whose sites never write it.
create table public.shop_settings (
  id boolean primary key default true check (id),
  order_prefix text not null check (order_prefix ~ '^[A-Z0-9]{1,3}$'),
  -- Orders and Razorpay's receipts keep the prefix that they were made with.
  former_order_prefixes text[] not null default '{}',
  -- A document's number has at most 16 characters (CGST Rules, rule 46): 'KSV/26-27/100000' is the longest.
  invoice_prefix text not null check (invoice_prefix ~ '^[A-Z0-9]{1,3}$'),
  credit_note_prefix text not null check (credit_note_prefix ~ '^[A-Z0-9]{1,3}$'),
  constraint shop_settings_two_series check (invoice_prefix <> credit_note_prefix)
);

insert into public.shop_settings (order_prefix, invoice_prefix, credit_note_prefix) values ('KSV', 'KSV', 'CN');

alter table public.shop_settings enable row level security;
grant all on table public.shop_settings to service_role;

-- Writes the settings of the site that is deployed. Returns whether that changed them. Safe to repeat. Raises 23514 for a
-- prefix that is not possible.
create function public.set_shop_settings(p_order_prefix text, p_invoice_prefix text, p_credit_note_prefix text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_old public.shop_settings;
begin
  -- Serialises two callers, also when a restored backup has left no row.
  perform pg_advisory_xact_lock(hashtextextended('kasavu set_shop_settings', 0));
  select * into v_old from public.shop_settings where id;
  if (v_old.order_prefix, v_old.invoice_prefix, v_old.credit_note_prefix)
    is not distinct from (p_order_prefix, p_invoice_prefix, p_credit_note_prefix)
  then
    return false;
  end if;
  insert into public.shop_settings (order_prefix, former_order_prefixes, invoice_prefix, credit_note_prefix)
  values (
    p_order_prefix,
    array(
      select distinct former.prefix
      from (
        select unnest(v_old.former_order_prefixes) as prefix
        union all
        -- An order may be in the making with it, and not yet be visible here.
        select v_old.order_prefix where exists (select 1 from public.orders)
        union all
        select substring(o.merchant_transaction_id from '^([A-Z0-9]{1,3})-[0-9]+-') from public.orders o
      ) former
      where former.prefix <> p_order_prefix
      order by former.prefix
    ),
    p_invoice_prefix, p_credit_note_prefix
  )
  on conflict (id) do update
    set order_prefix = excluded.order_prefix,
        former_order_prefixes = excluded.former_order_prefixes,
        invoice_prefix = excluded.invoice_prefix,
        credit_note_prefix = excluded.credit_note_prefix;
  return true;
end;
$$;
grant execute on function public.set_shop_settings(text, text, text) to service_role;

-- ── Orders ──

-- A new order's reference, such as 'KSV-1001-3f9a2c'. Razorpay shows it as the receipt.
create function private.order_reference(p_order_id bigint)
returns text
language plpgsql
set search_path = ''
as $$
begin
  return (
    select s.order_prefix || '-' || p_order_id || '-' || left(gen_random_uuid()::text, 6) from public.shop_settings s
  );
end;
$$;

-- Whether a reference is one of this shop's, also when its order is lost or when the prefix has changed since.
create function public.is_own_reference(p_reference text)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (
    select 1
    from public.shop_settings s, unnest(s.former_order_prefixes || s.order_prefix) prefix
    where starts_with(p_reference, prefix || '-')
  );
$$;
grant execute on function public.is_own_reference(text) to service_role;

-- Creates a free order of an order's items. p_items is {line key: quantity}. Takes their stock and discounts them in
-- full. Returns {outcome}: placed, with order_id; too_many_items, with line_key; out_of_stock. The caller has locked
-- the order.
create or replace function private.replace_items(p_order public.orders, p_items jsonb, p_key uuid)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_id bigint := nextval(pg_get_serial_sequence('public.orders', 'id'));
  v_wrong text;
  v_items jsonb;
  v_subtotal bigint;
begin
  select wanted.key into v_wrong
  from jsonb_each_text(p_items) wanted
  where wanted.value::bigint > coalesce((
    select sum((item ->> 'quantity')::bigint) from jsonb_array_elements(p_order.items) item
    where private.line_key(item) = wanted.key
  ), 0)
  order by 1
  limit 1;
  if v_wrong is not null then
    return jsonb_build_object('outcome', 'too_many_items', 'line_key', v_wrong);
  end if;
  -- An order has each line key once.
  select jsonb_agg(
      item || jsonb_build_object(
        'quantity', (p_items ->> private.line_key(item))::integer,
        'discount_paise',
        round(coalesce((item ->> 'price')::numeric, 0) * 100)::bigint * (p_items ->> private.line_key(item))::integer
      ) order by line),
    sum(round(coalesce((item ->> 'price')::numeric, 0) * 100)::bigint * (p_items ->> private.line_key(item))::integer)
  into v_items, v_subtotal
  from jsonb_array_elements(p_order.items) with ordinality i (item, line)
  where p_items ? private.line_key(item);
  if not private.reserve_stock_again(v_items) then
    return jsonb_build_object('outcome', 'out_of_stock');
  end if;
  insert into public.orders (
    id, user_id, merchant_transaction_id, customer_name, customer_email, customer_phone, customer_address, customer_city,
    customer_postal_code, items, subtotal_paise, discount_paise, fee_paise, total_paise, fee_bps, status, payment_status,
    payment_method, hold_state, admin_key, replaces
  )
  values (
    v_id, p_order.user_id, private.order_reference(v_id), p_order.customer_name,
    p_order.customer_email, p_order.customer_phone, p_order.customer_address, p_order.customer_city,
    p_order.customer_postal_code, v_items, v_subtotal,
    v_subtotal, 0, 0, 0, 'COMPLETED', 'COMPLETED', 'replacement', 'taken', p_key, p_order.id
  );
  return jsonb_build_object('outcome', 'placed', 'order_id', v_id);
end;
$$;

-- ── Invoices and credit notes ──

-- A serial number belongs to the series and its financial year, not to the prefix: after a change of the prefix the numbers
-- go on (KSV/2026-27/0031, then PJ/2026-27/0032), so none is given twice or left out.

-- Issues the invoice of an order, or returns the number of the existing one. The caller has locked the order, and
-- takes no other lock afterwards. Raises 22023 without a document.
create or replace function private.issue_invoice(p_order_id bigint, p_document jsonb)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_number text;
  v_counter public.document_counters;
begin
  select invoice_number into v_number from public.orders where id = p_order_id;
  if v_number is not null then
    return v_number;
  end if;
  if jsonb_typeof(p_document) is distinct from 'object' then
    raise exception 'an invoice needs its document' using errcode = '22023';
  end if;
  v_counter := private.next_document('invoice');
  v_number := private.document_number(
    (select invoice_prefix from public.shop_settings), v_counter.financial_year, v_counter.last_serial
  );
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
  v_counter := private.next_document('credit_note');
  v_number := private.document_number(
    (select credit_note_prefix from public.shop_settings), v_counter.financial_year, v_counter.last_serial
  );
  insert into public.credit_notes (number, refund_id, invoice_number, financial_year, serial, issued_at, document)
  values (
    v_number, p_refund_id, v_order.invoice_number, v_counter.financial_year, v_counter.last_serial,
    v_counter.last_issued_at, p_document
  );
  return jsonb_build_object('outcome', 'issued', 'number', v_number);
end;
$$;

-- Parses a number that private.document_number formatted, of the series 'invoice' or 'credit_note'. Any prefix may be in it,
-- because the lost database may have had a newer one than the backup; only that of the other series is refused. Null for
-- null; raises 22023 for any other text.
drop function private.parse_document_number(text, text);
create or replace function private.parse_document_number(p_series text, p_number text, out serial integer, out financial_year text)
language plpgsql
stable
strict
set search_path = ''
as $$
declare
  v_parts text[] := regexp_match(btrim(p_number), '^([A-Z0-9]{1,3})/((?:20)?[0-9]{2}-[0-9]{2})/([0-9]{4,6})$');
begin
  if v_parts is null or v_parts[1] = (
    select case p_series when 'invoice' then s.credit_note_prefix else s.invoice_prefix end from public.shop_settings s
  ) then
    raise exception '% is not the number of %', p_number,
      case p_series when 'invoice' then 'an invoice' else 'a credit note' end using errcode = '22023';
  end if;
  financial_year := case when length(v_parts[2]) = 5 then '20' else '' end || v_parts[2];
  serial := v_parts[3]::integer;
end;
$$;

-- Prepares a database restored from a backup of p_backup_at to continue where the lost one stopped. p_last_order is
-- the highest order number issued; p_last_invoice and p_last_credit_note are the last numbers issued, or null.
--   * Order, invoice and internal numbers continue after those already issued.
--   * Mails that were waiting count as sent, and so do confirmations of orders whose hold has ended since. If such an
--     order turns out to be paid, its mails were sent before.
--   * All admin sessions end, and their devices are unsubscribed.
--   * The next sweep reconciles with Razorpay, so that paid orders in the backup are marked as paid.
--   * The catalogue version moves past the version of the live pages.
-- Returns {orders_after, mails, sessions}: the last order number, and how many mails were marked and sessions ended.
-- Safe to repeat. Raises 22023 for a future p_backup_at and for invalid numbers.
create or replace function public.after_restore(p_backup_at timestamptz, p_last_order bigint, p_last_invoice text,
  p_last_credit_note text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_last_order bigint;
  v_mails integer;
  v_sessions integer;
  v_sequence record;
begin
  if p_backup_at is null or p_backup_at > v_now or p_last_order is null or p_last_order < 0 then
    raise exception 'the time of the backup and the highest order number are required' using errcode = '22023';
  end if;

  insert into public.document_counters as c (series, financial_year, last_serial, last_issued_at)
  select d.series, n.financial_year, n.serial, v_now
  from (values ('invoice', p_last_invoice), ('credit_note', p_last_credit_note)) d (series, number)
  cross join lateral private.parse_document_number(d.series, d.number) n
  where d.number is not null
  on conflict (series, financial_year) do update
    set last_serial = greatest(c.last_serial, excluded.last_serial),
        last_issued_at = greatest(c.last_issued_at, excluded.last_issued_at);

  v_last_order := greatest(p_last_order, (select coalesce(max(id), 0) from public.orders));
  -- The dedupe keys of mails and refunds contain ids. Gaps are harmless.
  for v_sequence in
    select format('%I.%I', s.schemaname, s.sequencename) as name, coalesce(s.last_value, s.start_value) as last
    from pg_catalog.pg_sequences s where s.schemaname = 'public'
  loop
    perform setval(v_sequence.name::regclass, case
      when v_sequence.name = pg_get_serial_sequence('public.orders', 'id') then greatest(v_last_order, v_sequence.last)
      else v_sequence.last + 1000000
    end);
  end loop;

  -- Before the mails, which would notify the devices.
  v_sessions := public.end_admin_sessions(null, true);
  insert into public.outbox (kind, order_id, dedupe_key, sent_at)
  select m.kind, o.id, m.kind || ':' || o.id, v_now
  from public.orders o
  cross join (values ('order_confirmation'), ('order_notice')) m (kind)
  where o.created_at <= p_backup_at and o.payment_id is null and o.razorpay_order_id is not null
    and o.hold_expires_at < v_now
  on conflict (dedupe_key) do nothing;
  update public.outbox set sent_at = v_now, locked_until = null where sent_at is null and created_at <= p_backup_at;
  get diagnostics v_mails = row_count;

  update public.provider_health set reconcile = true, unreachable_since = null where id;
  update public.catalogue_version set version = version + 1000000 where id;
  return jsonb_build_object(
    'orders_after', v_last_order, 'mails', v_mails, 'sessions', v_sessions
  );
end;
$$;

-- ── Categories ──

-- The shop's own are in its settings, and `productInputSchema` of src/domain refuses others. A product keeps a category that the
-- shop has no more (`isOffered` in src/domain/catalogue/product.ts).
alter table public.products drop constraint products_category_check;
alter table public.products
  add constraint products_category_check check (category ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(category) <= 60);
