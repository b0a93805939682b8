-- Every refund of a payment that its order cannot use counts as a use of `fee_lost`, unless the shop ended the order. Until now a
-- list of reasons decided, so that a refund for a reason that was not on it was free. The previous site still works: it writes
-- none of this.

alter table public.orders add column ended_by text check (ended_by in ('customer', 'shop'));

comment on column public.orders.ended_by is
  'Who ended an order that nobody had paid, written where it ends: the shop by its own act or fault, or else the customer, '
  'also by letting it expire';

update public.orders
set ended_by = case
  when fulfilment = 'cancelled' then
    case when cancel_reason is distinct from 'Cancelled by the customer' then 'shop' else 'customer' end
  when release_reason in ('ended_by_admin', 'payment_provider', 'unknown_at_provider', 'no_answer') then 'shop'
  else 'customer'
end
where hold_state = 'released' and payment_id is null;

-- Ends an unpaid order that holds stock. Returns false if it does not. The caller returns the stock, or takes it over.
create or replace function private.end_unpaid(p_order_id bigint, p_reason text)
returns boolean
language plpgsql
set search_path = ''
as $$
begin
  update public.orders
  set hold_state = 'released', status = 'FAILED', payment_status = 'FAILED', release_reason = p_reason,
      ended_by = 'customer', next_check_at = private.next_check(coalesce(hold_expires_at, created_at))
  where id = p_order_id and hold_state = 'held';
  return found;
end;
$$;

-- Confirms a captured payment. Idempotent and forward-only: any number of calls in any order end in the same state.
-- p_made_at decides, not when the call comes: a bank can report a payment days later. Returns {outcome}; raises 22023 for
-- bad input.
--   paid                the order is now paid; its mails are in the outbox
--   already_paid        by this same payment
--   refund_due          the payment is refunded: no stock is left ('stock_gone'), the order was already paid
--                       ('second_payment') or cancelled ('order_cancelled'), it had ended and its discount code was
--                       used up since ('discount_gone'), the same customer paid for the same cart in another order
--                       while this one was open ('bought_twice'), its person was removed ('person_removed'), or it was
--                       paid late and cannot be bought so any more (private.late_refusal)
--   refund_waits        the same or a mismatch, but this customer caused too many refunds: the payment is recorded as
--                       'unmatched' with its order, until the admin refunds it
--   mismatch            wrong amount or currency: the payment is refunded, the order is unchanged
--   duplicate_purchase  the order had ended unpaid, and the same customer has since paid for the same cart. The
--                       payment is recorded as 'unmatched' with its order, until the admin refunds it
--   unknown_order       no such order here; the payment is recorded, and settle_payment_origin finds out whose it is
--   other_mode          a test payment for a live order, or the reverse; nothing is recorded
--   duplicate_event     this event of this payment was handled before, and the payment has its order
create or replace function public.mark_paid(
  p_razorpay_order_id text,
  p_payment_id text,
  p_amount_paise bigint,
  p_currency text,
  p_method text default null,
  p_event_id text default null,
  p_event text default null,
  p_key_id text default null,
  -- The admin is notified of stock below this number; null: not at all.
  p_low_stock_below integer default null,
  -- When the payment was made, as Razorpay says. Null, as release 1.1.0 calls it: now.
  p_made_at timestamptz default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_payment public.payments;
  v_reason text;
  v_ends boolean;
begin
  if coalesce(p_razorpay_order_id, '') = '' or coalesce(p_payment_id, '') !~ '^[A-Za-z0-9_-]{3,64}$' then
    raise exception 'razorpay_order_id and payment_id are required' using errcode = '22023';
  end if;
  if p_amount_paise is null or p_amount_paise <= 0 or coalesce(p_currency, '') = '' then
    raise exception 'amount and currency are required' using errcode = '22023';
  end if;

  if p_event_id is not null then
    insert into public.webhook_events (event_id, event, payment_id)
    values (p_event_id, p_event, p_payment_id)
    on conflict (event_id) do nothing;
    -- The event id is a header without a signature, so it may only stop a repeat of the same event and payment.
    if not found and exists (
      select 1 from public.webhook_events e
      where e.event_id = p_event_id and e.payment_id = p_payment_id and e.event is not distinct from p_event
    ) and not exists (
      -- Resent by hand now that its order is known.
      select 1 from public.payments p where p.payment_id = p_payment_id and p.state = 'unmatched'
    ) then
      return jsonb_build_object('outcome', 'duplicate_event');
    end if;
  end if;

  -- Locks the order and the customer's other unpaid orders of the same cart. Of two payments for one cart, the second
  -- waits here and then sees the result of the first.
  perform 1 from public.orders o
  where o.id in (
    select paid.id from public.orders paid where paid.razorpay_order_id = p_razorpay_order_id
    union
    select twin.id from public.orders paid
    join public.orders twin on twin.user_id = paid.user_id and twin.cart_fingerprint = paid.cart_fingerprint
    where paid.razorpay_order_id = p_razorpay_order_id and twin.payment_id is null and twin.hold_state is not null
  )
  order by o.id
  for update;
  select * into v_order from public.orders where razorpay_order_id = p_razorpay_order_id;
  if not found then
    perform private.record_payment(
      p_payment_id, null, p_razorpay_order_id, p_amount_paise, p_currency, 'unmatched', 'origin_unknown'
    );
    return jsonb_build_object('outcome', 'unknown_order');
  end if;
  if p_key_id is not null and v_order.razorpay_key_id is not null
    and private.key_mode(p_key_id) <> private.key_mode(v_order.razorpay_key_id)
  then
    return jsonb_build_object('outcome', 'other_mode');
  end if;

  -- The lock on the order covers its payments, but not one that is still 'unmatched': the admin may be refunding it
  -- right now. So its row is locked here, before the products. refund_payment locks it too, and locks no product.
  select * into v_payment from public.payments where payment_id = p_payment_id for update;
  if found and v_payment.state not in ('unmatched', 'foreign') then
    return jsonb_build_object('outcome', case
      when v_payment.order_id is distinct from v_order.id or v_payment.reason = 'amount_mismatch' then 'mismatch'
      when v_payment.state = 'accepted' or v_order.payment_id = p_payment_id then 'already_paid'
      else 'refund_due'
    end);
  end if;
  if v_payment.reason in ('duplicate_purchase', 'refund_waits') then
    return jsonb_build_object('outcome', v_payment.reason);
  end if;

  v_reason := case
    when p_amount_paise is distinct from v_order.total_paise or p_currency is distinct from v_order.currency
      then 'amount_mismatch'
    else private.refuse_payment(v_order, private.is_late(v_order, coalesce(p_made_at, clock_timestamp())))
  end;
  -- A wrong amount leaves the order as it is.
  v_ends := v_reason is distinct from 'amount_mismatch';
  if v_reason is not null then
    if v_ends and v_order.hold_state = 'held' then
      perform private.return_stock(array[v_order.id]);
      perform private.end_unpaid(v_order.id, v_reason);
    end if;
    -- After too many refunds that were not the shop's act, the admin decides. A 'duplicate_purchase' waits anyway.
    if v_reason <> 'duplicate_purchase' and v_order.ended_by is distinct from 'shop'
      and private.count_cost(
        'fee_lost', private.cost_keys(v_order.user_id::text, v_order.network, v_order.phone_key)
      ) is not null
    then
      v_reason := 'refund_waits';
    end if;
  end if;

  if v_reason in ('duplicate_purchase', 'refund_waits') then
    perform private.record_payment(
      p_payment_id, v_order.id, p_razorpay_order_id, p_amount_paise, p_currency, 'unmatched', v_reason
    );
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'refund_alert', null, v_order.id,
      jsonb_build_object('payment_id', p_payment_id, 'amount_paise', p_amount_paise, 'reason', v_reason),
      'refund_alert:' || p_payment_id
    )
    on conflict (dedupe_key) do nothing;
    update public.orders
    set next_check_at = null,
        status = case when status = 'PENDING' then 'FAILED' else status end,
        payment_status = case when payment_status = 'PENDING' then 'FAILED' else payment_status end
    where id = v_order.id and v_ends;
    return jsonb_build_object('outcome', v_reason);
  end if;
  if v_reason is not null then
    perform private.create_refund(v_order, p_payment_id, p_amount_paise, p_currency, v_reason);
    if private.is_unusable_payment(v_reason) then
      update public.orders
      set status = 'FAILED',
          payment_status = case
            when payment_status in ('REFUNDED', 'PARTIALLY_REFUNDED') then payment_status
            else 'REFUND_DUE'
          end,
          next_check_at = null
      where id = v_order.id;
    end if;
    return jsonb_build_object('outcome', case when v_ends then 'refund_due' else 'mismatch' end);
  end if;

  perform private.push_running_out(v_order, p_low_stock_below);
  perform private.complete_order(v_order, p_payment_id, p_method, p_payment_id);
  return jsonb_build_object('outcome', 'paid');
end;
$$;

-- Ends an unpaid order: returns its stock, sets FAILED and the next check. Leaves a paid order alone. Returns
-- {outcome}: released; already (it had ended, only the next check is set); paid. Raises P0002 for an unknown order.
create or replace function public.release_order(p_order_id bigint, p_reason text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    raise exception 'there is no order %', p_order_id using errcode = 'P0002';
  end if;
  if v_order.payment_id is not null or v_order.hold_state = 'taken' or v_order.status = 'COMPLETED' then
    return jsonb_build_object('outcome', 'paid');
  end if;
  if v_order.payment_status in ('REFUND_DUE', 'REFUNDED', 'PARTIALLY_REFUNDED') or v_order.hold_state is null then
    return jsonb_build_object('outcome', 'already');
  end if;
  if v_order.hold_state = 'held' then
    perform private.return_stock(array[p_order_id]);
  end if;
  update public.orders
  set hold_state = 'released',
      status = 'FAILED',
      payment_status = 'FAILED',
      release_reason = case when status = 'FAILED' then release_reason else left(p_reason, 200) end,
      ended_by = case
        when status = 'FAILED' then ended_by
        when p_reason in ('ended_by_admin', 'payment_provider', 'unknown_at_provider') then 'shop'
        else 'customer'
      end,
      checks = 0,
      next_check_at = private.next_check(coalesce(hold_expires_at, created_at))
  where id = p_order_id;
  return jsonb_build_object('outcome', case when v_order.status = 'FAILED' then 'already' else 'released' end);
end;
$$;

-- Leases unpaid orders that are due for a check to one caller: {id, razorpay_order_id, holds_stock}, those that hold
-- stock first. The caller asks Razorpay and then calls mark_paid or release_order. While Razorpay has no final
-- answer, the lease doubles with each check, up to six hours.
-- An order without a Razorpay order id cannot have been paid, so it is released here and not returned. An order whose
-- hold ended a day ago without a final answer returns its stock here, so that no stock is held for ever. A later
-- payment reserves the stock again, or is refunded.
create or replace function public.orders_to_check(p_limit integer, p_lease_seconds integer)
returns setof jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_ids bigint[];
  v_never_paid bigint[];
  v_holding bigint[];
  v_overdue bigint[];
begin
  perform private.check_lease(p_limit, p_lease_seconds);
  select
    array_agg(due.id),
    array_agg(due.id) filter (where due.razorpay_order_id is null),
    array_agg(due.id) filter (where due.hold_state = 'held' and (due.razorpay_order_id is null or due.is_overdue)),
    array_agg(due.id) filter (where due.hold_state = 'held' and due.razorpay_order_id is not null and due.is_overdue)
  into v_ids, v_never_paid, v_holding, v_overdue
  from (
    select o.id, o.razorpay_order_id, o.hold_state, o.hold_expires_at < v_now - interval '1 day' as is_overdue
    from public.orders o
    where o.next_check_at <= v_now
      and o.payment_id is null
      and o.status in ('PENDING', 'FAILED')
      and o.payment_status in ('PENDING', 'FAILED')
    order by (o.hold_state = 'held') desc, o.next_check_at
    limit p_limit
    for update skip locked
  ) due;

  if v_holding is not null then
    perform private.return_stock(v_holding);
  end if;
  update public.orders
  set hold_state = 'released', release_reason = 'no_answer', ended_by = 'shop'
  where id = any (v_overdue);
  if v_never_paid is not null then
    update public.orders
    set hold_state = 'released', status = 'FAILED', payment_status = 'FAILED',
        release_reason = coalesce(release_reason, 'expired'), ended_by = coalesce(ended_by, 'customer'),
        next_check_at = null
    where id = any (v_never_paid);
  end if;

  return query
  with leased as (
    update public.orders o
    set next_check_at = v_now
          + least(make_interval(secs => p_lease_seconds) * 2 ^ least(o.checks, 10), interval '6 hours'),
        checks = o.checks + 1
    where o.id = any (v_ids) and o.id <> all (coalesce(v_never_paid, '{}'))
    returning o.*
  )
  select jsonb_build_object(
    'id', l.id, 'razorpay_order_id', l.razorpay_order_id, 'holds_stock', l.hold_state = 'held'
  )
  from leased l
  order by (l.hold_state = 'held') desc, l.id;
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
    notes, gift_note, recipient_name, recipient_phone, customer_gstin, asked_about, items, subtotal_paise, discount_code,
    discount_paise, fee_paise, total_paise, fee_bps, hold_state, hold_expires_at, next_check_at
  )
  values (
    v_id, v_now, p_user_id, private.order_reference(v_id), p_idempotency_key,
    p_fingerprint, p_network,
    p_customer ->> 'name', p_customer ->> 'email', p_customer ->> 'phone', p_customer ->> 'address',
    p_customer ->> 'city', p_customer ->> 'postal_code', p_customer ->> 'notes', nullif(p_customer ->> 'gift_note', ''),
    nullif(p_customer ->> 'recipient_name', ''), nullif(p_customer ->> 'recipient_phone', ''),
    nullif(p_customer ->> 'gstin', ''), private.asked_about(p_customer), v_items, v_subtotal,
    p_discount_code, v_discount, v_fee, v_total, p_fee_bps, 'held', v_now, v_now
  )
  returning * into v_order;
  return private.limit_hold(v_order, v_now, p_hold_seconds);
end;
$$;

-- Cancels an order that has not been shipped, and refunds what remains of its payment. A payment that arrives later
-- is refunded, see mark_paid. Raises 22023. Returns {outcome}:
--   cancelled; already; not_found; shipped
--   check_payment_first  with razorpay_order_id: not paid according to the database. The caller asks Razorpay, calls
--                        mark_paid if there is a payment, and calls again with p_payment_checked
--   paid_elsewhere       paid, but not through this shop, so there is no payment to refund
create or replace function public.cancel_order(
  p_order_id bigint, p_key uuid, p_reason text, p_restock boolean, p_payment_checked boolean default false
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_payment public.payments;
  v_left bigint := 0;
begin
  if p_key is null then
    raise exception 'a key is required' using errcode = '22023';
  end if;
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_order.fulfilment = 'cancelled' then
    return jsonb_build_object('outcome', 'already');
  elsif v_order.fulfilment in ('shipped', 'delivered') then
    return jsonb_build_object('outcome', 'shipped');
  end if;
  select * into v_payment from public.payments
  where payment_id = v_order.payment_id and order_id = p_order_id and state in ('accepted', 'refunded');

  if not found then
    if v_order.payment_id is not null or (v_order.stage <> 'unpaid' and v_order.hold_state is null) then
      return jsonb_build_object('outcome', 'paid_elsewhere');
    elsif v_order.razorpay_order_id is not null and not coalesce(p_payment_checked, false) then
      return jsonb_build_object('outcome', 'check_payment_first', 'razorpay_order_id', v_order.razorpay_order_id);
    end if;
    if v_order.hold_state = 'held' or (v_order.replaces is not null and p_restock) then
      perform private.return_stock(array[p_order_id]);
    end if;
    update public.orders
    set fulfilment = 'cancelled',
        cancelled_at = clock_timestamp(),
        cancel_reason = left(p_reason, 200),
        hold_state = case when hold_state = 'held' or replaces is not null then 'released' else hold_state end,
        status = 'FAILED',
        payment_status = case when payment_status in ('REFUND_DUE', 'REFUNDED') then payment_status else 'FAILED' end,
        release_reason = coalesce(release_reason, 'cancelled'),
        ended_by = 'shop',
        -- A bank can still authorise a payment for three days, so the sweep continues to check.
        next_check_at = case when razorpay_order_id is not null and payment_status in ('PENDING', 'FAILED')
          then private.next_check(coalesce(hold_expires_at, created_at)) end
    where id = p_order_id;
    return jsonb_build_object('outcome', 'cancelled');
  end if;

  if p_restock then
    perform private.restock(v_order, null);
  end if;
  perform private.retry_refund(r.id, p_key)
  from public.refunds r
  where r.payment_id = v_payment.payment_id and private.outcome_unknown(r);
  v_left := private.refundable_paise(v_payment);
  if v_left >= 100 then
    perform private.create_admin_refund(v_payment, v_left, left(p_reason, 200), p_key);
  end if;
  update public.orders
  set fulfilment = 'cancelled', cancelled_at = clock_timestamp(), cancel_reason = left(p_reason, 200)
  where id = p_order_id;
  if coalesce(btrim(v_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'order_cancelled', v_order.customer_email, p_order_id,
      jsonb_build_object(
        'payment_id', v_payment.payment_id, 'amount_paise', case when v_left >= 100 then v_left else 0 end
      ),
      'order_cancelled:' || p_order_id
    )
    on conflict (dedupe_key) do nothing;
  end if;
  return jsonb_build_object('outcome', 'cancelled');
end;
$$;

-- Cancels an order for the customer it belongs to (order_ids_of), as cancel_order does. p_paid is what the customer
-- saw, so that giving up an unpaid order never cancels one that was paid in the meantime. Notifies the admin of a
-- cancelled paid order. p_network is the customer's network, a keyed hash. With p_keep_fee the platform fee of a paid
-- order is not refunded, or what is left of the payment if that is less; it then needs p_document, its invoice, which
-- the credit note of the refund reduces to the fee (p_revision as in assign_invoice). Raises 22023. Returns {outcome};
-- only `cancelled` changes the order:
--   cancelled; already; not_found (or another customer's)
--   paid                 the customer gave up an unpaid order, which is now paid
--   not_paid             the customer cancelled a paid order, which is not paid
--   refunded             it was paid, and all of it was or will be refunded
--   ask                  only the shop can cancel: packed or further, a free replacement, disputed, or not paid through
--                        this checkout
--   limit                the account, its phone or its network caused too many refunds (fee_lost). The admin is notified
--                        and decides
--   check_payment_first  as in cancel_order
--   needs_document, outdated  as in assign_invoice
create or replace function public.cancel_own_order(
  p_user_id uuid, p_order_id bigint, p_key uuid, p_paid boolean, p_payment_checked boolean default false,
  p_network text default null, p_keep_fee boolean default false, p_document jsonb default null,
  p_revision timestamptz default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_answer jsonb;
  v_kept bigint := 0;
begin
  select * into v_order from public.orders
  where id = p_order_id and id in (select private.order_ids_of(p_user_id))
  for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_order.fulfilment = 'cancelled' then
    return jsonb_build_object('outcome', 'already');
  elsif v_order.paid and not p_paid then
    return jsonb_build_object('outcome', 'paid');
  elsif v_order.payment_id is not null and not v_order.paid then
    return jsonb_build_object('outcome', 'refunded');
  elsif p_paid and not v_order.paid then
    return jsonb_build_object('outcome', 'not_paid');
  elsif v_order.fulfilment <> 'new' or v_order.hand_over or v_order.hold_state is null or v_order.replaces is not null
    or coalesce(private.is_by_hand(v_order.payment_id), false)
    or exists (
      select 1 from public.payments p
      where p.payment_id = v_order.payment_id and p.dispute is not null and not private.is_closed_dispute(p.dispute)
    )
  then
    return jsonb_build_object('outcome', 'ask');
  end if;
  if p_paid and p_keep_fee and v_order.total_paise - coalesce(v_order.fee_paise, 0) >= 100 then
    v_kept := least(coalesce(v_order.fee_paise, 0), greatest(0, (
      select private.refundable_paise(p) from public.payments p where p.payment_id = v_order.payment_id
    )));
    if v_kept > 0 and v_order.invoice_number is null and p_document is null then
      return jsonb_build_object('outcome', 'needs_document');
    elsif v_kept > 0 and v_order.invoice_number is null and p_revision <> v_order.updated_at then
      return jsonb_build_object('outcome', 'outdated');
    end if;
  end if;

  begin
    update public.orders set kept_paise = v_kept where id = p_order_id and v_kept > 0;
    v_answer := public.cancel_order(p_order_id, p_key, 'Cancelled by the customer', true, p_payment_checked);
    if v_answer ->> 'outcome' = 'cancelled' and not p_paid then
      update public.orders set ended_by = 'customer' where id = p_order_id;
    end if;
    if v_answer ->> 'outcome' <> 'cancelled' or not p_paid then
      return v_answer;
    end if;
    -- Counted last: the costs come after orders and products in the lock order.
    if private.count_cost('fee_lost', private.cost_keys(p_user_id::text, p_network, v_order.phone_key)) is not null then
      raise exception 'too many refunds' using errcode = 'KS001';
    end if;
  exception when sqlstate 'KS001' then
    perform public.notify_admin(
      'cancel_requested',
      jsonb_build_object('payment_id', v_order.payment_id, 'amount_paise', v_order.total_paise),
      'cancel_requested:' || p_order_id, p_order_id
    );
    return jsonb_build_object('outcome', 'limit');
  end;
  if v_kept > 0 then
    -- The goods go back, the fee does not: the credit note is for all items.
    update public.refunds r
    set items = (
      select jsonb_object_agg(private.line_key(item), (item ->> 'quantity')::integer)
      from jsonb_array_elements(v_order.items) item
    )
    where r.order_id = p_order_id and p_key = any (r.request_keys);
    update public.outbox m set payload = m.payload || jsonb_build_object('kept_paise', v_kept)
    where m.dedupe_key = 'order_cancelled:' || p_order_id;
  end if;
  perform public.notify_admin(
    'cancelled_by_customer',
    jsonb_build_object('payment_id', v_order.payment_id, 'amount_paise', v_order.total_paise - v_kept),
    'cancelled_by_customer:' || p_order_id, p_order_id
  );
  -- The counter of invoices is the last lock.
  if v_kept > 0 then
    perform private.issue_invoice(p_order_id, p_document);
  end if;
  return v_answer;
end;
$$;

drop function private.is_own_act(public.orders, text, boolean);
