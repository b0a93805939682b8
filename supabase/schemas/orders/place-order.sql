-- Placing an order: one transaction reads the prices, computes the sum, holds the stock and inserts the order.

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
    v_answer := private.place_cart(row(
      p_user_id, p_idempotency_key, v_ids, v_sizes, v_quantities, v_fingerprint, p_customer, p_expected_total_paise,
      v_charges, p_hold_seconds, p_max_units, p_blank, p_discount_code, p_network, p_reduction_paise, p_cash, p_terms
    )::private.cart);
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
