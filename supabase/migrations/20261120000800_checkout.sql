-- Placing an order: one transaction reads the prices, computes the fee, holds the stock and inserts the order.

-- ── How long stock is held without payment ──

-- How many more seconds unpaid orders may hold stock, and when they may hold it for p_least_seconds (null: now). The
-- limit is p_max_seconds in any two hours. Counts the orders of an account, or those of a network (p_network) that
-- hold p_product_id. Each counts from its creation to its release; waiting for Razorpay's answer after the hold's end
-- counts for five minutes at most. Releasing and holding again gains nothing, because both count. The earliest hold
-- leaves the sliding window first, which gives the time.
create function private.hold_budget(
  p_user_id uuid, p_network text, p_product_id uuid, p_now timestamptz, p_max_seconds integer, p_least_seconds integer
)
returns table (seconds_left double precision, again_at timestamptz)
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
      least(coalesce(o.released_at, p_now), o.hold_expires_at + interval '5 minutes', p_now) as until
    from public.orders o
    where o.payment_id is null and o.hold_state in ('held', 'released')
      and o.created_at > p_now - v_window - interval '1 hour'
      and case when p_product_id is null then o.user_id = p_user_id
        else o.network = p_network and o.items @> jsonb_build_array(jsonb_build_object('product_id', p_product_id)) end
  ), counted as (
    select h.since, extract(epoch from h.until - h.since)::double precision as seconds
    from held h where h.until > h.since
  ), summed as (
    select c.since, c.seconds, sum(c.seconds) over (order by c.since) as total from counted c
  ), needed as (
    select coalesce(max(s.total), 0) as used, coalesce(max(s.total), 0) + p_least_seconds - p_max_seconds as excess
    from summed s
  )
  select p_max_seconds - n.used,
    (select s.since + v_window + make_interval(secs => n.excess - (s.total - s.seconds))
     from summed s where s.total >= n.excess order by s.since limit 1)
  from needed n
  where n.excess > 0
  union all
  select p_max_seconds - n.used, null from needed n where n.excess <= 0;
end;
$$;

-- The subtotal of a cart at current prices, in paise. Null when a product is not for sale.
create function private.cart_subtotal(p_ids uuid[], p_quantities integer[])
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select case when count(p.id) = cardinality(p_ids)
      then sum((coalesce(p."offerPrice", p.price) * 100)::bigint * l.quantity) end
    from unnest(p_ids, p_quantities) l (id, quantity)
    left join public.products p on p.id = l.id and not p.hidden and p.deleted_at is null
  );
end;
$$;

-- Updates an open order with the latest details and key.
create function private.reuse_order(p_order_id bigint, p_key uuid, p_customer jsonb)
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
      customer_gstin = nullif(p_customer ->> 'gstin', '')
  where id = p_order_id
  returning * into v_order;
  return v_order;
end;
$$;

-- Extends the hold of an order, whose stock is already subtracted, to p_hold_seconds from now as far as the limits
-- allow, and returns it. Else returns {outcome: wait, until, reason}, and the caller rolls back:
--   minutes      the account held stock without paying for p_max_hold_seconds of the last two hours
--   network      the order takes the last unit, and another account of its network holds some of it, or the accounts
--                of its network held this product without paying for an hour of the last two
--   last_pieces  the account and its network hold the last units of too many products; has the limit, and no `until`
--                when this order alone exceeds it
-- The limits ensure that nobody can keep a product, or the shop, from all other customers for long.
create function private.limit_hold(
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
  v_order public.orders := p_order;
  v_left double precision := p_hold_seconds;
  v_budget record;
  v_last jsonb;
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
  if p_order.network is not null then
    -- Lines that leave nothing for anyone else.
    select coalesce(jsonb_agg(private.line_key(i)), '[]') into v_last
    from jsonb_array_elements(p_order.items) i
    join public.products p on p.id = (i ->> 'product_id')::uuid
    where private.stock_of_line(p.stock, p.sizes, i ->> 'size') <= 0;
    select min(o.hold_expires_at) into v_until
    from public.orders o, jsonb_array_elements(o.items) i
    where o.hold_state = 'held' and o.network = p_order.network and o.user_id <> p_order.user_id
      and v_last ? private.line_key(i);
    if v_until is not null then
      return jsonb_build_object('outcome', 'wait', 'reason', 'network', 'until',
        greatest(v_until, p_now + interval '1 minute'));
    end if;
    for v_budget in
      select b.* from jsonb_array_elements_text(v_last) l,
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
  set hold_expires_at = greatest(o.hold_expires_at, p_now + make_interval(secs => v_left)),
      next_check_at = greatest(o.hold_expires_at, p_now + make_interval(secs => v_left))
  where o.id = p_order.id
  returning * into v_order;
  return private.order_result('placed', v_order);
end;
$$;

-- Places or reuses the order of a cart, given as the arrays of private.cart_lines. The outcomes are those of
-- place_order. On any other outcome than placed or reused the caller must roll back. The caller has the customer's
-- advisory lock.
create function private.place_cart(
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
  v_unknown jsonb;
  v_unsized jsonb;
  v_too_many jsonb;
  v_short jsonb;
  v_items jsonb;
  v_subtotal bigint := private.cart_subtotal(p_ids, p_quantities);
  v_code public.discount_codes;
  v_refusal jsonb;
  v_discount bigint := 0;
  v_fee bigint;
  v_total bigint;
  v_id bigint;
  v_again_at timestamptz;
begin
  perform 1 from public.orders where user_id = p_user_id and hold_state = 'held' order by id for update;
  v_now := clock_timestamp();

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

  if v_id is null and p_discount_code is not null then
    -- Serialises orders with the same code, so that its uses are counted one by one.
    select * into v_code from public.discount_codes where code = p_discount_code for update;
  end if;
  -- Locks all products of the old and the new orders in one statement.
  perform 1 from public.products p
  where p.id = any (p_ids)
    or p.id in (
      select (item ->> 'product_id')::uuid
      from public.orders o, jsonb_array_elements(o.items) item
      where o.id = any (v_superseded)
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
  if v_id is not null then
    v_order := private.reuse_order(v_id, p_idempotency_key, p_customer);
    v_refusal := private.limit_hold(v_order, v_now, p_hold_seconds, p_max_hold_seconds);
    return case when v_refusal ->> 'outcome' = 'placed' then v_refusal || '{"outcome": "reused"}' else v_refusal end;
  end if;
  if p_blank is null and private.closed_until() is not null then
    return jsonb_build_object('outcome', 'closed', 'until', private.closed_until());
  end if;
  v_again_at := private.cards_again_at(p_user_id, v_now);
  if v_again_at > v_now then
    return jsonb_build_object('outcome', 'wait', 'until', v_again_at, 'reason', 'cards');
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
    v_refusal := private.discount_refusal(v_code, p_user_id, private.phone_key(p_customer ->> 'phone'), v_subtotal);
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'discount') || v_refusal;
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
    notes, gift_note, customer_gstin, items, subtotal_paise, discount_code, discount_paise, fee_paise,
    total_paise, fee_bps, hold_state, hold_expires_at, next_check_at
  )
  values (
    v_id, v_now, p_user_id, 'KSV-' || v_id || '-' || left(gen_random_uuid()::text, 6), p_idempotency_key,
    p_fingerprint, p_network,
    p_customer ->> 'name', p_customer ->> 'email', p_customer ->> 'phone', p_customer ->> 'address',
    p_customer ->> 'city', p_customer ->> 'postal_code', p_customer ->> 'notes', nullif(p_customer ->> 'gift_note', ''),
    nullif(p_customer ->> 'gstin', ''), v_items, v_subtotal,
    p_discount_code, v_discount, v_fee, v_total, p_fee_bps, 'held', v_now, v_now
  )
  returning * into v_order;
  return private.limit_hold(v_order, v_now, p_hold_seconds, p_max_hold_seconds);
end;
$$;

-- Returns {outcome, …}:
--   placed, reused   with the order
--   paid             with the order: this key's order is already paid
--   expired          this key's order has ended, or was for another cart or price. The client must use a new key
--   closed           with until, the last day: the notice closes checkout. Open orders can still be reused
--   wait             with reason, until and more: cards (ten failed payments, see cards_again_at), or one of
--                    private.limit_hold
--   too_many_units   with items and the limit: more of one product or size than one order may have
--   choose_size      with items {product_id, name, size}: no size given, or one that the product does not have
--   discount         with reason and more, see private.discount_refusal: the code cannot be used
--   unknown_product (deleted or hidden), out_of_stock, amount_out_of_range, price_changed
-- A call that places nothing changes nothing: the customer keeps what they hold, and it counts as theirs in the check
-- of stock. A placed or reused order releases the customer's other open orders. Raises 22023 for bad input.
-- p_expected_total_paise is the total shown in the cart; no other amount is ever charged. A hold lasts p_hold_seconds
-- from the last call. p_max_hold_seconds limits unpaid holds in any two hours. p_network is a keyed hash of the
-- caller's network, or null.
-- p_blank (customer fields that may be blank) and p_reduction_paise are for place_admin_order only. With p_blank the
-- order has no account, ignores the notice and may include hidden products. p_reduction_paise is taken off the goods
-- and spread over them like a discount without a code.
create function public.place_order(
  p_user_id uuid,
  p_idempotency_key uuid,
  p_lines jsonb,
  p_customer jsonb,
  p_expected_total_paise bigint,
  p_fee_bps integer,
  p_hold_seconds integer,
  p_max_hold_seconds integer default 2160,
  p_max_units integer default 100000,
  p_blank text[] default null,
  p_discount_code text default null,
  p_network text default null,
  p_reduction_paise bigint default 0
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_ids uuid[];
  v_sizes text[];
  v_quantities integer[];
  v_fingerprint text;
  v_order public.orders;
  v_answer jsonb;
begin
  if (p_user_id is null) <> (p_blank is not null) or p_idempotency_key is null then
    raise exception 'user and idempotency key are required' using errcode = '22023';
  end if;
  if p_expected_total_paise is null then
    raise exception 'the expected total is required' using errcode = '22023';
  end if;
  if p_fee_bps is null or p_fee_bps not between 0 and 10000 then
    raise exception 'fee_bps must be 0 to 10000' using errcode = '22023';
  end if;
  if p_hold_seconds is null or p_hold_seconds not between 1 and 604800 then
    raise exception 'hold_seconds must be 1 to 604800' using errcode = '22023';
  end if;
  if p_max_hold_seconds is null or p_max_hold_seconds < p_hold_seconds or p_max_units is null or p_max_units < 1 then
    raise exception 'max_hold_seconds must not be below hold_seconds, max_units not below 1' using errcode = '22023';
  end if;
  if p_reduction_paise is null or p_reduction_paise < 0
    or (p_reduction_paise > 0 and (p_blank is null or p_discount_code is not null))
  then
    raise exception 'only the admin lowers a price, and without a code' using errcode = '22023';
  end if;
  perform private.check_customer(p_customer, coalesce(p_blank, '{}'));
  select array_agg(l.product_id order by l.line_number), array_agg(l.size order by l.line_number),
    array_agg(l.quantity order by l.line_number)
  into v_ids, v_sizes, v_quantities
  from private.cart_lines(p_lines) l;

  -- Identifies the cart by products, sizes and quantities, in any order of lines.
  select encode(sha256(convert_to(
    string_agg(l.id || coalesce(to_json(l.size)::text, '') || ':' || l.quantity, ',' order by l.id, l.size), 'UTF8'
  )), 'hex')
  into v_fingerprint
  from unnest(v_ids, v_sizes, v_quantities) l (id, size, quantity);

  -- One call per customer at a time, so that two clicks cannot hold the stock twice.
  perform pg_advisory_xact_lock(hashtextextended('place_order:' || p_user_id, 0));

  select * into v_order from public.orders where user_id = p_user_id and idempotency_key = p_idempotency_key for update;
  if found and (
    v_order.cart_fingerprint is distinct from v_fingerprint or v_order.total_paise <> p_expected_total_paise
    or v_order.discount_code is distinct from p_discount_code
  ) then
    return jsonb_build_object('outcome', 'expired');
  elsif v_order.payment_id is not null then
    return private.order_result('paid', v_order);
  elsif v_order.id is not null and (
    v_order.hold_state <> 'held' or v_order.hold_expires_at <= clock_timestamp()
    or v_order.total_paise is distinct from private.total_with_fee(
      private.cart_subtotal(v_ids, v_quantities) - v_order.discount_paise, p_fee_bps
    )
  ) then
    return jsonb_build_object('outcome', 'expired');
  end if;

  begin
    v_answer := private.place_cart(
      p_user_id, p_idempotency_key, v_ids, v_sizes, v_quantities, v_fingerprint, p_customer, p_expected_total_paise,
      p_fee_bps, p_hold_seconds, p_max_hold_seconds, p_max_units, p_blank, p_discount_code, p_network, p_reduction_paise
    );
    if v_answer ->> 'outcome' not in ('placed', 'reused') then
      raise exception 'nothing is placed' using errcode = 'KS001';
    end if;
  exception when sqlstate 'KS001' then
    -- Everything above is rolled back; the variable keeps the answer.
    if v_answer ->> 'reason' in ('minutes', 'network', 'last_pieces') then
      perform public.notify_admin(
        'stock_held', jsonb_build_object('kind', v_answer ->> 'reason'),
        'stock_held:' || (now() at time zone 'Asia/Kolkata')::date
      );
    end if;
  end;
  return v_answer;
end;
$$;

-- Stores the Razorpay order id of an order: {outcome, razorpay_order_id}. When two concurrent requests each created
-- one, the first is kept and both receive it (outcome 'already'). Raises 22023 or P0002.
create function public.attach_razorpay_order(p_order_id bigint, p_razorpay_order_id text, p_key_id text default null)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_stored text;
begin
  if coalesce(p_razorpay_order_id, '') = '' or char_length(p_razorpay_order_id) > 100 then
    raise exception 'razorpay_order_id must be a text of 1 to 100 characters' using errcode = '22023';
  end if;
  select razorpay_order_id into v_stored from public.orders where id = p_order_id for update;
  if not found then
    raise exception 'there is no order %', p_order_id using errcode = 'P0002';
  end if;
  if v_stored is not null then
    return jsonb_build_object('outcome', 'already', 'razorpay_order_id', v_stored);
  end if;
  update public.orders
  set razorpay_order_id = p_razorpay_order_id,
      razorpay_key_id = left(p_key_id, 60),
      -- If the hold expired while Razorpay was slow, checks may have ended. From now on the order can be paid.
      next_check_at = coalesce(next_check_at, clock_timestamp() + interval '15 minutes')
  where id = p_order_id;
  return jsonb_build_object('outcome', 'attached', 'razorpay_order_id', p_razorpay_order_id);
end;
$$;

-- ── The admin's orders ──

-- Orders that the admin makes for sales elsewhere: on Instagram or WhatsApp, or at an exhibition. They hold stock,
-- cost the shop's prices and share its order numbers. Cash and transfers are paid at once. An order with a payment
-- link waits, and ends unpaid like any other.

-- Places such an order. p_method: 'cash', 'upi' or 'bank' with the admin's own p_reference, or null for a payment
-- link with p_token that is valid for p_hold_seconds. An order that is handed over needs no address.
-- p_reduction_paise comes off the price of the goods. Returns {outcome} as place_order does; for a repeated key
-- 'already', or 'expired' once that order has ended. Raises 22023.
create function public.place_admin_order(
  p_key uuid, p_lines jsonb, p_customer jsonb, p_channel text, p_hand_over boolean, p_expected_total_paise bigint,
  p_fee_bps integer, p_hold_seconds integer, p_method text, p_reference text, p_token text,
  p_reduction_paise bigint default 0
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_answer jsonb;
begin
  if p_key is null or p_hand_over is null or coalesce(p_method, 'cash') not in ('cash', 'upi', 'bank')
    or (p_method is null) <> (p_token is not null)
  then
    raise exception 'an order needs a key, a way of payment, and a token when it is paid by link' using errcode = '22023';
  end if;
  -- One call per key at a time, so that two clicks make one order.
  perform pg_advisory_xact_lock(hashtextextended('place_admin_order:' || p_key, 0));
  select * into v_order from public.orders where admin_key = p_key;
  if found then
    return private.order_result(
      case when v_order.payment_id is not null or v_order.hold_state = 'held' then 'already' else 'expired' end, v_order
    );
  end if;

  v_answer := public.place_order(
    null, p_key, p_lines, p_customer, p_expected_total_paise, p_fee_bps, p_hold_seconds, p_hold_seconds,
    p_blank => array['email'] || case when p_hand_over then array['address', 'city', 'postal_code'] end,
    p_reduction_paise => p_reduction_paise
  );
  if v_answer ->> 'outcome' <> 'placed' then
    return v_answer;
  end if;
  update public.orders
  set admin_key = p_key,
      channel = p_channel,
      hand_over = p_hand_over,
      pay_token = p_token,
      customer_email = nullif(btrim(customer_email), '')
  where id = (v_answer #>> '{order,id}')::bigint
  returning * into v_order;
  if p_method is not null then
    perform private.complete_order(v_order, 'hand_' || v_order.id, p_method, nullif(btrim(p_reference), ''));
  end if;
  return v_answer;
end;
$$;

-- The order of a payment link: {state, order, customer}, or null when the link is not valid. state: open; paid; ended
-- (expired, cancelled or refunded).
create function public.read_payment_link(p_order_id bigint, p_token text)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'state', case
      when o.paid and o.fulfilment <> 'cancelled' then 'paid'
      when o.status = 'PENDING' and o.hold_state = 'held' and o.hold_expires_at > clock_timestamp()
        and o.razorpay_order_id is not null
        then 'open'
      else 'ended'
    end,
    'order', jsonb_build_object(
      'id', o.id, 'items', o.items, 'subtotal_paise', o.subtotal_paise, 'discount_paise', o.discount_paise,
      'fee_paise', o.fee_paise, 'total_paise', o.total_paise,
      'currency', o.currency, 'razorpay_order_id', o.razorpay_order_id, 'hold_expires_at', o.hold_expires_at
    ),
    'customer', jsonb_build_object(
      'name', o.customer_name, 'email', coalesce(o.customer_email, ''), 'phone', o.customer_phone
    )
  )
  from public.orders o
  where o.id = p_order_id and o.pay_token = p_token;
$$;
