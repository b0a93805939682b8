-- Placing an order: prices are read, the fee is computed, the stock is held and the order is inserted in one transaction.

-- Whether the hold of an order can go on: it has not expired, and enough of its longest time is left to pay in.
create function private.is_renewable(p_order public.orders, p_now timestamptz, p_max_hold_seconds integer)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_order.status = 'PENDING' and p_order.hold_state = 'held' and p_order.hold_expires_at > p_now
    and p_order.held_since + make_interval(secs => p_max_hold_seconds) > p_now + interval '5 minutes';
end;
$$;

-- When a shopper may hold stock again, null when they may now. Three holds that lapsed within two hours are enough: each
-- was nearly as long as a hold lasts and ended unpaid. Orders that replaced each other are one hold.
create function private.hold_again_at(p_user_id uuid, p_now timestamptz, p_hold_seconds integer)
returns timestamptz
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select case when count(*) >= 3 then min(released_at) + interval '2 hours' end
    from (
      select max(o.released_at) as released_at
      from public.orders o
      where o.user_id = p_user_id and o.hold_state = 'released' and o.payment_id is null
        and o.released_at > p_now - interval '2 hours'
        and not exists (
          select 1 from public.orders paid
          where paid.user_id = p_user_id and paid.held_since = o.held_since and paid.payment_id is not null
        )
      group by o.held_since
      having max(o.released_at) - o.held_since >= make_interval(secs => p_hold_seconds * 2 / 3)
      order by 1 desc
      limit 3
    ) lapsed
  );
end;
$$;

-- The subtotal of a cart at the prices of this moment, in paise. Null when a product is not sold.
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

-- Reuses an open order, with the latest details and key, and a hold that counts from now.
create function private.reuse_order(p_order_id bigint, p_key uuid, p_customer jsonb, p_hold_until timestamptz)
returns jsonb
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
      customer_gstin = nullif(p_customer ->> 'gstin', ''),
      hold_expires_at = greatest(hold_expires_at, p_hold_until),
      next_check_at = greatest(hold_expires_at, p_hold_until)
  where id = p_order_id
  returning * into v_order;
  return private.order_result('reused', v_order);
end;
$$;

-- Returns {outcome, …}:
--   too_many_requests      a limit of p_buckets is passed, see hit_rate_limits; counted here to save the caller a round trip
--   placed, reused, paid   with the order; paid: this key's order is paid already
--   expired                this key's order has ended, or was for another cart or price: the client must take a new key
--   closed                 with until, the last day: the owner's notice closes checkout. Open orders can still be reused
--   wait                   with until: ten payments of the account failed (cards_refused, see cards_again_at), or
--                          the shopper let three holds lapse (hold_again_at)
--   too_many_units         with items and the limit: more of one product, or of one of its sizes, than one order may hold
--   choose_size            with items {product_id, name, size}: no size of a product that has some, or one that it has not
--   discount               with reason and more, see private.discount_refusal: the code cannot be used
--   unknown_product (deleted or hidden), choose_size, out_of_stock, amount_out_of_range, price_changed
--                          nothing is placed, but the shopper's other open orders are released all the same: this call
--                          shows that they have another cart now
-- Raises 22023 for bad input. p_expected_total_paise is what the cart showed; only that amount is ever charged. A hold
-- counts p_hold_seconds from the last call, and at most p_max_hold_seconds from its first moment.
-- p_blank, what of the customer may be blank, is for place_admin_order alone: an order without a shopper, which no notice
-- closes and which may have hidden products.
create function public.place_order(
  p_user_id uuid,
  p_idempotency_key uuid,
  p_lines jsonb,
  p_customer jsonb,
  p_expected_total_paise bigint,
  p_fee_bps integer,
  p_hold_seconds integer,
  p_max_hold_seconds integer default 2700,
  p_max_units integer default 100000,
  p_buckets text[] default null,
  p_limits integer[] default null,
  p_windows integer[] default null,
  p_blank text[] default null,
  p_discount_code text default null
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
  v_now timestamptz;
  v_hold_until timestamptz;
  v_order public.orders;
  v_held_since timestamptz;
  v_again_at timestamptz;
  v_superseded bigint[];
  v_unknown jsonb;
  v_unsized jsonb;
  v_short jsonb;
  v_items jsonb;
  v_subtotal bigint;
  v_code public.discount_codes;
  v_refusal jsonb;
  v_discount bigint := 0;
  v_fee bigint;
  v_total bigint;
  v_id bigint;
  v_too_many jsonb;
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
  perform private.check_customer(p_customer, coalesce(p_blank, '{}'));
  if p_buckets is not null and not public.hit_rate_limits(p_buckets, p_limits, p_windows) then
    return jsonb_build_object('outcome', 'too_many_requests');
  end if;
  select array_agg(l.product_id order by l.line_number), array_agg(l.size order by l.line_number),
    array_agg(l.quantity order by l.line_number)
  into v_ids, v_sizes, v_quantities
  from private.cart_lines(p_lines) l;

  -- Identifies the cart: products, sizes and quantities, whatever the order of the lines.
  select encode(sha256(convert_to(
    string_agg(l.id || coalesce(to_json(l.size)::text, '') || ':' || l.quantity, ',' order by l.id, l.size), 'UTF8')), 'hex')
  into v_fingerprint
  from unnest(v_ids, v_sizes, v_quantities) l (id, size, quantity);

  -- One call of a shopper at a time, so that two clicks cannot hold the stock twice.
  perform pg_advisory_xact_lock(hashtextextended('place_order:' || p_user_id, 0));

  select * into v_order from public.orders
  where user_id = p_user_id and idempotency_key = p_idempotency_key
  for update;
  -- Not now(): that is when the transaction began, which can be long before the locks were granted.
  v_now := clock_timestamp();
  v_subtotal := private.cart_subtotal(v_ids, v_quantities);
  if found then
    if v_order.cart_fingerprint is distinct from v_fingerprint or v_order.total_paise <> p_expected_total_paise
      or v_order.discount_code is distinct from p_discount_code
    then
      return jsonb_build_object('outcome', 'expired');
    elsif v_order.payment_id is not null then
      return private.order_result('paid', v_order);
    elsif private.is_renewable(v_order, v_now, p_max_hold_seconds)
      and v_order.total_paise = private.total_with_fee(v_subtotal - v_order.discount_paise, p_fee_bps)
    then
      return private.reuse_order(
        v_order.id, p_idempotency_key, p_customer,
        least(v_now + make_interval(secs => p_hold_seconds), v_order.held_since + make_interval(secs => p_max_hold_seconds))
      );
    end if;
    return jsonb_build_object('outcome', 'expired');
  end if;

  perform 1 from public.orders where user_id = p_user_id and hold_state = 'held' order by id for update;
  v_now := clock_timestamp();

  -- The shopper's other open orders are released: their stock is returned now. An order of this same cart is kept, if its
  -- hold can go on and its price is still the product's.
  select min(o.id) filter (
      where o.cart_fingerprint = v_fingerprint
        and o.total_paise = p_expected_total_paise
        and o.discount_code is not distinct from p_discount_code
        and o.total_paise = private.total_with_fee(v_subtotal - o.discount_paise, p_fee_bps)
        and private.is_renewable(o, v_now, p_max_hold_seconds)
    ),
    -- What was held goes on counting, so that changing the cart does not begin a new time.
    min(o.held_since) filter (where private.is_renewable(o, v_now, p_max_hold_seconds))
  into v_id, v_held_since
  from public.orders o
  where o.user_id = p_user_id and o.hold_state = 'held';
  v_held_since := coalesce(v_held_since, v_now);
  v_hold_until := least(
    v_now + make_interval(secs => p_hold_seconds), v_held_since + make_interval(secs => p_max_hold_seconds)
  );
  select coalesce(array_agg(o.id), '{}') into v_superseded
  from public.orders o
  where o.user_id = p_user_id and o.hold_state = 'held' and o.id is distinct from v_id;

  if v_id is null and p_discount_code is not null then
    -- Orders with the same code wait here for each other, so that its uses are counted one by one.
    select * into v_code from public.discount_codes where code = p_discount_code for update;
  end if;
  -- All products that this transaction needs, of the old and the new orders, locked in one statement.
  perform 1 from public.products p
  where p.id = any (v_ids)
    or p.id in (
      select (item ->> 'product_id')::uuid
      from public.orders o, jsonb_array_elements(o.items) item
      where o.id = any (v_superseded)
    )
  order by p.id
  for update;

  if cardinality(v_superseded) > 0 then
    perform private.return_stock(v_superseded);
    -- The shopper may still be paying one of them in another tab.
    update public.orders
    set hold_state = 'released', release_reason = 'superseded', next_check_at = v_now + interval '15 minutes'
    where id = any (v_superseded);
  end if;
  if v_id is not null then
    return private.reuse_order(v_id, p_idempotency_key, p_customer, v_hold_until);
  end if;
  if p_blank is null and private.closed_until() is not null then
    return jsonb_build_object('outcome', 'closed', 'until', private.closed_until());
  end if;

  v_again_at := private.cards_again_at(p_user_id, v_now);
  if v_again_at > v_now then
    return jsonb_build_object('outcome', 'wait', 'until', v_again_at, 'cards_refused', true);
  end if;
  v_again_at := private.hold_again_at(p_user_id, v_now, p_hold_seconds);
  if v_again_at > v_now then
    return jsonb_build_object('outcome', 'wait', 'until', v_again_at);
  end if;

  select jsonb_agg(l.id order by l.line_number) into v_unknown
  from unnest(v_ids) with ordinality l (id, line_number)
  where not exists (
    select 1 from public.products p where p.id = l.id and (not p.hidden or p_blank is not null) and p.deleted_at is null
  );
  if v_unknown is not null then
    return jsonb_build_object('outcome', 'unknown_product', 'product_ids', v_unknown);
  end if;
  select jsonb_agg(jsonb_build_object('product_id', p.id, 'name', p.name, 'size', l.size) order by l.line_number) into v_unsized
  from unnest(v_ids, v_sizes) with ordinality l (id, size, line_number)
  join public.products p on p.id = l.id
  where case when l.size is null then p.sizes <> '[]'
    else not p.sizes @> jsonb_build_array(jsonb_build_object('size', l.size)) end;
  if v_unsized is not null then
    return jsonb_build_object('outcome', 'choose_size', 'items', v_unsized);
  end if;
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('product_id', p.id, 'size', l.size, 'name', private.sized_name(p.name, l.size),
    'requested', l.quantity, 'available', p_max_units)) order by l.line_number)
  into v_too_many
  from unnest(v_ids, v_sizes, v_quantities) with ordinality l (id, size, quantity, line_number)
  join public.products p on p.id = l.id
  where l.quantity > p_max_units;
  if v_too_many is not null then
    return jsonb_build_object('outcome', 'too_many_units', 'items', v_too_many, 'limit', p_max_units);
  end if;

  select
    jsonb_agg(jsonb_strip_nulls(jsonb_build_object('product_id', p.id, 'size', l.size, 'name', private.sized_name(p.name, l.size),
      'requested', l.quantity, 'available', s.stock)) order by l.line_number) filter (where s.stock < l.quantity),
    jsonb_agg(jsonb_build_object('product_id', p.id, 'name', private.sized_name(p.name, l.size), 'quantity', l.quantity,
      'price', coalesce(p."offerPrice", p.price), 'image', p.images[1])
      || case when l.size is null then '{}' else jsonb_build_object('size', l.size) end order by l.line_number),
    sum((coalesce(p."offerPrice", p.price) * 100)::bigint * l.quantity)
  into v_short, v_items, v_subtotal
  from unnest(v_ids, v_sizes, v_quantities) with ordinality l (id, size, quantity, line_number)
  join public.products p on p.id = l.id
  cross join lateral (select private.stock_of_line(p.stock, p.sizes, l.size) as stock) s;
  if v_short is not null then
    return jsonb_build_object('outcome', 'out_of_stock', 'items', v_short);
  end if;

  if p_discount_code is not null then
    v_refusal := private.discount_refusal(v_code, p_user_id, v_subtotal);
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'discount') || v_refusal;
    end if;
    v_discount := private.discount_of(v_code, v_subtotal);
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
    from unnest(v_ids, v_sizes, v_quantities) l (id, size, quantity)
  ));

  v_id := nextval(pg_get_serial_sequence('public.orders', 'id'));
  insert into public.orders (
    id, user_id, merchant_transaction_id, idempotency_key, cart_fingerprint, customer_name, customer_email,
    customer_phone, customer_address, customer_city, customer_postal_code, notes, customer_gstin, items, subtotal_paise,
    discount_code, discount_paise, fee_paise, total_paise, fee_bps, hold_state, held_since, hold_expires_at, next_check_at
  )
  values (
    v_id, p_user_id, 'KSV-' || v_id || '-' || left(gen_random_uuid()::text, 6), p_idempotency_key, v_fingerprint,
    p_customer ->> 'name', p_customer ->> 'email', p_customer ->> 'phone', p_customer ->> 'address',
    p_customer ->> 'city', p_customer ->> 'postal_code', p_customer ->> 'notes', nullif(p_customer ->> 'gstin', ''), v_items, v_subtotal,
    p_discount_code, v_discount, v_fee, v_total, p_fee_bps, 'held', v_held_since, v_hold_until, v_hold_until
  )
  returning * into v_order;
  return private.order_result('placed', v_order);
end;
$$;

-- Stores the Razorpay order id of an order: {outcome, razorpay_order_id}. When two concurrent requests have each created
-- one at Razorpay, the first one stored is kept and returned to both (outcome 'already'). Raises 22023 or P0002.
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
      -- A hold that expired while Razorpay was slow may have ended the checks: from now on it can be paid.
      next_check_at = coalesce(next_check_at, clock_timestamp() + interval '15 minutes')
  where id = p_order_id;
  return jsonb_build_object('outcome', 'attached', 'razorpay_order_id', p_razorpay_order_id);
end;
$$;

-- ── The admin's orders ──

-- Orders that the admin makes for sales outside the shop: on Instagram or WhatsApp, at an exhibition. They hold stock, cost what
-- the shop charges and are numbered as all others. Paid by hand (cash, a transfer) they are paid at once; by a link they wait,
-- and end unpaid as any order does.

-- Places such an order. p_method: 'cash', 'upi' or 'bank' with the admin's own p_reference, or null for a link that p_token opens
-- for p_hold_seconds. An order that is handed over needs no address. Returns {outcome} as place_order, and for the order of an
-- earlier call with this key 'already', or 'expired' once it has ended. Raises 22023.
create function public.place_admin_order(
  p_key uuid, p_lines jsonb, p_customer jsonb, p_channel text, p_hand_over boolean, p_expected_total_paise bigint,
  p_fee_bps integer, p_hold_seconds integer, p_method text, p_reference text, p_token text
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
  -- One call with a key at a time, so that two presses are one order.
  perform pg_advisory_xact_lock(hashtextextended('place_admin_order:' || p_key, 0));
  select * into v_order from public.orders where admin_key = p_key;
  if found then
    return private.order_result(
      case when v_order.payment_id is not null or v_order.hold_state = 'held' then 'already' else 'expired' end, v_order
    );
  end if;

  v_answer := public.place_order(
    null, p_key, p_lines, p_customer, p_expected_total_paise, p_fee_bps, p_hold_seconds, p_hold_seconds,
    p_blank => array['email'] || case when p_hand_over then array['address', 'city', 'postal_code'] end
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

-- The order that a link opens, for the page where it is paid: {state, order, customer}; null when the link opens none. state: open;
-- paid; ended (its time is over, or it was cancelled or refunded).
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
      when o.status = 'PENDING' and o.hold_state = 'held' and o.hold_expires_at > clock_timestamp() and o.razorpay_order_id is not null
        then 'open'
      else 'ended'
    end,
    'order', jsonb_build_object(
      'id', o.id, 'items', o.items, 'subtotal_paise', o.subtotal_paise, 'fee_paise', o.fee_paise, 'total_paise', o.total_paise,
      'currency', o.currency, 'razorpay_order_id', o.razorpay_order_id, 'hold_expires_at', o.hold_expires_at
    ),
    'customer', jsonb_build_object(
      'name', o.customer_name, 'email', coalesce(o.customer_email, ''), 'phone', o.customer_phone
    )
  )
  from public.orders o
  where o.id = p_order_id and o.pay_token = p_token;
$$;
