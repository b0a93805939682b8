-- What happens to an order after it is paid, and what the owner's list of orders reads.

alter table public.orders
  add column fulfilment text not null default 'new'
    check (fulfilment in ('new', 'packed', 'shipped', 'delivered', 'cancelled')),
  add column carrier text check (char_length(carrier) <= 80),
  add column tracking_number text check (char_length(tracking_number) <= 60),
  add column tracking_url text check (tracking_url ~ '^https://' and char_length(tracking_url) <= 600),
  add column packed_at timestamptz,
  add column shipped_at timestamptz,
  add column delivered_at timestamptz,
  add column cancelled_at timestamptz,
  add column cancel_reason text check (char_length(cancel_reason) <= 200),
  add column invoice_number text unique check (char_length(invoice_number) <= 16),
  add column restocked jsonb not null default '{}' check (jsonb_typeof(restocked) = 'object');
comment on column public.orders.cancel_reason is 'The owner''s words, for the owner alone';
comment on column public.orders.restocked is 'Pieces given back to stock after payment: {product_id: quantity}';

grant select (
  fulfilment, carrier, tracking_number, tracking_url, packed_at, shipped_at, delivered_at, cancelled_at, invoice_number
) on public.orders to authenticated;

-- The owner's filters, one an order. The words are those of orderStatus in src/domain/order.ts, so that imported orders
-- stand where their status says; what was refunded whole, and what nobody knows, is 'other' and in no filter but 'all'.
-- search_text: number, receipt, invoice, name, e-mail, payment, then the phone's digits up to '$', all in lower case.
-- It is cut short because an index carries it, and a row of an index has a largest size.
alter table public.orders
  add column stage text generated always as (
    case
      when fulfilment <> 'new' then fulfilment
      when lower(coalesce(nullif(btrim(payment_status), ''), btrim(status), ''))
        in ('completed', 'captured', 'success', 'partially_refunded') then 'to_pack'
      when lower(coalesce(nullif(btrim(payment_status), ''), btrim(status), ''))
        in ('', 'pending', 'created', 'failed', 'failure') then 'unpaid'
      else 'other'
    end
  ) stored,
  add column search_text text generated always as (
    lower(
      '#' || id::text || ' ' || merchant_transaction_id || ' ' || coalesce(invoice_number, '') || ' '
      || left(coalesce(customer_name, ''), 100) || ' ' || left(coalesce(customer_email, ''), 150) || ' '
      || left(coalesce(payment_id, ''), 30) || ' '
      || left(regexp_replace(coalesce(customer_phone, ''), '[^0-9]', '', 'g'), 20) || '$'
    )
  ) stored;

-- A page of the list and a search over all orders are read from the index alone.
create index orders_newest_idx on public.orders (created_at desc, id desc) include (search_text);
create index orders_stage_idx on public.orders (stage, created_at desc, id desc);
create index orders_paid_at_idx on public.orders (paid_at) where paid_at is not null;
create index refunds_open_idx on public.refunds (order_id) where state <> 'processed';

-- A piece may be deleted before its invoice is written: its order remembers what the tax rate hangs on.
create function private.add_tax_facts()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if new.hold_state = 'held' and jsonb_typeof(new.items) = 'array' then
    select jsonb_agg(
      item || jsonb_strip_nulls(jsonb_build_object('category', p.category, 'hsn', p.attributes ->> 'hsn'))
      order by line
    )
    into new.items
    from jsonb_array_elements(new.items) with ordinality i (item, line)
    left join public.products p on p.id::text = item ->> 'product_id';
  end if;
  return new;
end;
$$;

create trigger orders_add_tax_facts
before insert on public.orders
for each row execute function private.add_tax_facts();

-- Whether an order's own words say that it is paid and not refunded whole.
create function private.is_paid(p_order public.orders)
returns boolean
language sql
immutable
set search_path = ''
as $$
  select lower(coalesce(nullif(btrim(p_order.payment_status), ''), btrim(p_order.status), ''))
    in ('completed', 'captured', 'success', 'partially_refunded');
$$;

revoke execute on function private.add_tax_facts(), private.is_paid(public.orders) from public, anon, authenticated;
