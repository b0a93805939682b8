-- Placing an order: one transaction reads the prices, computes the fee, holds the stock and inserts the order.

-- ── The cart and the details ──

-- The lines of a cart as rows: [{"product_id": uuid text, "size": text or none, "quantity": 1..100000}], 1 to 50
-- lines, each product or size once. Raises 22023.
create function private.cart_lines(p_lines jsonb)
returns table (line_number bigint, product_id uuid, size text, quantity integer)
language plpgsql
immutable
set search_path = ''
as $$
begin
  if jsonb_typeof(p_lines) is distinct from 'array' then
    raise exception 'lines must be a list' using errcode = '22023';
  end if;
  if jsonb_array_length(p_lines) not between 1 and 50 then
    raise exception 'lines must be 1 to 50' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_lines) line
    where jsonb_typeof(line) <> 'object'
      or jsonb_typeof(line -> 'product_id') is distinct from 'string'
      or line ->> 'product_id' !~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
  ) then
    raise exception 'every line needs a product_id' using errcode = '22023';
  end if;
  -- Compared as text, so that 1.5, 1e309 or -1 are refused instead of rounded.
  if exists (
    select 1 from jsonb_array_elements(p_lines) line
    where jsonb_typeof(line -> 'quantity') is distinct from 'number'
      or line ->> 'quantity' !~ '^[0-9]{1,6}$'
      or (line ->> 'quantity')::integer not between 1 and 100000
  ) then
    raise exception 'every quantity must be a whole number from 1 to 100000' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_lines) line
    where coalesce(jsonb_typeof(line -> 'size'), 'null') not in ('null', 'string')
      or char_length(line ->> 'size') not between 1 and 40
  ) then
    raise exception 'a size must be a text of 1 to 40 characters' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_lines) line
    group by lower(line ->> 'product_id'), line ->> 'size'
    having count(*) > 1
  ) then
    raise exception 'a product, or a size of it, may be in one line only' using errcode = '22023';
  end if;
  return query
  select line.ordinality, (line.value ->> 'product_id')::uuid, line.value ->> 'size', (line.value ->> 'quantity')::integer
  from jsonb_array_elements(p_lines) with ordinality line;
end;
$$;

-- Checks the customer's details: texts within the limits of the form. Only the notes, what is about a gift and the fields
-- in p_blank may be blank. Raises 22023.
create function private.check_customer(p_customer jsonb, p_blank text[] default '{}')
returns void
language plpgsql
immutable
set search_path = ''
as $$
declare
  v_field text;
  v_max_length integer;
begin
  if jsonb_typeof(p_customer) is distinct from 'object' then
    raise exception 'customer must be an object' using errcode = '22023';
  end if;
  for v_field, v_max_length in
    values ('name', 100), ('email', 255), ('phone', 20), ('address', 500), ('city', 100), ('postal_code', 10)
  loop
    if jsonb_typeof(p_customer -> v_field) is distinct from 'string'
      or (btrim(p_customer ->> v_field) = '' and v_field <> all (p_blank))
      or char_length(p_customer ->> v_field) > v_max_length
    then
      raise exception 'customer.% must be a text of 1 to % characters', v_field, v_max_length using errcode = '22023';
    end if;
  end loop;
  if position('@' in p_customer ->> 'email') = 0 and (p_customer ->> 'email' <> '' or 'email' <> all (p_blank)) then
    raise exception 'customer.email must be an e-mail address' using errcode = '22023';
  end if;
  for v_field, v_max_length in
    values ('notes', 1000), ('gift_note', 200), ('recipient_name', 100), ('recipient_phone', 20)
  loop
    if coalesce(jsonb_typeof(p_customer -> v_field), 'null') not in ('null', 'string')
      or char_length(p_customer ->> v_field) > v_max_length
    then
      raise exception 'customer.% must be a text of at most % characters', v_field, v_max_length using errcode = '22023';
    end if;
  end loop;
  if coalesce(p_customer ->> 'gstin', '') !~ '^([0-9A-Z]{15})?$' then
    raise exception 'customer.gstin must be 15 characters' using errcode = '22023';
  end if;
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

-- ── The order ──

-- The result of place_order for outcomes with an order.
create function private.order_result(p_outcome text, p_order public.orders)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return jsonb_build_object('outcome', p_outcome, 'order', jsonb_build_object(
    'id', p_order.id,
    'merchant_transaction_id', p_order.merchant_transaction_id,
    'razorpay_order_id', p_order.razorpay_order_id,
    'payment_id', p_order.payment_id,
    'total_paise', p_order.total_paise,
    'online_paise', private.online_paise(p_order),
    'currency', p_order.currency,
    'hold_expires_at', p_order.hold_expires_at
  ));
end;
$$;

-- The advance of a cash order as it can be paid in coins: to the nearest rupee, 50 paise up, where p_cash says whole_rupees, as every site
-- since 1.4.0 does. Same as wholeRupees in src/domain/sums/payment-way.ts.
create function private.cash_amount(p_paise bigint, p_cash jsonb)
returns bigint
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case when (p_cash ->> 'whole_rupees')::boolean then (p_paise + 50) / 100 * 100 else p_paise end;
end;
$$;

-- Whether an order has the rows that its goods, its own discount and p_charges add up to now.
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

-- The advance of a cash order, in paise: a share in percent, half up, or an amount, and 0 for none. Razorpay takes a rupee or
-- more, and a rupee or more is left for the door. Same as advanceOf in src/domain/sums/payment-way.ts.
create function private.cash_advance(p_total_paise bigint, p_cash jsonb)
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

-- Takes an order that needs no payment, or no further one, before it is sent: its stock waits for the shop's word, and the
-- customer and the shop get a mail. The caller has locked the order, which holds its stock. A last unit for which nothing is paid waits
-- for two days at most, because nobody else can buy it.
create function private.reserve_order(p_order public.orders)
returns public.orders
language plpgsql
set search_path = ''
as $$
declare
  v_order public.orders;
  v_last_units constant text[] := case when p_order.kind = 'door' then private.last_units_of(p_order) else '{}' end;
begin
  update public.orders
  set hold_state = 'reserved',
      hold_expires_at = clock_timestamp() + make_interval(secs => least(
        coalesce(confirm_seconds, 86400), case when v_last_units = '{}' then 2147483647 else 172800 end
      )),
      last_units = v_last_units,
      next_check_at = null,
      checks = 0
  where id = p_order.id
  returning * into v_order;
  insert into public.outbox (kind, recipient, order_id, dedupe_key)
  values
    ('cash_order_placed', v_order.customer_email, v_order.id, 'cash_order_placed:' || v_order.id),
    ('order_notice', null, v_order.id, 'order_notice:' || v_order.id)
  on conflict (dedupe_key) do nothing;
  return v_order;
end;
$$;

-- Updates an open order with the latest details and key. Of one that waits for the shop's word it records what is different and tells
-- the admin, once a day: the shop may have called already.
create function private.reuse_order(p_order_id bigint, p_key uuid, p_customer jsonb, p_terms jsonb)
returns public.orders
language plpgsql
set search_path = ''
as $$
declare
  v_before jsonb;
  v_order public.orders;
begin
  select to_jsonb(o) into v_before from public.orders o where o.id = p_order_id;
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
      recipient_name = nullif(p_customer ->> 'recipient_name', ''),
      recipient_phone = nullif(p_customer ->> 'recipient_phone', ''),
      customer_gstin = nullif(p_customer ->> 'gstin', ''),
      asked_about = private.asked_about(p_customer),
      -- What its customer reads now. One that waits for the shop's word was placed before.
      terms = case when hold_state = 'held' then coalesce(p_terms, terms) else terms end
  where id = p_order_id
  returning * into v_order;
  if v_order.hold_state = 'reserved' then
    insert into public.order_changes (order_id, field, old_value, new_value, changed_by)
    select p_order_id, f.field, f.before, f.after, 'customer'
    from (
      select key as field, coalesce(v_before ->> key, '') as before, coalesce(value #>> '{}', '') as after
      from jsonb_each(to_jsonb(v_order))
      where key in (
        'customer_name', 'customer_phone', 'customer_address', 'customer_city', 'customer_postal_code', 'customer_gstin',
        'recipient_name', 'recipient_phone'
      )
    ) f
    where f.before <> f.after;
    if found then
      perform public.notify_admin(
        'cash_order_changed', '{}', 'cash_order_changed:' || p_order_id || ':' || private.india_date(now()), p_order_id
      );
    end if;
  end if;
  return v_order;
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
  p_charges jsonb,
  p_hold_seconds integer,
  p_max_units integer,
  p_blank text[],
  p_discount_code text,
  p_network text,
  p_reduction_paise bigint,
  p_cash jsonb,
  p_terms jsonb
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
    v_order := private.reuse_order(v_id, p_idempotency_key, p_customer, p_terms);
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
    cash_charge_paise, confirm_seconds, razorpay_key_id, payment_method, terms
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
    (p_cash ->> 'confirm_seconds')::integer, left(p_cash ->> 'key_id', 60), case when p_cash is not null then 'cash' end,
    p_terms
  )
  returning * into v_order;
  if p_cash is not null and private.online_paise(v_order) = 0 then
    v_refusal := private.last_unit_refusal(v_order);
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'no_cash', 'reason', v_refusal);
    end if;
    return private.order_result('reserved', private.reserve_order(v_order));
  end if;
  return private.limit_hold(v_order, v_now, p_hold_seconds);
end;
$$;

-- Places the order of a customer's cart and holds its stock, or returns the open order of the same key or cart. Returns
-- {outcome, …}:
--   placed, reused   with the order, whose online_paise are to be paid now
--   reserved         with the order: nothing is to be paid before it is sent (p_cash without an advance); repeated when another
--                    request placed it
--   no_cash          with reason, see private.cash_refusal and private.last_unit_refusal: this order cannot be paid at the door
--   paid             with the order: this key's order is already paid
--   expired          this key's order has ended, or was for another cart or price. The client must use a new key
--   closed           with until, the last day: the notice closes checkout. Open orders can still be reused
--   wait             with reason, until and more: cards (ten failed payments, failed_payment in cost_limits), or one of
--                    private.limit_hold
--   too_many_units   with items and the limit: more of one product or size than one order may have
--   choose_size      with items {product_id, name, size}: no size given, or one that the product does not have
--   discount         with reason and more, see private.discount_refusal: the code cannot be used
--   unknown_product (deleted or hidden), out_of_stock, amount_out_of_range, price_changed
-- A call that places nothing changes nothing: the customer keeps what they hold, and it counts as theirs in the check
-- of stock. A placed or reused order releases the customer's other open orders. Raises 22023 for bad input.
-- p_expected_total_paise is the total shown in the cart; no other amount is ever charged. A hold lasts p_hold_seconds
-- from the last call. p_network is the caller's network as in private.cost_keys, or null.
-- p_blank (customer fields that may be blank) and p_reduction_paise are for place_admin_order only. With p_blank the
-- order has no account, ignores the notice and may include hidden products. p_reduction_paise is taken off the goods
-- and spread over them like a discount without a code.
-- p_cash: the terms of an order that is paid at the door, null for one that is paid now: {whole_rupees, advance_percent or
-- advance_paise, min_paise, max_paise, pins (beginnings of PIN codes; none: all), confirm_seconds, refused_days, key_id (of
-- Razorpay, which says whether it is a test)}.
-- p_charges: what is charged beside the goods, as private.check_charges has it. p_fee_bps and the charge of p_cash are those of release
-- 1.3.2, which gives no charges.
-- p_terms is orders.terms, what the shop promises today; the site of release 1.3.2 passes none.
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
  p_charges jsonb default null,
  p_terms jsonb default null
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
      p_cash, p_terms
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

-- ── Remembered details ──

-- The details of a paid order are those that the account fills into the next one.

-- A typed value as a profile of at most p_max characters holds it. One that is too long leaves its column empty, and
-- the checkout fills it in from the order: the older value is not the customer's any more. Nothing typed changes
-- nothing.
create function private.profile_value(p_typed text, p_known text, p_max integer)
returns text
language sql
immutable
set search_path = ''
as $$
  select case
    when coalesce(btrim(p_typed), '') = '' then p_known
    when char_length(p_typed) <= p_max then p_typed
  end;
$$;

-- Writes the details of a paid order into its customer's profile, unless the customer placed a later order that is
-- paid, or edited the profile after placing this one. The lengths are those of the profile's form. Takes the
-- profile's lock after the order's, as the deletion of an account does.
create function private.remember_details(p_order public.orders)
returns void
language sql
security definer
set search_path = ''
as $$
  update public.profiles p
  set full_name = private.profile_value(p_order.customer_name, p.full_name, 100),
      phone = private.profile_value(
        case
          when char_length(p_order.customer_phone) <= 15 then p_order.customer_phone
          else coalesce(private.phone_key(p_order.customer_phone), p_order.customer_phone)
        end,
        p.phone, 15),
      address = private.profile_value(p_order.customer_address, p.address, 200),
      city = private.profile_value(p_order.customer_city, p.city, 100),
      postal_code = private.profile_value(p_order.customer_postal_code, p.postal_code, 20)
  where p.id = p_order.user_id
    and (p.edited_at is null or p.edited_at < p_order.created_at)
    and not exists (
      select 1 from public.orders o
      where o.user_id = p_order.user_id and o.paid_at is not null and o.created_at > p_order.created_at
    );
$$;

create function private.remember_paid_order()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.remember_details(new);
  return null;
end;
$$;

create trigger orders_remember_details
after update of paid_at on public.orders
for each row when (old.paid_at is null and new.paid_at is not null and new.user_id is not null)
execute function private.remember_paid_order();
