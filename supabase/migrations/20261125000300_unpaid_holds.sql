-- Nobody keeps a product from everyone else: the minutes in which its last unit is held without payment are limited
-- for all accounts together, not only for each account and network.

alter table public.orders add column last_units text[] not null default '{}';
comment on column public.orders.last_units is
  'Line keys of which this order took the last unit when it was placed, see private.limit_hold';
create index orders_last_units_idx on public.orders (created_at) where last_units <> '{}';

-- How long orders held the last unit of p_line_key without payment in the last two hours, in seconds: all of them
-- (seconds), and those of an account or network (own_seconds). again_at: when `seconds` is back at p_max_seconds; null
-- when it is not above. Counts each order as private.hold_budget does, and leaves out p_without.
create function private.last_unit_use(
  p_line_key text, p_without bigint, p_user_id uuid, p_network text, p_now timestamptz, p_max_seconds integer
)
returns table (seconds double precision, own_seconds double precision, again_at timestamptz)
language plpgsql
stable
set search_path = ''
as $$
declare
  v_window constant interval := interval '2 hours';
begin
  return query
  with held as (
    select greatest(o.created_at, p_now - v_window) as since,
      least(coalesce(o.released_at, p_now), o.hold_expires_at + interval '5 minutes', p_now) as until,
      coalesce(o.user_id = p_user_id, false) or coalesce(o.network = p_network, false) as own
    from public.orders o
    where o.payment_id is null and o.hold_state in ('held', 'released') and o.last_units @> array[p_line_key]
      and o.created_at > p_now - v_window - interval '1 hour' and o.id is distinct from p_without
  ), counted as (
    select h.since, h.own, extract(epoch from h.until - h.since)::double precision as length
    from held h where h.until > h.since
  ), summed as (
    select c.since, c.length, sum(c.length) over (order by c.since) as total from counted c
  ), used as (
    select coalesce(sum(c.length), 0) as total, coalesce(sum(c.length) filter (where c.own), 0) as own from counted c
  )
  select u.total, u.own, case when u.total > p_max_seconds then (
      select s.since + v_window + make_interval(secs => u.total - p_max_seconds - (s.total - s.length))
      from summed s where s.total >= u.total - p_max_seconds order by s.since limit 1) end
  from used u;
end;
$$;

-- Extends the hold of an order, whose stock is already subtracted, to p_hold_seconds from now as far as the limits
-- allow, and returns it. Else returns {outcome: wait, until, reason}, and the caller rolls back:
--   minutes      the account held stock without paying for p_max_hold_seconds of the last two hours
--   network      the order takes the last unit, and another account of its network holds some of it, or the accounts
--                of its network held this product without paying for an hour of the last two. With `product`: all
--                accounts together held this last unit for an hour of the last two, and this account or its network is
--                one of them
--   last_pieces  the account and its network hold the last units of too many products; has the limit, and no `until`
--                when this order alone exceeds it
-- Once all accounts together have held a last unit unpaid for an hour of two, a further hold of it lasts three minutes,
-- once for each account and network. The limits ensure that nobody can keep a product, or the shop, from all other
-- customers for long.
create or replace function private.limit_hold(
  p_order public.orders, p_now timestamptz, p_hold_seconds integer, p_max_hold_seconds integer
)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  -- Enough time to pay.
  v_least constant integer := least(300, p_hold_seconds);
  v_network_seconds constant integer := 3600;
  v_max_last_pieces constant integer := 10;
  v_product_seconds constant integer := 3600;
  v_short constant integer := 180;
  v_order public.orders := p_order;
  v_left double precision := p_hold_seconds;
  v_budget record;
  v_last text[];
  v_product record;
  v_until timestamptz;
  v_count integer;
begin
  if p_order.user_id is not null then
    select * into v_budget from private.hold_budget(p_order.user_id, null, null, p_now, p_max_hold_seconds, v_least);
    if v_budget.again_at is not null and p_order.hold_expires_at < p_now + make_interval(secs => v_least) then
      return jsonb_build_object('outcome', 'wait', 'reason', 'minutes', 'until', v_budget.again_at);
    end if;
    v_left := least(v_left, v_budget.seconds_left);
  end if;
  -- Lines that leave nothing for anyone else.
  select coalesce(array_agg(private.line_key(i)), '{}') into v_last
  from jsonb_array_elements(p_order.items) i
  join public.products p on p.id = (i ->> 'product_id')::uuid
  where private.stock_of_line(p.stock, p.sizes, i ->> 'size') <= 0;
  -- The admin's orders have no account and hold stock for the admin.
  if p_order.user_id is not null then
    for v_product in
      select u.* from unnest(v_last) l,
        lateral private.last_unit_use(l, p_order.id, p_order.user_id, p_order.network, p_now, v_product_seconds - v_short) u
    loop
      if v_product.again_at is not null and (
        -- A reopened checkout keeps its hold, as long as there is time to pay.
        v_product.own_seconds > 0 and p_order.hold_expires_at < p_now + interval '1 minute'
      ) then
        return jsonb_build_object('outcome', 'wait', 'reason', 'network', 'product', true, 'until', v_product.again_at);
      end if;
      v_left := least(v_left, case when v_product.again_at is null then v_product_seconds - v_product.seconds
        else v_short - extract(epoch from p_now - p_order.created_at) end);
    end loop;
  end if;
  if p_order.network is not null then
    select min(o.hold_expires_at) into v_until
    from public.orders o, jsonb_array_elements(o.items) i
    where o.hold_state = 'held' and o.network = p_order.network and o.user_id <> p_order.user_id
      and private.line_key(i) = any (v_last);
    if v_until is not null then
      return jsonb_build_object('outcome', 'wait', 'reason', 'network', 'until',
        greatest(v_until, p_now + interval '1 minute'));
    end if;
    for v_budget in
      select b.* from unnest(v_last) l,
        lateral private.hold_budget(null, p_order.network, left(l, 36)::uuid, p_now, v_network_seconds, v_least) b
    loop
      if v_budget.again_at is not null and p_order.hold_expires_at < p_now + make_interval(secs => v_least) then
        return jsonb_build_object('outcome', 'wait', 'reason', 'network', 'until', v_budget.again_at);
      end if;
      v_left := least(v_left, v_budget.seconds_left);
    end loop;
    select count(distinct private.line_key(i)), min(o.hold_expires_at) filter (where o.id <> p_order.id)
    into v_count, v_until
    from public.orders o, jsonb_array_elements(o.items) i
    join public.products p on p.id = (i ->> 'product_id')::uuid
    where o.hold_state = 'held' and (o.network = p_order.network or o.user_id = p_order.user_id)
      and private.stock_of_line(p.stock, p.sizes, i ->> 'size') <= 0;
    if v_count > v_max_last_pieces then
      return jsonb_strip_nulls(jsonb_build_object(
        'outcome', 'wait', 'reason', 'last_pieces', 'limit', v_max_last_pieces,
        'until', case when v_until is not null then greatest(v_until, p_now + interval '1 minute') end));
    end if;
  end if;
  update public.orders o
  set last_units = v_last,
      hold_expires_at = greatest(o.hold_expires_at, p_now + make_interval(secs => v_left)),
      next_check_at = greatest(o.hold_expires_at, p_now + make_interval(secs => v_left))
  where o.id = p_order.id
  returning * into v_order;
  return private.order_result('placed', v_order);
end;
$$;

-- Tells the admin when a product's last unit was held without payment for an hour of two: once a day for each product.
-- Runs when a hold ends, so it does not depend on anyone who was refused.
create function private.alert_of_held_product()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  perform public.notify_admin(
    'stock_held',
    jsonb_build_object('kind', 'product', 'name', i.item ->> 'name', 'minutes', floor(u.seconds / 60)::integer),
    'stock_held:' || l || ':' || (now() at time zone 'Asia/Kolkata')::date
  )
  from unnest(new.last_units) l
  join lateral (
    select item from jsonb_array_elements(new.items) item where private.line_key(item) = l limit 1
  ) i on true
  cross join lateral private.last_unit_use(l, null, null, null, clock_timestamp(), 3600) u
  where u.seconds >= 3600;
  return null;
end;
$$;

create trigger orders_alert_of_held_product
after update on public.orders
for each row
when (old.hold_state = 'held' and new.hold_state = 'released' and new.payment_id is null and new.last_units <> '{}')
execute function private.alert_of_held_product();
