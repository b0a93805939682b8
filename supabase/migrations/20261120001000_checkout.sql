-- Placing an order: prices are read, the fee is computed, the stock is held and the order is inserted in one transaction.

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
      hold_expires_at = greatest(hold_expires_at, p_hold_until),
      next_check_at = greatest(hold_expires_at, p_hold_until)
  where id = p_order_id
  returning * into v_order;
  return private.order_result('reused', v_order);
end;
$$;

-- Returns {outcome, …}:
--   placed, reused, paid   with the order; paid: this key's order is paid already
--   expired                this key's order has ended or was for another cart: the client must take a new key
--   unknown_product, out_of_stock, amount_out_of_range, price_changed
--                          nothing is placed, but the shopper's other open orders are released all the same: this call
--                          shows that they have another cart now
-- Raises 22023 for bad input. p_expected_total_paise is what the cart showed; only that amount is ever charged.
create function public.place_order(
  p_user_id uuid,
  p_idempotency_key uuid,
  p_lines jsonb,
  p_customer jsonb,
  p_expected_total_paise bigint,
  p_fee_bps integer,
  p_hold_seconds integer
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_ids uuid[];
  v_quantities integer[];
  v_fingerprint text;
  v_now timestamptz;
  v_hold_until timestamptz;
  v_order public.orders;
  v_superseded bigint[];
  v_unknown jsonb;
  v_short jsonb;
  v_items jsonb;
  v_subtotal bigint;
  v_fee bigint;
  v_id bigint;
begin
  if p_user_id is null or p_idempotency_key is null then
    raise exception 'user and idempotency key are required' using errcode = '22023';
  end if;
  if p_expected_total_paise is null then
    raise exception 'the expected total is required' using errcode = '22023';
  end if;
  if p_fee_bps is null or p_fee_bps not between 0 and 10000 then
    raise exception 'fee_bps must be 0 to 10000' using errcode = '22023';
  end if;
  if p_hold_seconds is null or p_hold_seconds not between 1 and 86400 then
    raise exception 'hold_seconds must be 1 to 86400' using errcode = '22023';
  end if;
  perform private.check_customer(p_customer);
  select array_agg(l.product_id order by l.line_number), array_agg(l.quantity order by l.line_number)
  into v_ids, v_quantities
  from private.cart_lines(p_lines) l;

  -- Identifies the cart: products, quantities and total, whatever the order of the lines.
  select encode(sha256(convert_to(
    string_agg(l.id || ':' || l.quantity, ',' order by l.id) || '=' || p_expected_total_paise, 'UTF8'
  )), 'hex')
  into v_fingerprint
  from unnest(v_ids, v_quantities) l (id, quantity);

  -- One call of a shopper at a time, so that two clicks cannot hold the stock twice.
  perform pg_advisory_xact_lock(hashtextextended('place_order:' || p_user_id, 0));

  select * into v_order from public.orders
  where user_id = p_user_id and idempotency_key = p_idempotency_key
  for update;
  -- Not now(): that is when the transaction began, which can be long before the locks were granted.
  v_now := clock_timestamp();
  v_hold_until := v_now + make_interval(secs => p_hold_seconds);
  if found then
    if v_order.cart_fingerprint is distinct from v_fingerprint then
      return jsonb_build_object('outcome', 'expired');
    elsif v_order.payment_id is not null then
      return private.order_result('paid', v_order);
    elsif v_order.status = 'PENDING' and v_order.hold_state = 'held' and v_order.hold_expires_at > v_now then
      return private.reuse_order(v_order.id, p_idempotency_key, p_customer, v_hold_until);
    end if;
    return jsonb_build_object('outcome', 'expired');
  end if;

  perform 1 from public.orders where user_id = p_user_id and hold_state = 'held' order by id for update;
  v_now := clock_timestamp();
  v_hold_until := v_now + make_interval(secs => p_hold_seconds);

  -- The shopper's other open orders are released: their stock is returned now, and the sweep asks at once whether they
  -- were paid after all. An order of this same cart is kept, if its hold has not expired.
  select min(o.id) filter (where o.cart_fingerprint = v_fingerprint and o.status = 'PENDING' and o.hold_expires_at > v_now)
  into v_id
  from public.orders o
  where o.user_id = p_user_id and o.hold_state = 'held';
  select coalesce(array_agg(o.id), '{}') into v_superseded
  from public.orders o
  where o.user_id = p_user_id and o.hold_state = 'held' and o.id is distinct from v_id;

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
    update public.orders
    set hold_state = 'released', release_reason = 'superseded', next_check_at = v_now
    where id = any (v_superseded);
  end if;
  if v_id is not null then
    return private.reuse_order(v_id, p_idempotency_key, p_customer, v_hold_until);
  end if;

  select jsonb_agg(l.id order by l.line_number) into v_unknown
  from unnest(v_ids) with ordinality l (id, line_number)
  where not exists (select 1 from public.products p where p.id = l.id);
  if v_unknown is not null then
    return jsonb_build_object('outcome', 'unknown_product', 'product_ids', v_unknown);
  end if;

  select
    jsonb_agg(jsonb_build_object('product_id', p.id, 'name', p.name, 'requested', l.quantity, 'available', p.stock)
      order by l.line_number) filter (where p.stock < l.quantity),
    jsonb_agg(jsonb_build_object('product_id', p.id, 'name', p.name, 'quantity', l.quantity,
      'price', coalesce(p."offerPrice", p.price), 'image', p.images[1]) order by l.line_number),
    sum((coalesce(p."offerPrice", p.price) * 100)::bigint * l.quantity)
  into v_short, v_items, v_subtotal
  from unnest(v_ids, v_quantities) with ordinality l (id, quantity, line_number)
  join public.products p on p.id = l.id;
  if v_short is not null then
    return jsonb_build_object('outcome', 'out_of_stock', 'items', v_short);
  end if;

  v_fee := private.platform_fee(v_subtotal, p_fee_bps);
  if v_subtotal + v_fee not between 100 and 100000000 then
    return jsonb_build_object('outcome', 'amount_out_of_range', 'total_paise', v_subtotal + v_fee);
  end if;
  if v_subtotal + v_fee <> p_expected_total_paise then
    return jsonb_build_object('outcome', 'price_changed', 'subtotal_paise', v_subtotal, 'fee_paise', v_fee,
      'total_paise', v_subtotal + v_fee, 'items', v_items);
  end if;

  update public.products p
  set stock = p.stock - l.quantity
  from unnest(v_ids, v_quantities) l (id, quantity)
  where p.id = l.id;

  v_id := nextval(pg_get_serial_sequence('public.orders', 'id'));
  insert into public.orders (
    id, user_id, merchant_transaction_id, idempotency_key, cart_fingerprint, customer_name, customer_email,
    customer_phone, customer_address, customer_city, customer_postal_code, notes, items, subtotal_paise, fee_paise,
    total_paise, fee_bps, hold_state, hold_expires_at, next_check_at
  )
  values (
    v_id, p_user_id, 'KSV-' || v_id || '-' || left(gen_random_uuid()::text, 6), p_idempotency_key, v_fingerprint,
    p_customer ->> 'name', p_customer ->> 'email', p_customer ->> 'phone', p_customer ->> 'address',
    p_customer ->> 'city', p_customer ->> 'postal_code', p_customer ->> 'notes', v_items, v_subtotal, v_fee,
    v_subtotal + v_fee, p_fee_bps, 'held', v_hold_until, v_hold_until
  )
  returning * into v_order;
  return private.order_result('placed', v_order);
end;
$$;

-- Stores the Razorpay order id of an order: {outcome, razorpay_order_id}. When two concurrent requests have each created
-- one at Razorpay, the first one stored is kept and returned to both (outcome 'already'). Raises 22023 or P0002.
create function public.attach_razorpay_order(p_order_id bigint, p_razorpay_order_id text)
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
  update public.orders set razorpay_order_id = p_razorpay_order_id where id = p_order_id;
  return jsonb_build_object('outcome', 'attached', 'razorpay_order_id', p_razorpay_order_id);
end;
$$;
