-- Placing a cart, step by step: reuse the open order, refuse, price, take the stock, insert. place_order calls it, and rolls back what it refuses.

-- What place_order was given, checked: the lines as arrays, in the order of the cart. It describes the other fields.
create type private.cart as (
  user_id uuid,
  idempotency_key uuid,
  ids uuid[],
  sizes text[],
  quantities integer[],
  fingerprint text,
  customer jsonb,
  expected_total_paise bigint,
  charges jsonb,
  hold_seconds integer,
  max_units integer,
  blank text[],
  discount_code text,
  network text,
  reduction_paise bigint,
  cash jsonb,
  terms jsonb
);

-- The open order of the same cart whose price is still current and that is paid the same way; null for none. One that is reserved stays;
-- ordered again, it is the same order.
create function private.reusable_order(p_cart private.cart, p_now timestamptz)
returns bigint
language plpgsql
set search_path = ''
as $$
declare
  v_subtotal constant bigint := private.cart_subtotal(p_cart.ids, p_cart.quantities);
begin
  return (
    select min(o.id)
    from public.orders o
    where o.user_id = p_cart.user_id and o.status = 'PENDING' and o.hold_expires_at > p_now
      and (o.hold_state = 'held' or (o.hold_state = 'reserved' and p_cart.cash is not null))
      and o.cart_fingerprint = p_cart.fingerprint
      and o.total_paise = p_cart.expected_total_paise
      and o.discount_code is not distinct from p_cart.discount_code
      and private.is_priced_so(o, v_subtotal, p_cart.charges)
      and o.cash_paise = case when p_cart.cash is null then 0
        else o.total_paise - private.cash_advance(o.total_paise, p_cart.cash) end
  );
end;
$$;

-- Releases the customer's other open orders and expired ones, and returns their stock. Locks all products of the old and the new orders in one
-- statement. The caller has locked the orders.
create function private.release_for_cart(p_cart private.cart, p_superseded bigint[], p_expired bigint[], p_now timestamptz)
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform 1 from public.products p
  where p.id = any (p_cart.ids)
    or p.id in (
      select (item ->> 'product_id')::uuid
      from public.orders o, jsonb_array_elements(o.items) item
      where o.id = any (p_superseded || p_expired)
    )
  order by p.id
  for update;

  if cardinality(p_superseded) > 0 then
    perform private.return_stock(p_superseded);
    -- The customer may still be paying one of them in another tab.
    update public.orders
    set hold_state = 'released', release_reason = 'superseded', ended_by = 'customer',
        next_check_at = p_now + interval '15 minutes'
    where id = any (p_superseded);
  end if;
  if cardinality(p_expired) > 0 then
    perform private.return_stock(p_expired);
    -- The sweep still asks Razorpay about them: their check is due.
    update public.orders set hold_state = 'released', release_reason = 'expired', ended_by = 'customer'
    where id = any (p_expired);
  end if;
end;
$$;

-- Reuses the open order of the same cart, with the details and the key of now.
create function private.reuse_cart(p_cart private.cart, p_order_id bigint, p_code public.discount_codes, p_now timestamptz)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_order public.orders;
  v_refusal text;
  v_answer jsonb;
begin
  if p_code.code is not null then
    -- The order may have another phone now, of a customer who has used the code. A code that has ended meanwhile stays.
    v_refusal := private.discount_use_refusal(p_code, p_cart.user_id, p_cart.customer ->> 'phone', p_order_id);
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'discount', 'reason', v_refusal);
    end if;
  end if;
  if p_cart.cash is not null then
    -- The details may be others than those that were asked about before.
    v_refusal := private.cash_refusal(
      p_cart.user_id, p_cart.ids, p_cart.customer, p_cart.expected_total_paise, p_cart.network, p_cart.cash, p_order_id
    );
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'no_cash', 'reason', v_refusal);
    end if;
  end if;
  v_order := private.reuse_order(p_order_id, p_cart.idempotency_key, p_cart.customer, p_cart.terms);
  if v_order.hold_state = 'reserved' then
    return private.order_result('reserved', v_order) || '{"repeated": true}';
  end if;
  v_answer := private.limit_hold(v_order, p_now, p_cart.hold_seconds);
  return case when v_answer ->> 'outcome' = 'placed' then v_answer || '{"outcome": "reused"}' else v_answer end;
end;
$$;

-- Why nothing of a cart can be ordered now, as place_order answers it, whatever it costs; null when it can.
create function private.cart_refusal(p_cart private.cart, p_now timestamptz)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_answer jsonb;
  v_found jsonb;
begin
  if p_cart.blank is null and private.closed_until() is not null then
    return jsonb_build_object('outcome', 'closed', 'until', private.closed_until());
  end if;
  select jsonb_build_object('outcome', 'wait', 'until', max(l.again_at), 'reason', 'cards') into v_answer
  from private.cost_left('failed_payment', private.cost_keys(p_cart.user_id::text), 1, p_now) l
  having max(l.again_at) is not null;
  if v_answer is not null then
    return v_answer;
  end if;

  select jsonb_agg(l.id order by l.line_number) into v_found
  from unnest(p_cart.ids) with ordinality l (id, line_number)
  where not exists (
    select 1 from public.products p
    where p.id = l.id and (not p.hidden or p_cart.blank is not null) and p.deleted_at is null
  );
  if v_found is not null then
    return jsonb_build_object('outcome', 'unknown_product', 'product_ids', v_found);
  end if;
  select jsonb_agg(jsonb_build_object('product_id', p.id, 'name', p.name, 'size', l.size) order by l.line_number)
  into v_found
  from unnest(p_cart.ids, p_cart.sizes) with ordinality l (id, size, line_number)
  join public.products p on p.id = l.id
  where case when l.size is null then p.sizes <> '[]'
    else not p.sizes @> jsonb_build_array(jsonb_build_object('size', l.size)) end;
  if v_found is not null then
    return jsonb_build_object('outcome', 'choose_size', 'items', v_found);
  end if;
  v_found := private.lines_above(p_cart, p_cart.max_units);
  if v_found is not null then
    return jsonb_build_object('outcome', 'too_many_units', 'items', v_found, 'limit', p_cart.max_units);
  end if;
  v_found := private.lines_above(p_cart, null);
  return case when v_found is not null then jsonb_build_object('outcome', 'out_of_stock', 'items', v_found) end;
end;
$$;

-- The lines of a cart with more units than p_most, or than are in stock where it is null; null for none.
create function private.lines_above(p_cart private.cart, p_most integer)
returns jsonb
language plpgsql
set search_path = ''
as $$
begin
  return (
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'product_id', p.id, 'size', l.size, 'name', private.sized_name(p.name, l.size),
      'requested', l.quantity, 'available', a.available
    )) order by l.line_number)
    from unnest(p_cart.ids, p_cart.sizes, p_cart.quantities) with ordinality l (id, size, quantity, line_number)
    join public.products p on p.id = l.id
    cross join lateral (select coalesce(p_most, private.stock_of_line(p.stock, p.sizes, l.size)) as available) a
    where l.quantity > a.available
  );
end;
$$;

-- The items and the rows of a cart at the prices of now: {items, rows}; or why it cannot be ordered at the total that its customer read, as
-- place_order answers it. p_code is its discount, locked.
create function private.price_cart(p_cart private.cart, p_code public.discount_codes)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_items jsonb;
  v_subtotal bigint;
  v_discount bigint := p_cart.reduction_paise;
  v_refusal jsonb;
  v_rows jsonb;
  v_total bigint;
begin
  select
    jsonb_agg(jsonb_build_object('product_id', p.id, 'name', private.sized_name(p.name, l.size), 'quantity', l.quantity,
      'price', coalesce(p."offerPrice", p.price), 'image', p.images[1])
      || case when l.size is null then '{}' else jsonb_build_object('size', l.size) end order by l.line_number),
    sum((coalesce(p."offerPrice", p.price) * 100)::bigint * l.quantity)
  into v_items, v_subtotal
  from unnest(p_cart.ids, p_cart.sizes, p_cart.quantities) with ordinality l (id, size, quantity, line_number)
  join public.products p on p.id = l.id;

  if p_cart.discount_code is not null then
    v_refusal := private.discount_refusal(p_code, p_cart.user_id, p_cart.customer ->> 'phone', v_subtotal);
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'discount') || v_refusal;
    end if;
    v_discount := private.discount_of(p_code, v_subtotal);
  elsif v_discount > 0 and v_discount >= v_subtotal then
    return jsonb_build_object('outcome', 'amount_out_of_range', 'total_paise', 0);
  end if;

  v_rows := private.sum_rows(
    v_subtotal, jsonb_build_object('label', p_cart.discount_code, 'paise', v_discount), p_cart.charges
  );
  v_total := private.rows_paise(v_rows);
  if v_total not between 100 and 100000000 then
    return jsonb_build_object('outcome', 'amount_out_of_range', 'total_paise', v_total);
  end if;
  if v_discount > 0 then
    v_items := private.spread_discount(v_items, v_discount);
  end if;
  if v_total <> p_cart.expected_total_paise then
    -- The site of release 1.3.2 reads the parts.
    return jsonb_build_object('outcome', 'price_changed', 'subtotal_paise', v_subtotal, 'discount_paise', v_discount,
      'fee_paise', private.rows_paise(v_rows, 'fee'), 'total_paise', v_total, 'items', v_items);
  end if;
  return jsonb_build_object('items', v_items, 'rows', v_rows);
end;
$$;

-- Inserts the order of a cart, held as of now. Its stock is taken by the caller.
create function private.insert_order(p_cart private.cart, p_items jsonb, p_rows jsonb, p_now timestamptz)
returns public.orders
language plpgsql
set search_path = ''
as $$
declare
  v_id constant bigint := nextval(pg_get_serial_sequence('public.orders', 'id'));
  v_total constant bigint := private.rows_paise(p_rows);
  v_customer constant jsonb := p_cart.customer;
  v_order public.orders;
begin
  insert into public.orders (
    id, created_at, user_id, merchant_transaction_id, idempotency_key, cart_fingerprint, network,
    customer_name, customer_email, customer_phone, customer_address, customer_city, customer_postal_code,
    notes, gift_note, recipient_name, recipient_phone, customer_gstin, asked_about, items, sum_rows, discount_code, total_paise,
    subtotal_paise, discount_paise, fee_paise, fee_bps, cash_charge_paise,
    hold_state, hold_expires_at, next_check_at, cash_paise, confirm_seconds, razorpay_key_id, payment_method, terms
  )
  values (
    v_id, p_now, p_cart.user_id, private.order_reference(v_id), p_cart.idempotency_key, p_cart.fingerprint, p_cart.network,
    v_customer ->> 'name', v_customer ->> 'email', v_customer ->> 'phone', v_customer ->> 'address',
    v_customer ->> 'city', v_customer ->> 'postal_code', v_customer ->> 'notes', nullif(v_customer ->> 'gift_note', ''),
    nullif(v_customer ->> 'recipient_name', ''), nullif(v_customer ->> 'recipient_phone', ''),
    nullif(v_customer ->> 'gstin', ''), private.asked_about(v_customer), p_items, p_rows, p_cart.discount_code, v_total,
    -- The site of release 1.3.2 reads these.
    private.rows_paise(p_rows, 'goods'), -private.rows_paise(p_rows, 'discount'), private.rows_paise(p_rows, 'fee'), coalesce((
      select (sum_row ->> 'bps')::integer from jsonb_array_elements(p_rows) sum_row where sum_row ->> 'kind' = 'fee'
    ), 0), private.rows_paise(p_rows, 'cash_charge'),
    'held', p_now, p_now,
    case when p_cart.cash is null then 0 else v_total - private.cash_advance(v_total, p_cart.cash) end,
    (p_cart.cash ->> 'confirm_seconds')::integer, left(p_cart.cash ->> 'key_id', 60),
    case when p_cart.cash is not null then 'cash' end, p_cart.terms
  )
  returning * into v_order;
  return v_order;
end;
$$;

-- Places or reuses the order of a cart. The outcomes are those of place_order. On any other outcome than placed, reused or reserved the
-- caller must roll back. The caller has the customer's advisory lock.
create function private.place_cart(p_cart private.cart)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_now timestamptz;
  v_expired bigint[];
  v_id bigint;
  v_code public.discount_codes;
  v_answer jsonb;
  v_refusal text;
  v_order public.orders;
begin
  perform 1 from public.orders where user_id = p_cart.user_id and hold_state in ('held', 'reserved') order by id for update;
  v_now := clock_timestamp();
  v_expired := private.lock_expired_holds(p_cart.user_id, p_cart.ids, p_cart.sizes, p_cart.quantities, v_now);
  v_id := private.reusable_order(p_cart, v_now);
  if p_cart.discount_code is not null then
    -- Serialises orders with the same code, so that its uses are counted one by one.
    select * into v_code from public.discount_codes where code = p_cart.discount_code for update;
  end if;
  perform private.release_for_cart(p_cart, array(
    select o.id from public.orders o
    where o.user_id = p_cart.user_id and o.hold_state = 'held' and o.id is distinct from v_id
  ), v_expired, v_now);
  if v_id is not null then
    return private.reuse_cart(p_cart, v_id, v_code, v_now);
  end if;

  v_answer := private.cart_refusal(p_cart, v_now);
  if v_answer is not null then
    return v_answer;
  end if;
  v_answer := private.price_cart(p_cart, v_code);
  if v_answer ? 'outcome' then
    return v_answer;
  end if;
  if p_cart.cash is not null then
    v_refusal := private.cash_refusal(
      p_cart.user_id, p_cart.ids, p_cart.customer, p_cart.expected_total_paise, p_cart.network, p_cart.cash
    );
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'no_cash', 'reason', v_refusal);
    end if;
  end if;

  perform private.add_stock((
    select jsonb_agg(jsonb_build_object('product_id', l.id, 'size', l.size, 'quantity', -l.quantity))
    from unnest(p_cart.ids, p_cart.sizes, p_cart.quantities) l (id, size, quantity)
  ));
  v_order := private.insert_order(p_cart, v_answer -> 'items', v_answer -> 'rows', v_now);
  if p_cart.cash is not null and private.online_paise(v_order) = 0 then
    v_refusal := private.last_unit_refusal(v_order);
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'no_cash', 'reason', v_refusal);
    end if;
    return private.order_result('reserved', private.reserve_order(v_order));
  end if;
  return private.limit_hold(v_order, v_now, p_cart.hold_seconds);
end;
$$;
