-- How long stock is held without payment. An expired hold of a last unit is free for the next customer at once. Nobody keeps
-- a product from everyone else: the minutes in which its last unit is held without payment are limited for all accounts
-- together, not only for each account and network. The limits are rows of cost_limits.

-- Whether two callers, as the functions send them, are of one network.
create function private.share_network(p_one text, p_other text)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1
    from jsonb_each_text(private.cost_keys(null, p_one)) one
    join jsonb_each_text(private.cost_keys(null, p_other)) other on other = one
    where one.key <> 'all'
  );
end;
$$;

-- The lines of an order, whose stock is already subtracted, that leave nothing for anyone else.
create function private.last_units_of(p_order public.orders)
returns text[]
language sql
stable
set search_path = ''
as $$
  select coalesce(array_agg(private.line_key(i)), '{}')
  from jsonb_array_elements(p_order.items) i
  join public.products p on p.id = (i ->> 'product_id')::uuid
  where private.stock_of_line(p.stock, p.sizes, i ->> 'size') <= 0;
$$;

-- Extends the hold of an order, whose stock is already subtracted, to p_hold_seconds from now as far as the limits in
-- cost_limits allow, and returns it. Else returns {outcome: wait, until, reason}, and the caller rolls back:
--   minutes      the account held stock without paying for too long (unpaid_hold)
--   network      the order takes a last unit that its network held without paying for too long (last_unit); or everybody
--                together did, and this account or its network is one of them
--   last_pieces  account or network held too many last units (last_units); has the limit, and no `until` when this order
--                alone exceeds it
-- Once everybody together has held a last unit for too long, a further hold of it lasts three minutes, once for each account
-- and network. Nobody so keeps a product, or the shop, from all other customers for long. An order of the admin has no
-- account and no limit.
create function private.limit_hold(p_order public.orders, p_now timestamptz, p_hold_seconds integer)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  -- Enough time to pay.
  v_min constant integer := least(300, p_hold_seconds);
  v_short constant integer := 180;
  v_keys jsonb := private.cost_keys(p_order.user_id::text, p_order.network);
  v_order public.orders := p_order;
  v_until timestamptz := p_now + make_interval(secs => p_hold_seconds);
  v_limit record;
  v_max_lines integer;
begin
  v_order.last_units := private.last_units_of(p_order);
  for v_limit in
    select 'minutes' as reason, l.scope, l.units_left as seconds_left, l.again_at, null as line
    from private.cost_left('unpaid_hold', v_keys, v_min, p_now) l
    union all
    select 'network', l.scope, l.units_left, l.again_at, u.line
    from unnest(v_order.last_units) u (line), private.cost_left('last_unit', v_keys, v_min, p_now, u.line) l
    union all
    select 'last_pieces', l.scope, l.units_left / nullif(cardinality(v_order.last_units), 0), l.again_at, null
    from private.cost_left('last_units', v_keys, v_min * cardinality(v_order.last_units), p_now) l
    where v_order.last_units <> '{}'
  loop
    continue when p_order.user_id is null;
    if v_limit.again_at is not null and v_limit.reason = 'network' and v_limit.scope = 'all' then
      -- A reopened checkout keeps its hold, as long as there is time to pay.
      if p_order.hold_expires_at < p_now + interval '1 minute' and exists (
        select 1 from public.orders o
        where o.id <> p_order.id and o.last_units @> array[v_limit.line] and o.payment_id is null
          and o.created_at > p_now - interval '2 hours'
          and (o.user_id = p_order.user_id or private.share_network(o.network, p_order.network))
      ) then
        return jsonb_build_object('outcome', 'wait', 'reason', 'network', 'until', v_limit.again_at);
      end if;
      v_until := least(v_until, p_order.created_at + make_interval(secs => v_short));
    elsif v_limit.again_at is not null and p_order.hold_expires_at < p_now + make_interval(secs => v_min) then
      if v_limit.reason = 'last_pieces' then
        select l.most / v_min into v_max_lines
        from public.cost_limits l
        where l.effect = 'last_units' and l.scope = 'account';
      end if;
      return jsonb_strip_nulls(jsonb_build_object(
        'outcome', 'wait', 'reason', v_limit.reason, 'limit', v_max_lines,
        'until', case when cardinality(v_order.last_units) <= coalesce(v_max_lines, 50) then v_limit.again_at end
      ));
    end if;
    if v_limit.again_at is null or v_limit.scope <> 'all' then
      -- The present hold is counted already.
      v_until := least(v_until, greatest(p_order.hold_expires_at, p_now) + make_interval(secs => v_limit.seconds_left));
    end if;
  end loop;
  update public.orders o
  set last_units = v_order.last_units,
      hold_expires_at = greatest(o.hold_expires_at, v_until),
      next_check_at = greatest(o.hold_expires_at, v_until)
  where o.id = p_order.id
  returning * into v_order;
  return private.order_result('placed', v_order);
end;
$$;

-- Locks the expired holds of other customers that have what this cart lacks, and returns their orders. Does not wait for
-- one that is being paid or released at this moment.
create function private.lock_expired_holds(
  p_user_id uuid, p_ids uuid[], p_sizes text[], p_quantities integer[], p_now timestamptz
)
returns bigint[]
language plpgsql
set search_path = ''
as $$
begin
  return array(
    select o.id
    from public.orders o
    where o.hold_state = 'held' and o.hold_expires_at <= p_now and o.user_id is distinct from p_user_id
      and exists (
        select 1
        from unnest(p_ids, p_sizes, p_quantities) l (id, size, quantity)
        join public.products p on p.id = l.id
        where private.stock_of_line(p.stock, p.sizes, l.size) < l.quantity
          and o.items @> jsonb_build_array(jsonb_build_object('product_id', l.id))
      )
    order by o.id
    for update of o skip locked
  );
end;
$$;

-- Tells the admin when a product's last unit was held without payment for so long that the next holds of it are short: once
-- a day, with the name of the first. Runs when a hold ends, so it does not depend on anyone who was refused.
create function private.alert_of_held_product()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  perform public.notify_admin(
    'stock_held',
    jsonb_build_object('kind', 'product', 'name', i.item ->> 'name', 'minutes', floor(used.seconds / 60)::integer),
    'stock_held:product:' || private.india_date(now())
  )
  from unnest(new.last_units) l (line)
  join lateral (
    select item from jsonb_array_elements(new.items) item where private.line_key(item) = l.line limit 1
  ) i on true
  cross join lateral (
    select coalesce(sum(u.units), 0) as seconds
    from private.cost_uses('last_unit', 'all', '', now() - interval '2 hours', clock_timestamp(), l.line) u
  ) used
  where exists (
    select 1 from private.cost_left('last_unit', '{"all": ""}', 300, clock_timestamp(), l.line) c
    where c.again_at is not null
  );
  return null;
end;
$$;

create trigger orders_alert_of_held_product
after update on public.orders
for each row
when (old.hold_state = 'held' and new.hold_state = 'released' and new.payment_id is null and new.last_units <> '{}')
execute function private.alert_of_held_product();
