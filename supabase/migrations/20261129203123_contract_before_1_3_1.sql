-- Takes out what served releases before 1.3.1: networks without a prefix (1.1.0), codes counted by count_cost (1.2.0) and lists of
-- remitted cash without order_reference (1.3.0). The sites of 1.3.1 and 1.3.2 send none of these.

-- Written by npm run migration
create or replace function private.cost_keys(p_account text, p_network text default null, p_phone_key text default null)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return jsonb_strip_nulls(jsonb_build_object(
    'account', p_account,
    'phone', case when p_phone_key is not null then private.phone_hash(p_phone_key) end,
    'network', substring(p_network from '64:([^ ]+)'),
    'shared', substring(p_network from '(?:ip|48):([^ ]+)'),
    'all', ''
  ));
end;
$$;

create or replace function public.count_cost(p_effect text, p_account text default null, p_network text default null)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  if not exists (select 1 from public.cost_limits l where l.effect = p_effect) then
    raise exception 'there is no effect %', p_effect using errcode = '22023';
  end if;
  -- Most forms cause a mail.
  if p_effect = 'form_try' and private.takes_too_much(p_effect, private.cost_keys(p_account, p_network), 'stranger_mail') then
    return false;
  end if;
  return private.count_cost(p_effect, private.cost_keys(p_account, p_network)) is null;
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
      o.payment_reference, o.sold and o.payment_id is null as is_open,
      o.fulfilment in ('shipped', 'delivered') or coalesce(o.release_reason = 'refused', false) as is_sent,
      -- Couriers use a number again after months. One that was paid by hand is still an order of the same parcel.
      count(*) over (
        partition by private.tracking_key(o.tracking_number) order by coalesce(o.shipped_at, o.delivered_at, o.created_at)
        range between interval '30 days' preceding and interval '30 days' following
      ) as orders_of_parcel
    from public.orders o
    where o.cash_paise > 0
  ), sent as (
    select distinct on (l.place) l.place, c.id, not n.is_named and c.is_open and c.orders_of_parcel > 1 as is_unclear
    from listed l
    join cash c on c.parcel = l.parcel and c.parcel <> ''
    cross join lateral (
      select coalesce(c.id = l.order_id and starts_with(c.reference, l.reference), false) as is_named
    ) n
    -- A list may be read again.
    order by l.place, n.is_named desc, coalesce(c.payment_reference = btrim(l.entry ->> 'reference'), false) desc,
      c.is_open desc, c.id desc
  )
  select coalesce(jsonb_agg(l.entry || jsonb_build_object(
    'found', case when s.is_unclear then null else coalesce(s.id, c.id) end, 'is_unclear', coalesce(s.is_unclear, false)
  ) order by l.place), '[]')
  into v_rows
  from listed l
  left join sent s on s.place = l.place
  left join cash c on s.id is null and c.id = l.order_id and starts_with(c.reference, l.reference) and c.is_sent
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
        when (v_row ->> 'is_unclear')::boolean then 'several_orders'
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
-- end
