-- Which order a row of a courier's list of cash pays, and the mails that strangers cause. The previous site works as before: its rows
-- have no order_reference, and get not_found for a parcel with several orders.

create function private.tracking_key(p_number text)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return upper(regexp_replace(coalesce(p_number, ''), '[\s\u00a0]', '', 'g'));
end;
$$;

create or replace function public.record_remittance(p_rows jsonb, p_save boolean)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_rows jsonb;
  v_order public.orders;
  v_row jsonb;
  v_outcome text;
  v_done jsonb := '[]';
  v_missing jsonb;
begin
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) > 5000 then
    raise exception 'a list of at most 5000 rows is required' using errcode = '22023';
  end if;
  -- One reading of the cash orders, because a list has thousands of rows.
  with listed as (
    select r.ordinality as place, r.value as entry, private.tracking_key(r.value ->> 'tracking_number') as parcel,
      (r.value ->> 'order_id')::bigint as order_id, lower(coalesce(r.value ->> 'order_reference', '')) as reference
    from jsonb_array_elements(p_rows) with ordinality r
  ), cash as materialized (
    select o.id, private.tracking_key(o.tracking_number) as parcel, lower(o.merchant_transaction_id) as reference,
      o.payment_reference, o.sold and o.payment_id is null as is_open
    from public.orders o
    where o.cash_paise > 0
  ), open_parcels as (
    select c.parcel, count(*) as orders from cash c where c.is_open group by 1
  ), sent as (
    select distinct on (l.place) l.place, c.id, not n.is_named and coalesce(p.orders, 0) > 1 as is_unclear
    from listed l
    join cash c on c.parcel = l.parcel and c.parcel <> ''
    cross join lateral (
      select coalesce(c.id = l.order_id and starts_with(c.reference, l.reference), false) as is_named
    ) n
    left join open_parcels p on p.parcel = c.parcel
    -- Couriers use a number again, and a list may be read again.
    order by l.place, n.is_named desc, coalesce(c.payment_reference = btrim(l.entry ->> 'reference'), false) desc,
      c.is_open desc, c.id desc
  )
  select coalesce(jsonb_agg(l.entry || jsonb_build_object(
    'found', case when s.is_unclear then null else coalesce(s.id, c.id) end, 'is_unclear', coalesce(s.is_unclear, false)
  ) order by l.place), '[]')
  into v_rows
  from listed l
  left join sent s on s.place = l.place
  left join cash c on s.id is null and c.id = l.order_id and starts_with(c.reference, l.reference)
    and '' in (l.parcel, c.parcel);
  perform 1 from public.orders o
  where o.id in (select (r ->> 'found')::bigint from jsonb_array_elements(v_rows) r)
  order by o.id
  for update;
  begin
    for v_row in select r from jsonb_array_elements(v_rows) r loop
      -- Read again: a row before this one may have paid it.
      select * into v_order from public.orders where id = (v_row ->> 'found')::bigint;
      v_outcome := case
        -- Release 1.3.0 sends no order_reference, and does not know this outcome.
        when (v_row ->> 'is_unclear')::boolean and v_row ? 'order_reference' then 'several_orders'
        when v_order.id is null then 'not_found'
        else private.receive_cash(v_order, (v_row ->> 'amount_paise')::bigint, v_row ->> 'reference')
      end;
      v_done := v_done || jsonb_build_object(
        'row', v_row -> 'row', 'order_id', v_order.id, 'outcome', v_outcome, 'due_paise', v_order.cash_paise
      );
    end loop;
    select coalesce(jsonb_agg(jsonb_build_object(
      'order_id', o.id, 'carrier', coalesce(o.carrier, ''), 'due_paise', o.cash_paise,
      'at', coalesce(o.shipped_at, o.delivered_at)
    ) order by o.id), '[]')
    into v_missing
    from public.orders o
    join (
      select lower(btrim(coalesce(p.carrier, ''))) as carrier, max(coalesce(p.shipped_at, p.delivered_at)) as last_at
      from public.orders p
      where p.id in (select (d ->> 'order_id')::bigint from jsonb_array_elements(v_done) d)
      group by 1
    ) paid on paid.carrier = lower(btrim(coalesce(o.carrier, '')))
      and coalesce(o.shipped_at, o.delivered_at) <= paid.last_at
    where o.cash_paise > 0 and o.status = 'PENDING' and o.fulfilment in ('shipped', 'delivered') and o.sold
      and o.id not in (select (d ->> 'order_id')::bigint from jsonb_array_elements(v_done) d where d ->> 'order_id' is not null)
      and private.tracking_key(o.tracking_number) not in (
        select private.tracking_key(r ->> 'tracking_number') from jsonb_array_elements(v_rows) r
        where (r ->> 'is_unclear')::boolean
      );
    if not p_save then
      raise exception 'nothing is kept' using errcode = 'KS001';
    end if;
  exception when sqlstate 'KS001' then
    null;
  end;
  return jsonb_build_object('rows', v_done, 'missing', v_missing);
end;
$$;

-- Whether an order is a stranger's: nothing was paid for it, and the shop neither made nor confirmed it. False for null.
create function private.is_strangers_order(p_order_id bigint)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.orders o
    where o.id = p_order_id
      and not (o.paid or o.paid_at is not null or o.admin_key is not null or o.replaces is not null
        or o.cash_confirmed_at is not null)
      and not exists (select 1 from public.payments p where p.order_id = o.id)
  );
end;
$$;

create or replace function public.notify_admin(
  p_topic text, p_payload jsonb, p_dedupe_key text, p_order_id bigint default null
)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
  select 'admin_alert', null, p_order_id, coalesce(p_payload, '{}') || jsonb_build_object('topic', p_topic), p_dedupe_key
  where not private.is_strangers_order(p_order_id)
  on conflict (dedupe_key) do nothing;
end;
$$;

-- Sends the mails of a stranger's order to the confirmed address of its account: the one in the form may be anybody's. Without an
-- account no mail is queued, because one without an address is the admin's.
create function private.address_mail()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if new.recipient is not null and new.kind <> 'push' and private.is_strangers_order(new.order_id) then
    new.recipient := (select private.confirmed_email(o.user_id) from public.orders o where o.id = new.order_id);
    if new.recipient is null then
      return null;
    end if;
  end if;
  return new;
end;
$$;

create trigger outbox_address_mail
before insert on public.outbox
for each row execute function private.address_mail();

create or replace function private.count_mail()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if new.kind in ('push', 'admin_alert', 'refund_alert', 'refund_notice', 'back_in_stock') or new.sent_at is not null
    or (new.order_id is not null and not private.is_strangers_order(new.order_id))
  then
    return null;
  elsif new.kind in ('order_notice', 'cash_order_ended') then
    -- They follow a mail that had room, and an order must end without room, too. Without the lock of private.cost_refusal, because
    -- the sweep ends several, and each locks its products.
    insert into public.costs (effect, scope) values ('stranger_mail', 'all');
  elsif private.count_cost('stranger_mail', private.cost_keys(null)) is not null then
    raise exception 'no mail is left for strangers today' using errcode = 'KS003';
  end if;
  return null;
end;
$$;
