-- A payment of an order: what it pays, or why it cannot be used.

-- A payment counts from when it was made, which Razorpay tells. One that was made after its hold had ended buys the order
-- only as a new customer would get it now. Razorpay keeps its fee of each refund. So every payment that cannot be used counts
-- as a use of `fee_lost`, unless the shop ended the order (orders.ended_by).

-- Marks an order as paid by this payment and queues its mails. The caller has locked and checked the order.
create function private.complete_order(p_order public.orders, p_payment_id text, p_method text, p_reference text)
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform private.record_payment(
    p_payment_id, p_order.id, p_order.razorpay_order_id, p_order.total_paise, p_order.currency, 'accepted'
  );
  update public.orders
  set status = 'COMPLETED',
      payment_status = 'COMPLETED',
      payment_id = p_payment_id,
      payment_method = p_method,
      payment_reference = p_reference,
      paid_at = clock_timestamp(),
      hold_state = 'taken',
      next_check_at = null,
      checks = 0
  where id = p_order.id;
  insert into public.outbox (kind, recipient, order_id, dedupe_key)
  select kind, recipient, p_order.id, kind || ':' || p_order.id
  from (values ('order_confirmation', p_order.customer_email), ('order_notice', null)) mail (kind, recipient)
  -- An admin order may have no e-mail address. The admin needs no mail about money they took by hand.
  where case kind
    when 'order_confirmation' then coalesce(btrim(recipient), '') <> ''
    else not private.is_by_hand(p_payment_id)
  end
  on conflict (dedupe_key) do nothing;
end;
$$;

-- Records the payment of a cash order's advance, and reserves the order. The caller has locked and checked the order, which has
-- its stock.
create function private.accept_advance(p_order public.orders, p_payment_id text)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  perform private.record_payment(
    p_payment_id, p_order.id, p_order.razorpay_order_id, private.online_paise(p_order), p_order.currency, 'accepted'
  );
  update public.orders
  set advance_payment_id = p_payment_id, status = 'PENDING', payment_status = 'PENDING', release_reason = null, ended_by = null
  where id = p_order.id
  returning * into v_order;
  perform private.reserve_order(v_order);
end;
$$;

-- Whether this reason means that the payment could not be used for its order. The order stays unpaid, and REFUND_DUE
-- until the payment is refunded.
create function private.is_unusable_payment(p_reason text)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return coalesce(p_reason in (
    'stock_gone', 'discount_gone', 'order_cancelled', 'bought_twice', 'person_removed', 'not_sold', 'price_changed',
    'cash_order_ended'
  ), false);
end;
$$;

-- 'live' or 'test'. Test payments are not money. Orders from before keys were recorded have no key.
create function private.key_mode(p_key_id text)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case when p_key_id like 'rzp_live_%' then 'live' else 'test' end;
end;
$$;

-- Whether the same customer paid for the same cart, or ordered it to be paid at the door, in another order after this one was
-- created. Ordering the same cart again after that is a new purchase. The caller has locked the unpaid orders of this cart.
create function private.was_bought_again(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.orders o
    where o.user_id = p_order.user_id and o.id <> p_order.id and o.cart_fingerprint = p_order.cart_fingerprint
      and o.fulfilment <> 'cancelled'
      and case
        when o.cash_paise = 0 then o.status = 'COMPLETED' and o.paid_at > p_order.created_at
        -- The cash comes long after the order, so its advance counts, or else the order itself. One that waits for the shop's word is
        -- never sent once its advance went back.
        else (o.status = 'COMPLETED' or o.hold_state = 'reserved' or o.sold)
          and not (o.hold_state = 'reserved' and private.is_advance_returned(o))
          and p_order.created_at < coalesce((
          select p.created_at from public.payments p where p.payment_id = o.advance_payment_id
        ), o.created_at)
      end
  );
end;
$$;

-- The held order of the same customer and cart that a late payment of this order makes redundant, or null. The caller
-- has locked the unpaid orders of this cart.
create function private.held_twin(p_order public.orders)
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select o.id from public.orders o
    where o.user_id = p_order.user_id and o.id <> p_order.id and o.cart_fingerprint = p_order.cart_fingerprint
      and o.hold_state = 'held' and o.payment_id is null
    order by o.id
    limit 1
  );
end;
$$;

-- Whether a payment was made after the order had stopped holding stock. Five minutes more, because a customer who began to
-- pay in time may finish a little later.
create function private.is_late(p_order public.orders, p_made_at timestamptz)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return coalesce(p_made_at > least(p_order.hold_expires_at, p_order.released_at) + interval '5 minutes', false);
end;
$$;

-- Why an order cannot be bought at its price any more: not_sold (a product is hidden or deleted), discount_gone (its code is
-- over, stopped or used up), price_changed (today it costs more). Null: it can. An order of the admin may have hidden
-- products and keeps its reduction. p_without is another order that is about to give up its use of the code.
create function private.late_refusal(p_order public.orders, p_without bigint)
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

-- Ends an unpaid order that holds stock. Returns false if it does not. The caller returns the stock, or takes it over.
create function private.end_unpaid(p_order_id bigint, p_reason text)
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

-- Why a payment cannot be used for its order, as in mark_paid; null: it can, and the order has its stock. The caller has
-- locked the unpaid orders of the cart.
create function private.refuse_payment(p_order public.orders, p_is_late boolean)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_holds constant boolean := p_order.hold_state is not distinct from 'held';
  v_twin bigint;
  v_reason text;
begin
  -- A cash order whose units did not come back is still 'taken', and over.
  if p_order.payment_id is not null or p_order.status = 'COMPLETED'
    or (p_order.hold_state in ('reserved', 'taken') and p_order.fulfilment <> 'cancelled')
  then
    return 'second_payment';
  elsif p_order.customer_name is null then
    return 'person_removed';
  elsif p_order.fulfilment = 'cancelled' then
    return 'order_cancelled';
  elsif p_order.payment_status in ('REFUND_DUE', 'REFUNDED', 'PARTIALLY_REFUNDED') then
    return 'stock_gone';
  elsif private.was_bought_again(p_order) then
    return case when v_holds or p_order.release_reason = 'bought_twice' then 'bought_twice' else 'duplicate_purchase' end;
  elsif private.lost_cash(p_order, p_is_late or not v_holds) then
    return 'cash_order_ended';
  elsif v_holds and not p_is_late then
    return null;
  end if;
  v_twin := case when not v_holds then private.held_twin(p_order) end;
  v_reason := case
    when p_is_late then private.late_refusal(p_order, v_twin)
    when not private.take_discount_again(p_order, v_twin) then 'discount_gone'
  end;
  -- The same cart needs the same stock, so this order takes over what the other one holds.
  if v_reason is null and not v_holds and not private.end_unpaid(v_twin, 'bought_twice')
    and not private.reserve_stock_again(p_order.items)
  then
    return 'stock_gone';
  end if;
  return v_reason;
end;
$$;

-- Confirms a captured payment. Idempotent and forward-only: any number of calls in any order end in the same state.
-- p_made_at decides, not when the call comes: a bank can report a payment days later. Returns {outcome}; raises 22023 for
-- bad input.
--   paid                the order is now paid, or the advance of a cash order is; its mails are in the outbox
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
create function public.mark_paid(
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
  -- When the payment was made, as Razorpay says. Null: now.
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
    when p_amount_paise is distinct from private.online_paise(v_order) or p_currency is distinct from v_order.currency
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
  if v_order.cash_paise > 0 then
    perform private.accept_advance(v_order, p_payment_id);
  else
    perform private.complete_order(v_order, p_payment_id, p_method, p_payment_id);
  end if;
  return jsonb_build_object('outcome', 'paid');
end;
$$;
