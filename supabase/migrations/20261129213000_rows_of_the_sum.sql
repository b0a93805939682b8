-- The sum of an order is rows: goods, discount, and a row for each charge. The site of 1.3.2 calls place_order with the fee and the charge
-- for cash, of which its orders get the same rows, and reads the columns that it knows, which are still written.

alter table public.orders add column sum_rows jsonb;

-- Written by npm run migration
drop function private.place_cart(uuid,uuid,uuid[],text[],integer[],text,jsonb,bigint,integer,integer,integer,text[],text,text,bigint,jsonb);
drop function public.place_admin_order(uuid,jsonb,jsonb,text,boolean,bigint,integer,integer,text,text,text,bigint);
drop function public.place_order(uuid,uuid,jsonb,jsonb,bigint,integer,integer,integer,text[],text,text,bigint,jsonb);

create function private.rows_paise(p_rows jsonb, p_kind text default null)
returns bigint
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (
    select coalesce(sum((sum_row ->> 'paise')::bigint), 0)
    from jsonb_array_elements(p_rows) sum_row
    where p_kind is null or sum_row ->> 'kind' = p_kind
  );
end;
$$;

create function private.row_amounts(p_rows jsonb)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (
    select jsonb_agg(jsonb_build_array(sum_row -> 'kind', sum_row -> 'paise') order by place)
    from jsonb_array_elements(p_rows) with ordinality r (sum_row, place)
    where sum_row ->> 'paise' <> '0'
  );
end;
$$;

create function private.sum_rows(p_goods_paise bigint, p_discount jsonb, p_charges jsonb)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
declare
  v_discount constant bigint := coalesce((p_discount ->> 'paise')::bigint, 0);
  v_goods constant bigint := p_goods_paise - v_discount;
  v_rows jsonb := jsonb_build_array(jsonb_build_object('kind', 'goods', 'paise', p_goods_paise));
  v_total bigint := v_goods;
  v_charge jsonb;
  v_paise bigint;
begin
  if v_discount > 0 then
    v_rows := v_rows || jsonb_strip_nulls(
      jsonb_build_object('kind', 'discount', 'paise', -v_discount, 'label', p_discount ->> 'label')
    );
  end if;
  for v_charge in
    select charge from jsonb_array_elements(p_charges) with ordinality c (charge, place)
    where charge ->> 'kind' not in ('goods', 'discount')
    order by place
  loop
    v_paise := case
      when v_charge ? 'bps' then (v_goods * (v_charge ->> 'bps')::integer + 5000) / 10000
      when v_charge ? 'to' then (v_total + (v_charge ->> 'to')::integer / 2)
        / (v_charge ->> 'to')::integer * (v_charge ->> 'to')::integer - v_total
      else (v_charge ->> 'paise')::bigint
    end;
    v_rows := v_rows || (v_charge || jsonb_build_object('paise', v_paise));
    v_total := v_total + v_paise;
  end loop;
  return v_rows;
end;
$$;

create function private.check_charges(p_charges jsonb)
returns void
language plpgsql
immutable
set search_path = ''
as $$
begin
  if jsonb_typeof(p_charges) is distinct from 'array' or jsonb_array_length(p_charges) > 20 then
    raise exception 'charges must be a list of at most 20' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_charges) charge
    where jsonb_typeof(charge) <> 'object'
      or coalesce(charge ->> 'kind', '') !~ '^[a-z][a-z_]{0,39}$' or charge ->> 'kind' in ('goods', 'discount')
      or jsonb_typeof(charge -> 'label') is distinct from 'string' or char_length(charge ->> 'label') not between 1 and 80
      or (charge ->> 'tax' in ('goods', 'fee')) is not true or (charge ->> 'refund' in ('share', 'last')) is not true
      or (charge ? 'paise')::integer + (charge ? 'bps')::integer + (charge ? 'to')::integer <> 1
      -- Compared as text, so that 1.5 or 1e9 is refused instead of rounded.
      or coalesce(charge ->> 'paise', charge ->> 'bps', charge ->> 'to', '') !~ '^[0-9]{1,9}$'
      or (charge ->> 'bps')::integer > 10000 or (charge ->> 'to')::integer not between 1 and 10000
  ) then
    raise exception 'a charge needs a kind, a label, tax, refund, and paise, bps or to' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_charges) charge group by charge ->> 'kind' having count(*) > 1
  ) or exists (
    select 1 from jsonb_array_elements(p_charges) with ordinality c (charge, place)
    where charge ? 'to' and place < jsonb_array_length(p_charges)
  ) then
    raise exception 'each charge may be there once, and rounding is the last' using errcode = '22023';
  end if;
end;
$$;

create function private.charges_of_before(p_fee_bps integer, p_cash_charge_paise bigint)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case when p_fee_bps > 0
    then jsonb_build_array(jsonb_build_object('kind', 'fee', 'bps', p_fee_bps, 'tax', 'fee', 'refund', 'share'))
    else '[]' end
    || case when p_cash_charge_paise > 0 then jsonb_build_array(
      jsonb_build_object('kind', 'cash_charge', 'paise', p_cash_charge_paise, 'tax', 'goods', 'refund', 'last')
    ) else '[]' end;
end;
$$;

create function private.rows_of_columns(
  p_total_paise bigint, p_subtotal_paise bigint, p_code text, p_discount_paise bigint, p_fee_paise bigint, p_fee_bps integer,
  p_cash_charge_paise bigint
)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
declare
  v_rows jsonb;
begin
  if p_subtotal_paise is null or p_total_paise is null then
    return null;
  end if;
  v_rows := private.sum_rows(
    p_subtotal_paise, jsonb_build_object('label', p_code, 'paise', p_discount_paise),
    private.charges_of_before(p_fee_bps, p_cash_charge_paise)
  );
  -- Every order of before adds up. One that does not has no rows, and shows its total alone.
  return case when private.rows_paise(v_rows) = p_total_paise and private.rows_paise(v_rows, 'fee') = coalesce(p_fee_paise, 0)
    then v_rows end;
end;
$$;

create function private.is_priced_so(p_order public.orders, p_goods_paise bigint, p_charges jsonb)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return coalesce(private.row_amounts(p_order.sum_rows) = private.row_amounts(private.sum_rows(
    p_goods_paise, jsonb_build_object('paise', -private.rows_paise(p_order.sum_rows, 'discount')), p_charges
  )), false);
end;
$$;

create function private.place_cart(
  p_user_id uuid,
  p_idempotency_key uuid,
  p_ids uuid[],
  p_sizes text[],
  p_quantities integer[],
  p_fingerprint text,
  p_customer jsonb,
  p_expected_total_paise bigint,
  p_charges jsonb,
  p_hold_seconds integer,
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
  v_rows jsonb;
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
    and private.is_priced_so(o, v_subtotal, p_charges)
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

  v_rows := private.sum_rows(v_subtotal, jsonb_build_object('label', p_discount_code, 'paise', v_discount), p_charges);
  v_total := private.rows_paise(v_rows);
  if v_total not between 100 and 100000000 then
    return jsonb_build_object('outcome', 'amount_out_of_range', 'total_paise', v_total);
  end if;
  if v_discount > 0 then
    v_items := private.spread_discount(v_items, v_discount);
  end if;
  if v_total <> p_expected_total_paise then
    -- The site of release 1.3.2 reads the parts.
    return jsonb_build_object('outcome', 'price_changed', 'subtotal_paise', v_subtotal, 'discount_paise', v_discount,
      'fee_paise', private.rows_paise(v_rows, 'fee'), 'total_paise', v_total, 'items', v_items);
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
    notes, gift_note, recipient_name, recipient_phone, customer_gstin, asked_about, items, sum_rows, subtotal_paise, discount_code,
    discount_paise, fee_paise, total_paise, fee_bps, hold_state, hold_expires_at, next_check_at, cash_paise,
    cash_charge_paise, confirm_seconds, razorpay_key_id, payment_method
  )
  values (
    v_id, v_now, p_user_id, private.order_reference(v_id), p_idempotency_key,
    p_fingerprint, p_network,
    p_customer ->> 'name', p_customer ->> 'email', p_customer ->> 'phone', p_customer ->> 'address',
    p_customer ->> 'city', p_customer ->> 'postal_code', p_customer ->> 'notes', nullif(p_customer ->> 'gift_note', ''),
    nullif(p_customer ->> 'recipient_name', ''), nullif(p_customer ->> 'recipient_phone', ''),
    nullif(p_customer ->> 'gstin', ''), private.asked_about(p_customer), v_items, v_rows, v_subtotal,
    p_discount_code, v_discount, private.rows_paise(v_rows, 'fee'), v_total, coalesce((
      select (sum_row ->> 'bps')::integer from jsonb_array_elements(v_rows) sum_row where sum_row ->> 'kind' = 'fee'
    ), 0), 'held', v_now, v_now,
    case when p_cash is null then 0 else v_total - private.cash_advance(v_total, p_cash) end,
    private.rows_paise(v_rows, 'cash_charge'),
    (p_cash ->> 'confirm_seconds')::integer, left(p_cash ->> 'key_id', 60), case when p_cash is not null then 'cash' end
  )
  returning * into v_order;
  if p_cash is not null and private.online_paise(v_order) = 0 then
    return private.order_result('reserved', private.reserve_order(v_order));
  end if;
  return private.limit_hold(v_order, v_now, p_hold_seconds);
end;
$$;

create function public.place_order(
  p_user_id uuid,
  p_idempotency_key uuid,
  p_lines jsonb,
  p_customer jsonb,
  p_expected_total_paise bigint,
  p_fee_bps integer default null,
  p_hold_seconds integer default null,
  p_max_units integer default 100000,
  p_blank text[] default null,
  p_discount_code text default null,
  p_network text default null,
  p_reduction_paise bigint default 0,
  p_cash jsonb default null,
  p_charges jsonb default null
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
  v_charges constant jsonb := coalesce(
    p_charges, private.charges_of_before(p_fee_bps, coalesce((p_cash ->> 'charge_paise')::bigint, 0))
  );
begin
  if (p_user_id is null) <> (p_blank is not null) or p_idempotency_key is null then
    raise exception 'user and idempotency key are required' using errcode = '22023';
  end if;
  if p_expected_total_paise is null then
    raise exception 'the expected total is required' using errcode = '22023';
  end if;
  if p_charges is not null then
    perform private.check_charges(p_charges);
  elsif p_fee_bps is null or p_fee_bps not between 0 and 10000 then
    raise exception 'fee_bps must be 0 to 10000' using errcode = '22023';
  end if;
  if p_hold_seconds is null or p_hold_seconds not between 1 and 604800 then
    raise exception 'hold_seconds must be 1 to 604800' using errcode = '22023';
  end if;
  if p_max_units is null or p_max_units < 1 then
    raise exception 'max_units must not be below 1' using errcode = '22023';
  end if;
  if p_cash is not null and (jsonb_typeof(p_cash) <> 'object' or p_blank is not null
    or coalesce((p_cash ->> 'charge_paise')::bigint, 0) < 0 or coalesce((p_cash ->> 'confirm_seconds')::bigint, 0) < 1)
  then
    raise exception 'the terms of cash need the seconds to confirm, and an account' using errcode = '22023';
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
    or not private.is_priced_so(v_order, private.cart_subtotal(v_ids, v_quantities), v_charges)
    or (p_cash is not null and v_order.cash_paise <> v_order.total_paise - private.cash_advance(v_order.total_paise, p_cash))
  ) then
    return jsonb_build_object('outcome', 'expired');
  end if;

  begin
    v_answer := private.place_cart(
      p_user_id, p_idempotency_key, v_ids, v_sizes, v_quantities, v_fingerprint, p_customer, p_expected_total_paise,
      v_charges, p_hold_seconds, p_max_units, p_blank, p_discount_code, p_network, p_reduction_paise,
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
    elsif v_answer ->> 'reason' = 'no_mail' then
      -- Its alert was rolled back, too.
      perform private.has_mail_left(private.mail_share(p_user_id, true));
    end if;
  end;
  return v_answer;
end;
$$;

create function public.place_admin_order(
  p_key uuid, p_lines jsonb, p_customer jsonb, p_channel text, p_hand_over boolean, p_expected_total_paise bigint,
  p_fee_bps integer, p_hold_seconds integer, p_method text, p_reference text, p_token text,
  p_reduction_paise bigint default 0, p_charges jsonb default null
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
    null, p_key, p_lines, p_customer, p_expected_total_paise, p_fee_bps, p_hold_seconds,
    p_blank => array['email']
      || case when p_hand_over then array['address', 'city', 'postal_code'] end
      || case when p_hand_over and p_method is not null then array['phone'] end,
    p_reduction_paise => p_reduction_paise,
    p_charges => p_charges
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

create or replace function public.read_payment_link(p_order_id bigint, p_token text)
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
      'id', o.id, 'items', o.items, 'sum_rows', o.sum_rows, 'total_paise', o.total_paise,
      -- The site of release 1.3.2 reads the parts.
      'subtotal_paise', o.subtotal_paise, 'discount_paise', o.discount_paise, 'fee_paise', o.fee_paise,
      'currency', o.currency, 'razorpay_order_id', o.razorpay_order_id, 'hold_expires_at', o.hold_expires_at
    ),
    'customer', jsonb_build_object(
      'name', o.customer_name, 'email', coalesce(o.customer_email, ''), 'phone', o.customer_phone
    )
  )
  from public.orders o
  where o.id = p_order_id and o.pay_token = p_token;
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
  return case when p_order.total_paise < private.rows_paise(private.sum_rows(
    v_subtotal,
    jsonb_build_object('paise', case when v_code.code is null then -private.rows_paise(p_order.sum_rows, 'discount')
      else private.discount_of(v_code, v_subtotal) end),
    p_order.sum_rows
  )) then 'price_changed' end;
end;
$$;

create or replace function private.replace_items(p_order public.orders, p_items jsonb, p_key uuid)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_id bigint := nextval(pg_get_serial_sequence('public.orders', 'id'));
  v_wrong text;
  v_items jsonb;
  v_subtotal bigint;
begin
  select wanted.key into v_wrong
  from jsonb_each_text(p_items) wanted
  where wanted.value::bigint > coalesce((
    select sum((item ->> 'quantity')::bigint) from jsonb_array_elements(p_order.items) item
    where private.line_key(item) = wanted.key
  ), 0)
  order by 1
  limit 1;
  if v_wrong is not null then
    return jsonb_build_object('outcome', 'too_many_items', 'line_key', v_wrong);
  end if;
  -- An order has each line key once.
  select jsonb_agg(
      item || jsonb_build_object(
        'quantity', (p_items ->> private.line_key(item))::integer,
        'discount_paise',
        round(coalesce((item ->> 'price')::numeric, 0) * 100)::bigint * (p_items ->> private.line_key(item))::integer
      ) order by line),
    sum(round(coalesce((item ->> 'price')::numeric, 0) * 100)::bigint * (p_items ->> private.line_key(item))::integer)
  into v_items, v_subtotal
  from jsonb_array_elements(p_order.items) with ordinality i (item, line)
  where p_items ? private.line_key(item);
  if not private.reserve_stock_again(v_items) then
    return jsonb_build_object('outcome', 'out_of_stock');
  end if;
  insert into public.orders (
    id, user_id, merchant_transaction_id, customer_name, customer_email, customer_phone, customer_address, customer_city,
    customer_postal_code, recipient_name, recipient_phone, items, sum_rows, subtotal_paise, discount_paise, fee_paise, total_paise,
    fee_bps, status, payment_status, payment_method, hold_state, admin_key, replaces
  )
  values (
    v_id, p_order.user_id, private.order_reference(v_id), p_order.customer_name,
    p_order.customer_email, p_order.customer_phone, p_order.customer_address, p_order.customer_city,
    p_order.customer_postal_code, p_order.recipient_name, p_order.recipient_phone, v_items,
    private.sum_rows(v_subtotal, jsonb_build_object('paise', v_subtotal), '[]'), v_subtotal,
    v_subtotal, 0, 0, 0, 'COMPLETED', 'COMPLETED', 'replacement', 'taken', p_key, p_order.id
  );
  return jsonb_build_object('outcome', 'placed', 'order_id', v_id);
end;
$$;

create or replace function public.list_orders(
  p_filter text, p_all text[], p_any text[], p_after_at timestamptz, p_after_id bigint, p_limit integer
)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_oldest_first boolean := p_filter in ('to_confirm', 'to_pack', 'packed');
  v_order text := case when v_oldest_first then 'asc' else 'desc' end;
  v_at text := 'o.created_at';
  v_where text := 'true';
  v_orders jsonb;
  v_counts jsonb;
begin
  if p_limit is null or p_limit not between 1 and 101 then
    raise exception 'limit must be 1 to 101' using errcode = '22023';
  end if;
  -- The state decides first where it can: it has an index, and is_open_refund reads further rows.
  if p_filter = 'refunds' then
    v_where := 'o.id in (select r.order_id from public.refunds r where r.state <> ''processed'' and private.is_open_refund(r))';
  elsif p_filter = 'refunded' then
    v_at := '(select max(r.created_at) from public.refunds r where r.order_id = o.id)';
    v_where := 'o.id in (select r.order_id from public.refunds r group by 1 having bool_or(r.state = ''processed'')
      and bool_and(r.state = ''processed'' or not private.is_open_refund(r)))';
  elsif p_filter <> 'all' then
    v_where := 'o.stage = $1';
  end if;
  if cardinality(p_all) > 0 then
    v_where := v_where || ' and o.search_text like all ($2)';
  end if;
  if cardinality(p_any) > 0 then
    v_where := v_where || ' and o.search_text like any ($3)';
  end if;
  if p_after_at is not null then
    v_where := v_where
      || format(' and (%s, o.id) %s ($4, $5)', v_at, case when v_oldest_first then '>' else '<' end);
  end if;
  -- Dynamic, so that each combination of filters gets a plan with its own index. All values are parameters.
  execute format(
    $query$
      select coalesce(jsonb_agg(jsonb_build_object(
        'refundedPaise', private.refunded_paise(o), 'openRefund', private.open_refund_state(o),
        'refundSums', (
          select jsonb_build_object(
            'donePaise', coalesce(sum(r.amount_paise) filter (where r.state = 'processed'), 0),
            'openPaise', coalesce(sum(r.amount_paise) filter (where private.is_open_refund(r)), 0),
            'lastAt', max(r.created_at)
          )
          from public.refunds r where r.order_id = o.id having count(*) > 0
        ),
        'order', jsonb_build_object(
        'id', o.id, 'merchant_transaction_id', o.merchant_transaction_id, 'created_at', o.created_at,
        'customer_name', o.customer_name, 'customer_email', o.customer_email, 'customer_phone', o.customer_phone,
        'customer_city', o.customer_city, 'notes', o.notes, 'items', o.items, 'products', o.products,
        'amount', o.amount, 'total_amount', o.total_amount, 'payment_amount', o.payment_amount, 'status', o.status,
        'payment_status', o.payment_status, 'sold', o.sold, 'fulfilment', o.fulfilment, 'is_test', o.is_test,
        -- The site of before reads it.
        'paid', o.paid,
        'hand_over', o.hand_over, 'cash_paise', o.cash_paise, 'cash_charge_paise', o.cash_charge_paise, 'sum_rows', o.sum_rows,
        'advance_payment_id', o.advance_payment_id, 'payment_id', o.payment_id, 'cash_confirmed_at', o.cash_confirmed_at,
        'hold_state', o.hold_state, 'hold_expires_at', o.hold_expires_at
      )) order by page.at %2$s, page.id %2$s), '[]')
      from (
        select o.id, %3$s as at from public.orders o where %1$s order by %3$s %2$s, o.id %2$s limit $6
      ) page
      join public.orders o on o.id = page.id
    $query$,
    v_where, v_order, v_at
  )
  into v_orders
  using p_filter, p_all, p_any, p_after_at, p_after_id, p_limit;

  select jsonb_object_agg(stage, n) into v_counts
  from (select o.stage, count(*) as n from public.orders o group by o.stage) t;
  return jsonb_build_object(
    'orders', v_orders,
    'counts', coalesce(v_counts, '{}') || jsonb_build_object(
      'refunds', (
        select count(distinct r.order_id) from public.refunds r where r.state <> 'processed' and private.is_open_refund(r)
      )
    )
  );
end;
$$;

create or replace function private.personal_data(p_user_id uuid, p_email text)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
declare
  v_orders bigint[];
begin
  select array_agg(o.id order by o.id) into v_orders
  from public.orders o
  where o.user_id = p_user_id or (o.user_id is null and lower(o.customer_email) = p_email);
  return jsonb_build_object(
    'account', (
      select jsonb_build_object('email', u.email, 'created_at', u.created_at, 'confirmed_at', u.email_confirmed_at)
      from auth.users u where u.id = p_user_id),
    'profile', (
      select jsonb_build_object('email', p.email, 'full_name', p.full_name, 'phone', p.phone, 'address', p.address,
        'city', p.city, 'postal_code', p.postal_code, 'updated_at', p.updated_at)
      from public.profiles p where p.id = p_user_id),
    'wishlist', (
      select jsonb_agg(jsonb_build_object('product', p.name, 'kept_at', w.kept_at) order by w.kept_at)
      from public.wishlists w join public.products p on p.id = w.product_id where w.user_id = p_user_id),
    'orders', (
      select jsonb_agg(
        jsonb_build_object(
          'id', o.id, 'created_at', o.created_at, 'updated_at', o.updated_at,
          'merchant_transaction_id', o.merchant_transaction_id, 'customer_name', o.customer_name,
          'customer_email', o.customer_email, 'customer_phone', o.customer_phone,
          'customer_address', o.customer_address, 'customer_city', o.customer_city,
          'customer_postal_code', o.customer_postal_code, 'customer_gstin', o.customer_gstin, 'notes', o.notes,
          'gift_note', o.gift_note, 'recipient_name', o.recipient_name, 'recipient_phone', o.recipient_phone,
          'items', o.items, 'products', o.products, 'sum_rows', o.sum_rows, 'currency', o.currency)
        || jsonb_build_object(
          'subtotal_paise', o.subtotal_paise, 'discount_code', o.discount_code, 'discount_paise', o.discount_paise,
          'fee_paise', o.fee_paise, 'fee_bps', o.fee_bps, 'total_paise', o.total_paise, 'kept_paise', o.kept_paise,
          'amount', o.amount, 'total_amount', o.total_amount, 'payment_amount', o.payment_amount,
          'status', o.status, 'payment_status', o.payment_status, 'payment_method', o.payment_method,
          'payment_reference', o.payment_reference, 'razorpay_order_id', o.razorpay_order_id,
          'payment_id', o.payment_id, 'paid_at', o.paid_at,
          'cash_paise', o.cash_paise, 'cash_charge_paise', o.cash_charge_paise,
          'advance_payment_id', o.advance_payment_id, 'cash_confirmed_at', o.cash_confirmed_at)
        || jsonb_build_object(
          'fulfilment', o.fulfilment, 'carrier', o.carrier, 'tracking_number', o.tracking_number,
          'tracking_url', o.tracking_url, 'packed_at', o.packed_at, 'shipped_at', o.shipped_at,
          'delivered_at', o.delivered_at, 'cancelled_at', o.cancelled_at, 'invoice_number', o.invoice_number,
          'delivery_notice', o.delivery_notice, 'channel', o.channel, 'hand_over', o.hand_over,
          'replaces', o.replaces)
        order by o.id)
      from public.orders o where o.id = any (v_orders)),
    'order_changes', (
      select jsonb_agg(jsonb_build_object('order_id', c.order_id, 'field', c.field, 'old_value', c.old_value,
        'new_value', c.new_value, 'changed_by', c.changed_by, 'created_at', c.created_at) order by c.id)
      from public.order_changes c where c.order_id = any (v_orders) and c.field <> 'admin_note'),
    'payments', (
      select jsonb_agg(jsonb_build_object('payment_id', p.payment_id, 'order_id', p.order_id,
        'amount_paise', p.amount_paise, 'state', p.state, 'created_at', p.created_at) order by p.created_at)
      from public.payments p where p.order_id = any (v_orders)),
    'refunds', (
      select jsonb_agg(jsonb_build_object('payment_id', r.payment_id, 'order_id', r.order_id,
        'amount_paise', r.amount_paise, 'state', r.state, 'created_at', r.created_at) order by r.id)
      from public.refunds r where r.order_id = any (v_orders)),
    'cash_refusals', (
      select jsonb_agg(jsonb_build_object('order_id', r.order_id, 'created_at', r.created_at,
        'forgiven_at', r.forgiven_at) order by r.id)
      from public.cash_refusals r where r.order_id = any (v_orders) or r.user_id = p_user_id),
    'claims', (
      select jsonb_agg(jsonb_build_object('order_id', c.order_id, 'created_at', c.created_at, 'message', c.message,
        'answer', c.answer, 'answered_at', c.answered_at, 'reason', c.reason,
        'files', (select count(*) from public.claim_files f where f.claim_id = c.id and not f.removing)) order by c.id)
      from public.claims c where c.order_id = any (v_orders)),
    'reviews', (
      select jsonb_agg(jsonb_build_object('order_id', r.order_id, 'product', p.name, 'created_at', r.created_at,
        'stars', r.stars, 'words', r.words, 'name', r.name, 'town', r.town, 'image', r.image, 'state', r.state,
        'answer', r.answer) order by r.id)
      from public.reviews r join public.products p on p.id = r.product_id where r.order_id = any (v_orders)),
    'invoices', (
      select jsonb_agg(i.document || jsonb_build_object('number', i.number) order by i.number)
      from public.invoices i where i.order_id = any (v_orders)),
    'credit_notes', (
      select jsonb_agg(n.document || jsonb_build_object('number', n.number) order by n.number)
      from public.credit_notes n join public.invoices i on i.number = n.invoice_number where i.order_id = any (v_orders)),
    'mails', (
      select jsonb_agg(jsonb_build_object('kind', m.kind, 'created_at', m.created_at, 'sent_at', m.sent_at) order by m.id)
      from public.outbox m
      where m.kind not in ('push', 'admin_alert') and (lower(m.recipient) = p_email or m.order_id = any (v_orders))),
    'messages', (
      select jsonb_agg(jsonb_build_object('created_at', c.created_at, 'name', c.name, 'email', c.email,
        'subject', c.subject, 'message', c.message, 'answered_at', c.answered_at) order by c.id)
      from public.contact_messages c where lower(c.email) = p_email),
    'newsletter', (
      select jsonb_build_object('created_at', s.created_at, 'email', s.email, 'consent_at', s.consent_at,
        'consent_text', s.consent_text, 'confirmed_at', s.confirmed_at, 'unsubscribed_at', s.unsubscribed_at,
        'asked_at', s.asked_at, 'asked_text', s.asked_text)
      from public.subscribers s where s.email = p_email),
    'stock_alerts', (
      select jsonb_agg(jsonb_build_object('product', p.name, 'size', a.size, 'created_at', a.created_at) order by a.id)
      from public.stock_alerts a join public.products p on p.id = a.product_id where a.email = p_email),
    'cart_mails', (
      select jsonb_build_object('refused_at', r.refused_at)
      from public.cart_mail_refusals r where r.address_hash = private.address_hash(p_email)),
    'order_forms', (
      select jsonb_agg(f.fields || jsonb_build_object('sent_at', f.created_at) order by f.id)
      from public.form_entries f where lower(f.fields ->> 'email') = p_email)
  );
end;
$$;

create or replace function public.after_restore(p_backup_at timestamptz, p_last_order bigint, p_last_invoice text,
  p_last_credit_note text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_last_order bigint;
  v_mails integer;
  v_sessions integer;
  v_sequence record;
begin
  if p_backup_at is null or p_backup_at > v_now or p_last_order is null or p_last_order < 0 then
    raise exception 'the time of the backup and the highest order number are required' using errcode = '22023';
  end if;

  insert into public.document_counters as c (series, financial_year, last_serial, last_issued_at)
  select d.series, n.financial_year, n.serial, v_now
  from (values ('invoice', p_last_invoice), ('credit_note', p_last_credit_note)) d (series, number)
  cross join lateral private.parse_document_number(d.series, d.number) n
  where d.number is not null
  on conflict (series, financial_year) do update
    set last_serial = greatest(c.last_serial, excluded.last_serial),
        last_issued_at = greatest(c.last_issued_at, excluded.last_issued_at);

  v_last_order := greatest(p_last_order, (select coalesce(max(id), 0) from public.orders));
  -- The dedupe keys of mails and refunds contain ids. Gaps are harmless.
  for v_sequence in
    select format('%I.%I', s.schemaname, s.sequencename) as name, coalesce(s.last_value, s.start_value) as last
    from pg_catalog.pg_sequences s where s.schemaname = 'public'
  loop
    perform setval(v_sequence.name::regclass, case
      when v_sequence.name = pg_get_serial_sequence('public.orders', 'id') then greatest(v_last_order, v_sequence.last)
      else v_sequence.last + 1000000
    end);
  end loop;

  -- Before the mails, which would notify the devices.
  v_sessions := public.end_admin_sessions(null, true);
  insert into public.outbox (kind, order_id, dedupe_key, sent_at)
  select m.kind, o.id, m.kind || ':' || o.id, v_now
  from public.orders o
  cross join (values ('order_confirmation'), ('order_notice'), ('cash_order_placed')) m (kind)
  where o.created_at <= p_backup_at and o.payment_id is null and o.razorpay_order_id is not null
    and o.hold_expires_at < v_now
  on conflict (dedupe_key) do nothing;
  update public.outbox set sent_at = v_now, locked_until = null where sent_at is null and created_at <= p_backup_at;
  get diagnostics v_mails = row_count;
  update public.orders
  set hold_expires_at = greatest(hold_expires_at, v_now + make_interval(secs => coalesce(confirm_seconds, 86400)))
  where hold_state = 'reserved';
  -- The shortest wait of `reviews.askAfterDays` is a day.
  update public.orders set review_request = 'asked'
  where fulfilment = 'delivered' and review_request is null and delivered_at < v_now - interval '1 day';
  -- One that is held ends later, and no mail comes a day after the end.
  update public.orders set cart_mailed_at = v_now
  where hold_state in ('held', 'released') and payment_id is null and cart_mailed_at is null
    and (hold_state = 'held' or released_at > v_now - interval '1 day');

  -- A backup of release 1.3.2 has the parts of the sum in columns alone.
  update public.orders set sum_rows = private.rows_of_columns(
    total_paise, subtotal_paise, discount_code, discount_paise, fee_paise, fee_bps, cash_charge_paise
  )
  where sum_rows is null and subtotal_paise is not null;
  -- The backup may be of a release that did not keep what a bank gave back.
  perform private.settle_old_disputes();
  update public.provider_health set reconcile = true, unreachable_since = null where id;
  update public.catalogue_version set version = version + 1000000 where id;
  return jsonb_build_object(
    'orders_after', v_last_order, 'mails', v_mails, 'sessions', v_sessions
  );
end;
$$;

comment on column public.orders.sum_rows is 'The rows that add up to total_paise, see private.sum_rows; null for an imported order';

grant select (sum_rows) on table public.orders to authenticated;
grant execute on function private.rows_paise(jsonb,text) to service_role;
grant execute on function public.place_admin_order(uuid,jsonb,jsonb,text,boolean,bigint,integer,integer,text,text,text,bigint,jsonb) to service_role;
grant execute on function public.place_order(uuid,uuid,jsonb,jsonb,bigint,integer,integer,integer,text[],text,text,bigint,jsonb,jsonb) to service_role;

drop function private.platform_fee(bigint,integer);
drop function private.total_with_fee(bigint,integer);
drop function private.rounding_of(public.orders);
-- end

-- One rewrite fills the rows of all orders, without a trigger and without a new updated_at, which is the revision that an open page read.
alter table public.orders
alter column sum_rows type jsonb using coalesce(sum_rows, private.rows_of_columns(
  total_paise, subtotal_paise, discount_code, discount_paise, fee_paise, fee_bps, cash_charge_paise
)),
add constraint orders_sum_rows_check check (sum_rows is null or private.rows_paise(sum_rows) = total_paise);
