-- What is paid at the door is whole rupees: the total of a cash order and its advance are rounded, when the site says so. The site of before
-- says nothing, and its orders are counted as before. A courier's list or the admin may differ from what is due by less than a rupee.

create or replace function private.cash_amount(p_paise bigint, p_cash jsonb)
returns bigint
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case when (p_cash ->> 'whole_rupees')::boolean then (p_paise + 50) / 100 * 100 else p_paise end;
end;
$$;

create or replace function private.rounding_of(p_order public.orders)
returns bigint
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case
    when p_order.cash_paise > 0 then p_order.total_paise
      - (p_order.subtotal_paise - p_order.discount_paise + p_order.fee_paise + p_order.cash_charge_paise)
    else 0
  end;
end;
$$;

create or replace function private.cash_advance(p_total_paise bigint, p_cash jsonb)
returns bigint
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case
    when p_cash ->> 'advance_percent' is not null then least(greatest(private.cash_amount(
        (p_total_paise * (p_cash ->> 'advance_percent')::bigint + 50) / 100, p_cash
      ), 100), p_total_paise - 100)
    when p_cash ->> 'advance_paise' is not null
      then least(greatest(private.cash_amount((p_cash ->> 'advance_paise')::bigint, p_cash), 100), p_total_paise - 100)
    else 0
  end;
end;
$$;

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
  p_reduction_paise bigint,
  p_cash jsonb
)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_charge constant bigint := coalesce((p_cash ->> 'charge_paise')::bigint, 0);
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
  perform 1 from public.orders where user_id = p_user_id and hold_state in ('held', 'reserved') order by id for update;
  v_now := clock_timestamp();
  v_expired := private.lock_expired_holds(p_user_id, p_ids, p_sizes, p_quantities, v_now);

  -- Reuses a held order of the same cart if its price is still current and it is paid the same way. The customer's other open
  -- orders are released, and their stock is returned now. One that is reserved stays; ordered again, it is the same order.
  select min(o.id) into v_id
  from public.orders o
  where o.user_id = p_user_id and o.status = 'PENDING' and o.hold_expires_at > v_now
    and (o.hold_state = 'held' or (o.hold_state = 'reserved' and p_cash is not null))
    and o.cart_fingerprint = p_fingerprint
    and o.total_paise = p_expected_total_paise
    and o.discount_code is not distinct from p_discount_code
    and o.total_paise = private.total_with_fee(v_subtotal - o.discount_paise, p_fee_bps) + v_charge + private.rounding_of(o)
    and o.cash_paise = case when p_cash is null then 0 else o.total_paise - private.cash_advance(o.total_paise, p_cash) end;
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
    set hold_state = 'released', release_reason = 'superseded', ended_by = 'customer',
        next_check_at = v_now + interval '15 minutes'
    where id = any (v_superseded);
  end if;
  if cardinality(v_expired) > 0 then
    perform private.return_stock(v_expired);
    -- The sweep still asks Razorpay about them: their check is due.
    update public.orders set hold_state = 'released', release_reason = 'expired', ended_by = 'customer'
    where id = any (v_expired);
  end if;
  if v_id is not null and v_code.code is not null then
    -- The order may have another phone now, of a customer who has used the code. A code that has ended meanwhile stays.
    v_refusal := private.discount_use_refusal(v_code, p_user_id, p_customer ->> 'phone', v_id);
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'discount', 'reason', v_refusal);
    end if;
  end if;
  if v_id is not null and p_cash is not null then
    -- The details may be others than those that were asked about before.
    v_refusal := private.cash_refusal(
      p_user_id, p_ids, p_customer, p_expected_total_paise, p_network, p_cash, v_id
    );
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'no_cash', 'reason', v_refusal);
    end if;
  end if;
  if v_id is not null then
    v_order := private.reuse_order(v_id, p_idempotency_key, p_customer);
    if v_order.hold_state = 'reserved' then
      return private.order_result('reserved', v_order) || '{"repeated": true}';
    end if;
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
  v_total := private.cash_amount(private.total_with_fee(v_subtotal - v_discount, p_fee_bps) + v_charge, p_cash);
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
  if p_cash is not null then
    v_refusal := private.cash_refusal(p_user_id, p_ids, p_customer, v_total, p_network, p_cash);
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'no_cash', 'reason', v_refusal);
    end if;
  end if;

  perform private.add_stock((
    select jsonb_agg(jsonb_build_object('product_id', l.id, 'size', l.size, 'quantity', -l.quantity))
    from unnest(p_ids, p_sizes, p_quantities) l (id, size, quantity)
  ));

  v_id := nextval(pg_get_serial_sequence('public.orders', 'id'));
  insert into public.orders (
    id, created_at, user_id, merchant_transaction_id, idempotency_key, cart_fingerprint, network,
    customer_name, customer_email, customer_phone, customer_address, customer_city, customer_postal_code,
    notes, gift_note, recipient_name, recipient_phone, customer_gstin, asked_about, items, subtotal_paise, discount_code,
    discount_paise, fee_paise, total_paise, fee_bps, hold_state, hold_expires_at, next_check_at, cash_paise,
    cash_charge_paise, confirm_seconds, razorpay_key_id, payment_method
  )
  values (
    v_id, v_now, p_user_id, private.order_reference(v_id), p_idempotency_key,
    p_fingerprint, p_network,
    p_customer ->> 'name', p_customer ->> 'email', p_customer ->> 'phone', p_customer ->> 'address',
    p_customer ->> 'city', p_customer ->> 'postal_code', p_customer ->> 'notes', nullif(p_customer ->> 'gift_note', ''),
    nullif(p_customer ->> 'recipient_name', ''), nullif(p_customer ->> 'recipient_phone', ''),
    nullif(p_customer ->> 'gstin', ''), private.asked_about(p_customer), v_items, v_subtotal,
    p_discount_code, v_discount, v_fee, v_total, p_fee_bps, 'held', v_now, v_now,
    case when p_cash is null then 0 else v_total - private.cash_advance(v_total, p_cash) end, v_charge,
    (p_cash ->> 'confirm_seconds')::integer, left(p_cash ->> 'key_id', 60), case when p_cash is not null then 'cash' end
  )
  returning * into v_order;
  if p_cash is not null and private.online_paise(v_order) = 0 then
    return private.order_result('reserved', private.reserve_order(v_order));
  end if;
  return private.limit_hold(v_order, v_now, p_hold_seconds);
end;
$$;

create or replace function public.place_order(
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
  p_reduction_paise bigint default 0,
  p_cash jsonb default null
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
  if p_cash is not null and (jsonb_typeof(p_cash) <> 'object' or p_blank is not null
    or coalesce((p_cash ->> 'charge_paise')::bigint, -1) < 0 or coalesce((p_cash ->> 'confirm_seconds')::bigint, 0) < 1)
  then
    raise exception 'the terms of cash need a charge and the seconds to confirm, and an account' using errcode = '22023';
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
    or v_order.discount_code is distinct from p_discount_code or (v_order.cash_paise > 0) <> (p_cash is not null)
  ) then
    return jsonb_build_object('outcome', 'expired');
  elsif v_order.payment_id is not null then
    return private.order_result('paid', v_order);
  elsif v_order.hold_state = 'reserved' or v_order.sold then
    return private.order_result('reserved', v_order);
  elsif v_order.id is not null and (
    v_order.hold_state <> 'held' or v_order.hold_expires_at <= clock_timestamp()
    or v_order.total_paise is distinct from private.total_with_fee(
      private.cart_subtotal(v_ids, v_quantities) - v_order.discount_paise, p_fee_bps
    ) + v_order.cash_charge_paise + private.rounding_of(v_order)
    or (p_cash is not null and v_order.cash_paise <> v_order.total_paise - private.cash_advance(v_order.total_paise, p_cash))
  ) then
    return jsonb_build_object('outcome', 'expired');
  end if;

  begin
    v_answer := private.place_cart(
      p_user_id, p_idempotency_key, v_ids, v_sizes, v_quantities, v_fingerprint, p_customer, p_expected_total_paise,
      p_fee_bps, p_hold_seconds, p_max_hold_seconds, p_max_units, p_blank, p_discount_code, p_network, p_reduction_paise,
      p_cash
    );
    if v_answer ->> 'outcome' not in ('placed', 'reused', 'reserved') then
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

create or replace function private.late_refusal(p_order public.orders, p_without bigint)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_code public.discount_codes;
  v_subtotal bigint;
begin
  select case when count(p.id) = count(*) then sum((coalesce(p."offerPrice", p.price) * 100)::bigint * quantity) end
  into v_subtotal
  from jsonb_to_recordset(p_order.items) item (product_id uuid, quantity bigint)
  left join public.products p
    on p.id = item.product_id and p.deleted_at is null and (not p.hidden or p_order.admin_key is not null);
  if v_subtotal is null then
    return 'not_sold';
  end if;
  if p_order.discount_code is not null then
    select * into v_code from public.discount_codes where code = p_order.discount_code for update;
    if private.discount_refusal(
      v_code, p_order.user_id, p_order.customer_phone, v_subtotal, coalesce(p_without, p_order.id)
    ) is not null then
      return 'discount_gone';
    end if;
  end if;
  return case when p_order.total_paise < private.total_with_fee(
    v_subtotal - case when v_code.code is null then p_order.discount_paise else private.discount_of(v_code, v_subtotal) end,
    p_order.fee_bps
  ) + p_order.cash_charge_paise + private.rounding_of(p_order) then 'price_changed' end;
end;
$$;

create or replace function private.receive_cash(p_order public.orders, p_amount_paise bigint, p_reference text)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_payment_id constant text := 'hand_' || p_order.id;
  v_reference constant text := nullif(left(btrim(p_reference), 100), '');
begin
  if p_order.payment_id is not null then
    return case
      when p_order.payment_reference is not distinct from v_reference then 'already' else 'paid_twice'
    end;
  elsif p_order.release_reason = 'refused' then
    return 'refused';
  elsif p_order.cash_paise = 0 or not p_order.sold then
    return 'not_sold';
  elsif abs(p_amount_paise - p_order.cash_paise) >= 100 then
    return case when p_amount_paise < p_order.cash_paise then 'too_little' else 'too_much' end;
  end if;
  perform private.record_payment(v_payment_id, p_order.id, null, p_order.cash_paise, p_order.currency, 'accepted');
  update public.orders
  set status = 'COMPLETED',
      -- A part of the advance may have gone back.
      payment_status = case
        when exists (
          select 1 from public.refunds r
          where r.order_id = p_order.id and r.state = 'processed' and r.payment_id = p_order.advance_payment_id
        ) then 'PARTIALLY_REFUNDED'
        else 'COMPLETED'
      end,
      payment_id = v_payment_id, payment_method = 'cash',
      payment_reference = v_reference, paid_at = clock_timestamp()
  where id = p_order.id;
  return 'received';
end;
$$;
