-- Holds: an expired hold of a last unit is free for the next customer at once, and the limits of unpaid holds are rows of
-- cost_limits. Discount codes that are limited per customer follow the phone of a reused order.

alter table public.orders add column asked_about text[] not null default '{}';
comment on column public.orders.asked_about is
  'Details that cannot be right, which the customer was asked about and kept: postal_code, phone';

-- The details that the customer was asked about, of those known.
create function private.asked_about(p_customer jsonb)
returns text[]
language plpgsql
immutable
set search_path = ''
as $$
begin
  return array(
    select field from unnest(array['postal_code', 'phone']) field
    where jsonb_typeof(p_customer -> 'asked_about') = 'array' and p_customer -> 'asked_about' ? field
  );
end;
$$;

-- ── Discount codes ──

-- Why no use of a code is left for a customer: used_up, used_by_shopper, or needs_phone, when a code that is limited per
-- customer comes with a phone that nobody can dial, so that it identifies nobody. Null: one is left. A null p_phone is not checked. Does not count the
-- order p_without. A caller that adds a use has locked the code.
create function private.discount_use_refusal(
  p_code public.discount_codes, p_user_id uuid, p_phone text, p_without bigint default null
)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return case
    when p_code.max_per_shopper is not null and p_phone is not null and not private.is_indian_phone(p_phone)
      then 'needs_phone'
    else private.discount_used(p_code, p_user_id, private.phone_key(p_phone), p_without)
  end;
end;
$$;

-- Why a code is refused, with what the customer should know; null when it is accepted. reason: unknown, not_yet,
-- over, cart_too_small, or a private.discount_use_refusal. Null arguments are not checked.
drop function private.discount_refusal(public.discount_codes, uuid, text, bigint);
create or replace function private.discount_refusal(
  p_code public.discount_codes, p_user_id uuid, p_phone text, p_subtotal_paise bigint, p_without bigint default null
)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select jsonb_strip_nulls(jsonb_build_object(
      'reason', reason,
      'first_day', case when reason = 'not_yet' then p_code.first_day end,
      'min_paise', case when reason = 'cart_too_small' then p_code.min_paise end
    ))
    from (
      select case
        when p_code.code is null then 'unknown'
        when p_code.stopped_at is not null or p_code.last_day < today then 'over'
        when p_code.first_day > today then 'not_yet'
        else coalesce(
          private.discount_use_refusal(p_code, p_user_id, p_phone, p_without),
          case when p_subtotal_paise < p_code.min_paise then 'cart_too_small' end
        )
      end as reason
      from private.india_date(clock_timestamp()) today
    ) t
    where reason is not null
  );
end;
$$;

-- ── How long stock is held without payment ──

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
create or replace function private.limit_hold(p_order public.orders, p_now timestamptz, p_hold_seconds integer)
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
  -- Lines that leave nothing for anyone else.
  select coalesce(array_agg(private.line_key(i)), '{}') into v_order.last_units
  from jsonb_array_elements(p_order.items) i
  join public.products p on p.id = (i ->> 'product_id')::uuid
  where private.stock_of_line(p.stock, p.sizes, i ->> 'size') <= 0;
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

-- Updates an open order with the latest details and key.
create or replace function private.reuse_order(p_order_id bigint, p_key uuid, p_customer jsonb)
returns public.orders
language plpgsql
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  update public.orders
  set idempotency_key = p_key,
      customer_name = p_customer ->> 'name',
      customer_email = p_customer ->> 'email',
      customer_phone = p_customer ->> 'phone',
      customer_address = p_customer ->> 'address',
      customer_city = p_customer ->> 'city',
      customer_postal_code = p_customer ->> 'postal_code',
      notes = p_customer ->> 'notes',
      gift_note = nullif(p_customer ->> 'gift_note', ''),
      customer_gstin = nullif(p_customer ->> 'gstin', ''),
      asked_about = private.asked_about(p_customer)
  where id = p_order_id
  returning * into v_order;
  return v_order;
end;
$$;

-- Places or reuses the order of a cart, given as the arrays of private.cart_lines. The outcomes are those of
-- place_order. On any other outcome than placed or reused the caller must roll back. The caller has the customer's
-- advisory lock. p_max_hold_seconds is of release 1.1.0; cost_limits has the limit now.
create or replace function private.place_cart(
  p_user_id uuid,
  p_idempotency_key uuid,
  p_ids uuid[],
  p_sizes text[],
  p_quantities integer[],
  p_fingerprint text,
  p_customer jsonb,
  p_expected_total_paise bigint,
  p_fee_bps integer,
  p_hold_seconds integer,
  p_max_hold_seconds integer,
  p_max_units integer,
  p_blank text[],
  p_discount_code text,
  p_network text,
  p_reduction_paise bigint
)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_now timestamptz;
  v_order public.orders;
  v_superseded bigint[];
  v_expired bigint[];
  v_unknown jsonb;
  v_unsized jsonb;
  v_too_many jsonb;
  v_short jsonb;
  v_items jsonb;
  v_subtotal bigint := private.cart_subtotal(p_ids, p_quantities);
  v_code public.discount_codes;
  v_refusal text;
  v_answer jsonb;
  v_discount bigint := 0;
  v_fee bigint;
  v_total bigint;
  v_id bigint;
begin
  perform 1 from public.orders where user_id = p_user_id and hold_state = 'held' order by id for update;
  v_now := clock_timestamp();
  v_expired := private.lock_expired_holds(p_user_id, p_ids, p_sizes, p_quantities, v_now);

  -- Reuses a held order of the same cart if its price is still current. The customer's other open orders are
  -- released, and their stock is returned now.
  select min(o.id) into v_id
  from public.orders o
  where o.user_id = p_user_id and o.hold_state = 'held' and o.status = 'PENDING' and o.hold_expires_at > v_now
    and o.cart_fingerprint = p_fingerprint
    and o.total_paise = p_expected_total_paise
    and o.discount_code is not distinct from p_discount_code
    and o.total_paise = private.total_with_fee(v_subtotal - o.discount_paise, p_fee_bps);
  select coalesce(array_agg(o.id), '{}') into v_superseded
  from public.orders o
  where o.user_id = p_user_id and o.hold_state = 'held' and o.id is distinct from v_id;

  if p_discount_code is not null then
    -- Serialises orders with the same code, so that its uses are counted one by one.
    select * into v_code from public.discount_codes where code = p_discount_code for update;
  end if;
  -- Locks all products of the old and the new orders in one statement.
  perform 1 from public.products p
  where p.id = any (p_ids)
    or p.id in (
      select (item ->> 'product_id')::uuid
      from public.orders o, jsonb_array_elements(o.items) item
      where o.id = any (v_superseded || v_expired)
    )
  order by p.id
  for update;

  if cardinality(v_superseded) > 0 then
    perform private.return_stock(v_superseded);
    -- The customer may still be paying one of them in another tab.
    update public.orders
    set hold_state = 'released', release_reason = 'superseded', next_check_at = v_now + interval '15 minutes'
    where id = any (v_superseded);
  end if;
  if cardinality(v_expired) > 0 then
    perform private.return_stock(v_expired);
    -- The sweep still asks Razorpay about them: their check is due.
    update public.orders set hold_state = 'released', release_reason = 'expired' where id = any (v_expired);
  end if;
  if v_id is not null and v_code.code is not null then
    -- The order may have another phone now, of a customer who has used the code. A code that has ended meanwhile stays.
    v_refusal := private.discount_use_refusal(v_code, p_user_id, p_customer ->> 'phone', v_id);
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'discount', 'reason', v_refusal);
    end if;
  end if;
  if v_id is not null then
    v_order := private.reuse_order(v_id, p_idempotency_key, p_customer);
    v_answer := private.limit_hold(v_order, v_now, p_hold_seconds);
    return case when v_answer ->> 'outcome' = 'placed' then v_answer || '{"outcome": "reused"}' else v_answer end;
  end if;
  if p_blank is null and private.closed_until() is not null then
    return jsonb_build_object('outcome', 'closed', 'until', private.closed_until());
  end if;
  select jsonb_build_object('outcome', 'wait', 'until', max(l.again_at), 'reason', 'cards') into v_answer
  from private.cost_left('failed_payment', private.cost_keys(p_user_id::text), 1, v_now) l
  having max(l.again_at) is not null;
  if v_answer is not null then
    return v_answer;
  end if;

  select jsonb_agg(l.id order by l.line_number) into v_unknown
  from unnest(p_ids) with ordinality l (id, line_number)
  where not exists (
    select 1 from public.products p where p.id = l.id and (not p.hidden or p_blank is not null) and p.deleted_at is null
  );
  if v_unknown is not null then
    return jsonb_build_object('outcome', 'unknown_product', 'product_ids', v_unknown);
  end if;
  select jsonb_agg(jsonb_build_object('product_id', p.id, 'name', p.name, 'size', l.size) order by l.line_number)
  into v_unsized
  from unnest(p_ids, p_sizes) with ordinality l (id, size, line_number)
  join public.products p on p.id = l.id
  where case when l.size is null then p.sizes <> '[]'
    else not p.sizes @> jsonb_build_array(jsonb_build_object('size', l.size)) end;
  if v_unsized is not null then
    return jsonb_build_object('outcome', 'choose_size', 'items', v_unsized);
  end if;
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'product_id', p.id, 'size', l.size, 'name', private.sized_name(p.name, l.size),
    'requested', l.quantity, 'available', p_max_units
  )) order by l.line_number)
  into v_too_many
  from unnest(p_ids, p_sizes, p_quantities) with ordinality l (id, size, quantity, line_number)
  join public.products p on p.id = l.id
  where l.quantity > p_max_units;
  if v_too_many is not null then
    return jsonb_build_object('outcome', 'too_many_units', 'items', v_too_many, 'limit', p_max_units);
  end if;

  select
    jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'product_id', p.id, 'size', l.size, 'name', private.sized_name(p.name, l.size),
      'requested', l.quantity, 'available', s.stock
    )) order by l.line_number) filter (where s.stock < l.quantity),
    jsonb_agg(jsonb_build_object('product_id', p.id, 'name', private.sized_name(p.name, l.size), 'quantity', l.quantity,
      'price', coalesce(p."offerPrice", p.price), 'image', p.images[1])
      || case when l.size is null then '{}' else jsonb_build_object('size', l.size) end order by l.line_number),
    sum((coalesce(p."offerPrice", p.price) * 100)::bigint * l.quantity)
  into v_short, v_items, v_subtotal
  from unnest(p_ids, p_sizes, p_quantities) with ordinality l (id, size, quantity, line_number)
  join public.products p on p.id = l.id
  cross join lateral (select private.stock_of_line(p.stock, p.sizes, l.size) as stock) s;
  if v_short is not null then
    return jsonb_build_object('outcome', 'out_of_stock', 'items', v_short);
  end if;

  if p_discount_code is not null then
    v_answer := private.discount_refusal(v_code, p_user_id, p_customer ->> 'phone', v_subtotal);
    if v_answer is not null then
      return jsonb_build_object('outcome', 'discount') || v_answer;
    end if;
    v_discount := private.discount_of(v_code, v_subtotal);
  end if;
  if p_reduction_paise > 0 then
    if p_reduction_paise >= v_subtotal then
      return jsonb_build_object('outcome', 'amount_out_of_range', 'total_paise', 0);
    end if;
    v_discount := p_reduction_paise;
  end if;

  v_fee := private.platform_fee(v_subtotal - v_discount, p_fee_bps);
  v_total := private.total_with_fee(v_subtotal - v_discount, p_fee_bps);
  if v_total not between 100 and 100000000 then
    return jsonb_build_object('outcome', 'amount_out_of_range', 'total_paise', v_total);
  end if;
  if v_discount > 0 then
    v_items := private.spread_discount(v_items, v_discount);
  end if;
  if v_total <> p_expected_total_paise then
    return jsonb_build_object('outcome', 'price_changed', 'subtotal_paise', v_subtotal, 'discount_paise', v_discount,
      'fee_paise', v_fee, 'total_paise', v_total, 'items', v_items);
  end if;

  perform private.add_stock((
    select jsonb_agg(jsonb_build_object('product_id', l.id, 'size', l.size, 'quantity', -l.quantity))
    from unnest(p_ids, p_sizes, p_quantities) l (id, size, quantity)
  ));

  v_id := nextval(pg_get_serial_sequence('public.orders', 'id'));
  insert into public.orders (
    id, created_at, user_id, merchant_transaction_id, idempotency_key, cart_fingerprint, network,
    customer_name, customer_email, customer_phone, customer_address, customer_city, customer_postal_code,
    notes, gift_note, customer_gstin, asked_about, items, subtotal_paise, discount_code, discount_paise, fee_paise,
    total_paise, fee_bps, hold_state, hold_expires_at, next_check_at
  )
  values (
    v_id, v_now, p_user_id, private.order_reference(v_id), p_idempotency_key,
    p_fingerprint, p_network,
    p_customer ->> 'name', p_customer ->> 'email', p_customer ->> 'phone', p_customer ->> 'address',
    p_customer ->> 'city', p_customer ->> 'postal_code', p_customer ->> 'notes', nullif(p_customer ->> 'gift_note', ''),
    nullif(p_customer ->> 'gstin', ''), private.asked_about(p_customer), v_items, v_subtotal,
    p_discount_code, v_discount, v_fee, v_total, p_fee_bps, 'held', v_now, v_now
  )
  returning * into v_order;
  return private.limit_hold(v_order, v_now, p_hold_seconds);
end;
$$;

-- Tells the admin when a product's last unit was held without payment for so long that the next holds of it are short: once
-- a day for each product. Runs when a hold ends, so it does not depend on anyone who was refused.
create or replace function private.alert_of_held_product()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  perform public.notify_admin(
    'stock_held',
    jsonb_build_object('kind', 'product', 'name', i.item ->> 'name', 'minutes', floor(used.seconds / 60)::integer),
    'stock_held:' || l.line || ':' || private.india_date(now())
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

drop function private.limit_hold(public.orders, timestamptz, integer, integer);
drop function private.hold_budget(uuid, text, uuid, timestamptz, integer, integer);
drop function private.last_unit_use(text, bigint, uuid, text, timestamptz, integer);
drop function private.cards_again_at(uuid, timestamptz);
