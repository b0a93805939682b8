-- Invoices and credit notes, with gapless numbers per Indian financial year (April to March). Documents are stored as
-- issued: later changes of prices, tax rates, products or the shop's address do not change them. A refund after the
-- invoice gets a credit note (CGST Act, section 34). A refund before it gets one right after the invoice.
--
-- A serial number belongs to the series and its financial year, not to the prefix: after a change of the prefix the numbers
-- go on (KSV/2026-27/0031, then PJ/2026-27/0032), so none is given twice or left out.
--
-- The documents of a test order are for trying: 'TEST/1001', outside of the series, and in no list of a month.
--
-- LOCK ORDER: the counter is the last lock of all (6 in `orders.sql`). A transaction that fails rolls its number back.

create table public.document_counters (
  series text check (series in ('invoice', 'credit_note')),
  financial_year text check (financial_year ~ '^[0-9]{4}-[0-9]{2}$'),
  last_serial integer not null check (last_serial > 0),
  last_issued_at timestamptz not null,
  primary key (series, financial_year)
);

alter table public.document_counters enable row level security;

create table public.invoices (
  number text primary key check (char_length(number) <= 16),
  order_id bigint not null unique references public.orders (id),
  financial_year text not null,
  serial integer not null check (serial > 0),
  issued_at timestamptz not null,
  -- Seller, buyer, place of supply and lines with tax: invoiceDocumentSchema in
  -- src/domain/invoice/invoice-document.ts.
  document jsonb not null check (jsonb_typeof(document) = 'object'),
  constraint invoices_serial unique (financial_year, serial)
);

create index invoices_issued_at_idx on public.invoices (issued_at);

alter table public.invoices enable row level security;

create table public.credit_notes (
  number text primary key check (char_length(number) <= 16),
  -- A credit note is for a refund, or for what no refund gave back of an order that was cancelled (private.uncredited_paise).
  refund_id bigint unique references public.refunds (id),
  refused_order_id bigint references public.orders (id),
  -- What a credit note without a refund is for. Before 1.3.2 it was always the order's cash, and this is null.
  credited_paise bigint check (credited_paise > 0),
  invoice_number text not null references public.invoices (number),
  financial_year text not null,
  serial integer not null check (serial > 0),
  issued_at timestamptz not null,
  -- creditNoteSchema in src/domain/invoice/issued-documents.ts.
  document jsonb not null check (jsonb_typeof(document) = 'object'),
  constraint credit_notes_serial unique (financial_year, serial),
  constraint credit_notes_one_cause check (num_nonnulls(refund_id, refused_order_id) = 1)
);

create index credit_notes_invoice_number_idx on public.credit_notes (invoice_number);
create index credit_notes_issued_at_idx on public.credit_notes (issued_at);
create index credit_notes_refused_order_id_idx on public.credit_notes (refused_order_id);

alter table public.credit_notes enable row level security;

-- ── Numbers ──

-- '2026-27' for any time from April 2026 to March 2027 in India.
create function private.financial_year(p_at timestamptz)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select y || '-' || lpad(((y + 1) % 100)::text, 2, '0')
    from (select extract(year from (p_at at time zone 'Asia/Kolkata') - interval '3 months')::integer as y) t
  );
end;
$$;

-- 'KSV/2026-27/0001'. From 10,000 on 'KSV/26-27/10000', because GST allows 16 characters.
create function private.document_number(p_prefix text, p_financial_year text, p_serial integer)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case
    when p_serial > 9999 then p_prefix || '/' || right(p_financial_year, 5) || '/' || p_serial
    else p_prefix || '/' || p_financial_year || '/' || lpad(p_serial::text, 4, '0')
  end;
end;
$$;

-- The next number of a series. Times never decrease within a year, even if the clock was read before waiting for the
-- counter. The caller takes no other lock afterwards.
create function private.next_document(p_series text)
returns public.document_counters
language sql
set search_path = ''
as $$
  with now as (select clock_timestamp() as at)
  insert into public.document_counters as c (series, financial_year, last_serial, last_issued_at)
  select p_series, private.financial_year(at), 1, at from now
  on conflict (series, financial_year) do update
    set last_serial = c.last_serial + 1, last_issued_at = greatest(c.last_issued_at, excluded.last_issued_at)
  returning *;
$$;

-- Parses a number that private.document_number formatted, of the series 'invoice' or 'credit_note'. Any prefix may be in it,
-- because the lost database may have had a newer one than the backup; only that of the other series is refused. Null for
-- null; raises 22023 for any other text.
create function private.parse_document_number(p_series text, p_number text, out serial integer, out financial_year text)
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

-- ── Invoices ──

-- Issues the invoice of an order, or returns the number of the existing one. The caller has locked the order, and
-- takes no other lock afterwards. Raises 22023 without a document.
create function private.issue_invoice(p_order_id bigint, p_document jsonb)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_number text;
  v_is_test boolean;
  v_counter public.document_counters;
begin
  select invoice_number, kind = 'test' into v_number, v_is_test from public.orders where id = p_order_id;
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

-- Returns the invoice of an order, issued now if it has none: {outcome, invoice?} with the invoice as in
-- private.invoice_of. outcome: assigned; already; not_found; not_paid (also for cancelled and fully refunded orders);
-- outdated (the order has changed since p_revision, its updated_at when p_document was made; null skips the check).
create function public.assign_invoice(p_order_id bigint, p_document jsonb, p_revision timestamptz default null)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if v_order.invoice_number is null and not (private.answers_of(v_order.state, v_order.kind)).is_sale then
    return jsonb_build_object('outcome', 'not_paid');
  end if;
  if v_order.invoice_number is null and p_revision <> v_order.updated_at then
    return jsonb_build_object('outcome', 'outdated');
  end if;
  perform private.issue_invoice(p_order_id, p_document);
  return jsonb_build_object(
    'outcome', case when v_order.invoice_number is null then 'assigned' else 'already' end,
    'invoice', private.invoice_of(p_order_id)
  );
end;
$$;

-- The credit notes of an invoice, oldest first: [{number, issuedAt, document}].
create function private.credit_notes_of(p_invoice_number text)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object('number', c.number, 'issuedAt', c.issued_at, 'document', c.document)
      order by c.issued_at, c.serial
    ), '[]')
    from public.credit_notes c
    where c.invoice_number = p_invoice_number
  );
end;
$$;

-- An order's invoice with its credit notes: {number, issuedAt, document, creditNotes}, or null.
create function private.invoice_of(p_order_id bigint)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'number', i.number, 'issuedAt', i.issued_at, 'document', i.document,
      'creditNotes', private.credit_notes_of(i.number)
    )
    from public.invoices i
    where i.order_id = p_order_id
  );
end;
$$;

-- The invoice of an order for the admin, or null.
create function public.read_invoice(p_order_id bigint)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.invoice_of(p_order_id);
$$;

-- The invoice of a customer's own order, with its credit notes. Null without one, or for another customer's order.
create function public.own_invoice(p_user_id uuid, p_order_id bigint)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.invoice_of(o.id)
  from public.orders o
  where o.id = p_order_id and o.id in (select private.order_ids_of(p_user_id));
$$;

-- Queues the mail with an order's invoice to the customer, at most once a minute. Returns {outcome}: queued; already;
-- no_invoice; no_address; not_found.
create function public.mail_invoice(p_order_id bigint)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz;
  v_order public.orders;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  -- Read after waiting for the lock, so that a mail that another caller just queued is not in the future.
  v_now := clock_timestamp();
  if v_order.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_order.invoice_number is null then
    return jsonb_build_object('outcome', 'no_invoice');
  elsif coalesce(btrim(v_order.customer_email), '') = '' then
    return jsonb_build_object('outcome', 'no_address');
  elsif exists (
    select 1 from public.outbox m
    where m.order_id = p_order_id and m.kind = 'invoice_mail' and m.created_at > v_now - interval '1 minute'
  ) then
    return jsonb_build_object('outcome', 'already');
  end if;
  insert into public.outbox (kind, recipient, order_id, payload, dedupe_key, created_at)
  values (
    'invoice_mail', v_order.customer_email, p_order_id, private.invoice_of(p_order_id),
    'invoice_mail:' || p_order_id || ':' || extract(epoch from v_now), v_now
  );
  return jsonb_build_object('outcome', 'queued');
end;
$$;

-- ── Credit notes ──

-- Whether the cash of a cancelled order never came.
create function private.is_without_cash(p_order public.orders)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_order.cash_paise > 0 and p_order.fulfilment = 'cancelled' and p_order.payment_id is null;
end;
$$;

-- What the shop does not have of a cancelled order with an invoice, although no refund gave it back, less its credit notes: cash that never
-- came, and what banks gave back. 0 while a dispute is open. Refunds that may still be made come first.
create function private.uncredited_paise(p_order public.orders)
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  if p_order.fulfilment <> 'cancelled' or p_order.invoice_number is null or private.is_disputed(p_order) then
    return 0;
  end if;
  return greatest(0, case when private.is_without_cash(p_order) then p_order.cash_paise else 0 end + (
    select coalesce(sum(greatest(0, least(p.lost_paise, p.amount_paise - private.possibly_refunded_paise(p)))), 0)
    from public.payments p
    where p.order_id = p_order.id and p.lost_paise > 0 and private.is_own_payment(p_order, p.payment_id)
  ) - (
    select coalesce(sum(coalesce(c.credited_paise, p_order.cash_paise)), 0)
    from public.credit_notes c where c.refused_order_id = p_order.id
  ));
end;
$$;

-- What needs a credit note, of orders with an invoice: processed refunds, and what private.uncredited_paise says (refundId null, all items,
-- reason the order's release_reason for cash, else 'lost'). {refundId, orderId, amountPaise, reason, items, invoice}, with `invoice` as in private.invoice_of.
-- Only the oldest per order, because a credit note depends on those before it.
create function public.credit_notes_due(p_limit integer, p_order_id bigint default null)
returns setof jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  select jsonb_build_object(
    'refundId', due.id, 'orderId', due.order_id, 'amountPaise', due.amount_paise, 'reason', due.reason,
    'items', due.items,
    'invoice', private.invoice_of(due.order_id)
  )
  from (
    select distinct on (cause.order_id) cause.*
    from (
      select r.id, r.order_id, r.amount_paise, r.reason, r.items
      from public.refunds r
      join public.orders o
        on o.id = r.order_id and private.is_own_payment(o, r.payment_id) and o.invoice_number is not null
      where r.state = 'processed' and not r.has_credit_note
      union all
      select null, o.id, private.uncredited_paise(o), case
        when private.is_without_cash(o) and not exists (select 1 from public.credit_notes n where n.refused_order_id = o.id)
          then o.release_reason
        else 'lost'
      end, (
        select jsonb_object_agg(private.line_key(item), (item ->> 'quantity')::integer)
        from jsonb_array_elements(o.items) item
      )
      from public.orders o
      where o.id in (
          select c.id from public.orders c
          where c.cash_paise > 0 and c.fulfilment = 'cancelled' and c.payment_id is null and c.invoice_number is not null
            and not exists (select 1 from public.credit_notes n where n.refused_order_id = c.id)
          union all
          select p.order_id from public.payments p where p.lost_paise > 0
        )
        and private.uncredited_paise(o) > 0
    ) cause
    where p_order_id is null or cause.order_id = p_order_id
    order by cause.order_id, cause.id nulls first
  ) due
  order by due.order_id
  limit p_limit;
end;
$$;

-- Issues the credit note of a refund, or of the order p_refused_order_id. p_earlier is the number of credit notes of the invoice
-- when the document was made. Returns {outcome}: issued, with number; already; changed (another credit note was issued in
-- between); not_due. Raises 22023 without a document.
create function public.issue_credit_note(
  p_refund_id bigint, p_document jsonb, p_earlier integer, p_refused_order_id bigint default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_counter public.document_counters;
  v_number text;
  v_uncredited bigint;
  -- Earlier credit notes of the order without a refund.
  v_before integer;
begin
  if jsonb_typeof(p_document) is distinct from 'object' then
    raise exception 'a credit note needs its document' using errcode = '22023';
  end if;
  select o.* into v_order from public.orders o
  where o.id = coalesce((select r.order_id from public.refunds r where r.id = p_refund_id), p_refused_order_id)
  for update;
  if p_refund_id is null then
    v_uncredited := private.uncredited_paise(v_order);
    select count(*) into v_before from public.credit_notes where refused_order_id = p_refused_order_id;
  end if;
  if (v_uncredited = 0 and v_before > 0) or exists (select 1 from public.credit_notes where refund_id = p_refund_id) then
    return jsonb_build_object('outcome', 'already');
  elsif v_order.invoice_number is null or not (
    case when p_refund_id is null then v_uncredited > 0 else exists (
      select 1 from public.refunds r
      where r.id = p_refund_id and r.state = 'processed' and private.is_own_payment(v_order, r.payment_id)
    ) end
  ) then
    return jsonb_build_object('outcome', 'not_due');
  elsif (select count(*) from public.credit_notes where invoice_number = v_order.invoice_number) <> p_earlier then
    return jsonb_build_object('outcome', 'changed');
  end if;
  update public.refunds set has_credit_note = true where id = p_refund_id;
  if v_order.kind = 'test' then
    v_counter := row(
      'credit_note', 'test', coalesce(p_refund_id, 1000000000 + 100000000 * v_before + p_refused_order_id), clock_timestamp()
    );
    v_number := 'TEST/' || coalesce('C' || p_refund_id, 'R' || p_refused_order_id || coalesce('/' || nullif(v_before, 0) + 1, ''));
  else
    v_counter := private.next_document('credit_note');
    v_number := private.document_number(
      (select credit_note_prefix from public.shop_settings), v_counter.financial_year, v_counter.last_serial
    );
  end if;
  insert into public.credit_notes (
    number, refund_id, refused_order_id, credited_paise, invoice_number, financial_year, serial, issued_at, document
  )
  values (
    v_number, p_refund_id, p_refused_order_id, v_uncredited, v_order.invoice_number, v_counter.financial_year, v_counter.last_serial,
    v_counter.last_issued_at, p_document
  );
  return jsonb_build_object('outcome', 'issued', 'number', v_number);
end;
$$;

-- ── For the forms and the accountant ──

-- The facts that decide the tax rate of an order's products that still exist: {product_id: {category, hsn}}.
create function private.tax_facts(p_order public.orders)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select coalesce(
      jsonb_object_agg(p.id, jsonb_build_object('category', p.category, 'hsn', p.attributes ->> 'hsn')), '{}'
    )
    from public.products p
    where p.id = any (array(
      select (id #>> '{}')::uuid
      from unnest(array[p_order.items, p_order.products]) list, jsonb_path_query(list, 'lax $.**.product_id') id
      where id #>> '{}' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    ))
  );
end;
$$;

-- The documents of a month for the accountant, in order of their numbers, without tests: {invoices, creditNotes}. p_month is its
-- first day in India. One JSON value, because the API returns at most 1,000 rows.
create function public.month_documents(p_month date)
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
