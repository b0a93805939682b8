-- Invoices: numbers without gaps in each of India's financial years (April to March), and the document as it was issued.
-- Later changes of prices, tax rates, products or the shop's address change no invoice.
--
-- LOCK ORDER: the counter is the last lock of all (6 in `orders`). A transaction that fails rolls its number back too.

create table public.invoice_counters (
  financial_year text primary key check (financial_year ~ '^[0-9]{4}-[0-9]{2}$'),
  last_serial integer not null check (last_serial > 0),
  last_issued_at timestamptz not null
);

create table public.invoices (
  number text primary key check (char_length(number) <= 16),
  order_id bigint not null unique references public.orders (id),
  financial_year text not null,
  serial integer not null check (serial > 0),
  issued_at timestamptz not null,
  -- Seller, buyer, place of supply, lines with tax: see invoiceDocumentSchema in src/domain/invoice/invoice-document.ts.
  document jsonb not null check (jsonb_typeof(document) = 'object'),
  constraint invoices_serial unique (financial_year, serial)
);
create index invoices_issued_at_idx on public.invoices (issued_at);

alter table public.invoice_counters enable row level security;
alter table public.invoices enable row level security;

-- '2026-27' for any time from April 2026 to March 2027, Indian time.
create function private.financial_year(p_at timestamptz)
returns text
language sql
stable
set search_path = ''
as $$
  select y || '-' || lpad(((y + 1) % 100)::text, 2, '0')
  from (select extract(year from (p_at at time zone 'Asia/Kolkata') - interval '3 months')::integer as y) t;
$$;

-- 'KSV/2026-27/0001'; from the ten-thousandth of a year on 'KSV/26-27/10000', because GST allows 16 characters.
create function private.invoice_number(p_financial_year text, p_serial integer)
returns text
language sql
immutable
set search_path = ''
as $$
  select case
    when p_serial > 9999 then 'KSV/' || right(p_financial_year, 5) || '/' || p_serial
    else 'KSV/' || p_financial_year || '/' || lpad(p_serial::text, 4, '0')
  end;
$$;

-- Issues the invoice of an order, or returns the number of the one it has. The caller has locked the order, and takes no
-- other lock afterwards. Raises 22023 without a document.
create function private.issue_invoice(p_order_id bigint, p_document jsonb)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_number text;
  v_now timestamptz := clock_timestamp();
  v_year text := private.financial_year(v_now);
  v_counter public.invoice_counters;
begin
  select invoice_number into v_number from public.orders where id = p_order_id;
  if v_number is not null then
    return v_number;
  end if;
  if jsonb_typeof(p_document) is distinct from 'object' then
    raise exception 'an invoice needs its document' using errcode = '22023';
  end if;
  -- Dates never decrease within a year, even when the clock was read before waiting for the counter.
  insert into public.invoice_counters as c (financial_year, last_serial, last_issued_at)
  values (v_year, 1, v_now)
  on conflict (financial_year) do update
    set last_serial = c.last_serial + 1, last_issued_at = greatest(c.last_issued_at, excluded.last_issued_at)
  returning * into v_counter;
  v_number := private.invoice_number(v_year, v_counter.last_serial);
  insert into public.invoices (number, order_id, financial_year, serial, issued_at, document)
  values (v_number, p_order_id, v_year, v_counter.last_serial, v_counter.last_issued_at, p_document);
  update public.orders set invoice_number = v_number where id = p_order_id;
  return v_number;
end;
$$;

-- An invoice as it is shown: {number, issuedAt, document}.
create function private.invoice_facts(p_invoice public.invoices)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select jsonb_build_object('number', p_invoice.number, 'issuedAt', p_invoice.issued_at, 'document', p_invoice.document);
$$;

-- Refunds of an order's own payment, for its invoice: [{amountPaise, at}].
create function private.invoice_refunds(p_order public.orders)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select coalesce(
    jsonb_agg(jsonb_build_object('amountPaise', r.amount_paise, 'at', r.created_at) order by r.id), '[]'
  )
  from public.refunds r
  where r.order_id = p_order.id and r.payment_id = p_order.payment_id and r.state <> 'failed';
$$;

-- The invoice of an order, issued now if it has none: {outcome, invoice?}, the invoice with
-- its refunds. Outcomes: assigned; already; not_found;
-- not_paid (also for cancelled and fully refunded orders).
create function public.assign_invoice(p_order_id bigint, p_document jsonb)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_number text;
  v_invoice public.invoices;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if v_order.invoice_number is null and (v_order.fulfilment = 'cancelled' or not private.is_paid(v_order)) then
    return jsonb_build_object('outcome', 'not_paid');
  end if;
  v_number := private.issue_invoice(p_order_id, p_document);
  select * into v_invoice from public.invoices where number = v_number;
  return jsonb_build_object(
    'outcome', case when v_order.invoice_number is null then 'assigned' else 'already' end,
    'invoice', private.invoice_facts(v_invoice) || jsonb_build_object('refunds', private.invoice_refunds(v_order))
  );
end;
$$;

-- The invoice of a shopper's own order, with its refunds; null when it has none, or the order is another shopper's.
create function public.own_invoice(p_user_id uuid, p_order_id bigint)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.invoice_facts(i) || jsonb_build_object('refunds', private.invoice_refunds(o))
  from public.orders o
  join public.invoices i on i.order_id = o.id
  where o.id = p_order_id and o.id in (select private.order_ids_of(p_user_id));
$$;

-- What decides the tax rate of an order's products that still exist: {product_id: {category, hsn}}.
create function private.tax_facts(p_order public.orders)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select coalesce(
    jsonb_object_agg(p.id, jsonb_build_object('category', p.category, 'hsn', p.attributes ->> 'hsn')), '{}'
  )
  from public.products p
  where p.id = any (array(
    select (id #>> '{}')::uuid
    from unnest(array[p_order.items, p_order.products]) list, jsonb_path_query(list, 'lax $.**.product_id') id
    where id #>> '{}' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  ));
$$;

-- A month for the accountant, p_month being its first day in India: every invoice issued in it, and every order paid in
-- it without one. One JSON list, because the API returns a thousand rows at most.
create function public.month_accounts(p_month date)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  with month as (
    select date_trunc('month', p_month::timestamp) at time zone 'Asia/Kolkata' as first,
      (date_trunc('month', p_month::timestamp) + interval '1 month') at time zone 'Asia/Kolkata' as next
  ), chosen as (
    select i.order_id from public.invoices i, month m where i.issued_at >= m.first and i.issued_at < m.next
    union
    select o.id from public.orders o, month m
    where o.paid_at >= m.first and o.paid_at < m.next and o.invoice_number is null
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'order', to_jsonb(o) - 'search_text',
    'facts', case when i.number is null then private.tax_facts(o) else '{}' end,
    'invoice', case when i.number is not null then private.invoice_facts(i) end,
    'refunds', private.invoice_refunds(o)
  ) order by i.issued_at nulls last, i.serial, o.paid_at, o.id), '[]')
  from chosen c
  join public.orders o on o.id = c.order_id
  left join public.invoices i on i.order_id = o.id;
$$;
