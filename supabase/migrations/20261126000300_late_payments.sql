-- A payment counts from when it was made, which Razorpay tells. One that was made after its hold had ended buys the order
-- only as a new customer would get it now. Refunds that a customer causes are counted in one place, `fee_lost`.

-- Whether this reason means that the payment could not be used for its order. The order stays unpaid, and REFUND_DUE
-- until the payment is refunded.
create or replace function private.is_unusable_payment(p_reason text)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return coalesce(p_reason in (
    'stock_gone', 'discount_gone', 'order_cancelled', 'bought_twice', 'person_removed', 'not_sold', 'price_changed'
  ), false);
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
  return case when p_order.total_paise < private.total_with_fee(
    v_subtotal - case when v_code.code is null then p_order.discount_paise else private.discount_of(v_code, v_subtotal) end,
    p_order.fee_bps
  ) then 'price_changed' end;
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
      next_check_at = private.next_check(coalesce(hold_expires_at, created_at))
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
  if p_order.payment_id is not null or p_order.hold_state = 'taken' or p_order.status = 'COMPLETED' then
    return 'second_payment';
  elsif p_order.customer_name is null then
    return 'person_removed';
  elsif p_order.fulfilment = 'cancelled' then
    return 'order_cancelled';
  elsif p_order.payment_status in ('REFUND_DUE', 'REFUNDED', 'PARTIALLY_REFUNDED') then
    return 'stock_gone';
  elsif private.was_bought_again(p_order) then
    return case when v_holds or p_order.release_reason = 'bought_twice' then 'bought_twice' else 'duplicate_purchase' end;
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

-- Whether the customer caused a refund for this reason: bought twice, paid after giving up, or paid late. Razorpay takes no
-- second payment of a paid order, so no customer can cause a 'second_payment'.
create function private.is_own_act(p_order public.orders, p_reason text, p_is_late boolean)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case
    when p_reason = 'bought_twice' then true
    when p_reason = 'order_cancelled' then coalesce(p_order.cancel_reason = 'Cancelled by the customer', false)
    when p_reason in ('stock_gone', 'discount_gone', 'not_sold', 'price_changed') then p_is_late
    else false
  end;
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
--   refund_waits        the same, but this customer caused too many refunds: the payment is recorded as 'unmatched' with
--                       its order, until the admin refunds it
--   mismatch            wrong amount or currency: the payment is refunded, the order is unchanged
--   duplicate_purchase  the order had ended unpaid, and the same customer has since paid for the same cart. The
--                       payment is recorded as 'unmatched' with its order, until the admin refunds it
--   unknown_order       no such order here; the payment is recorded, and settle_payment_origin finds out whose it is
--   other_mode          a test payment for a live order, or the reverse; nothing is recorded
--   duplicate_event     this event of this payment was handled before, and the payment has its order
-- Dropped first: with a second version beside it, a call without p_made_at would be ambiguous.
drop function public.mark_paid(text, text, bigint, text, text, text, text, text, integer);
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
  v_is_late boolean;
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

  if p_amount_paise is distinct from v_order.total_paise or p_currency is distinct from v_order.currency then
    perform private.create_refund(v_order, p_payment_id, p_amount_paise, p_currency, 'amount_mismatch');
    return jsonb_build_object('outcome', 'mismatch');
  end if;

  v_is_late := private.is_late(v_order, coalesce(p_made_at, clock_timestamp()));
  v_reason := private.refuse_payment(v_order, v_is_late);
  if v_reason is not null then
    if v_order.hold_state = 'held' then
      perform private.return_stock(array[v_order.id]);
      perform private.end_unpaid(v_order.id, v_reason);
    end if;
    -- A refund that the customer causes costs the shop Razorpay's fee. After too many, the admin decides.
    if private.is_own_act(v_order, v_reason, v_is_late)
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
    where id = v_order.id;
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
    return jsonb_build_object('outcome', 'refund_due');
  end if;

  perform private.push_running_out(v_order, p_low_stock_below);
  perform private.complete_order(v_order, p_payment_id, p_method, p_payment_id);
  return jsonb_build_object('outcome', 'paid');
end;
$$;
grant execute on function public.mark_paid(
  text, text, bigint, text, text, text, text, text, integer, timestamptz
) to service_role;

drop function private.end_twin(bigint);

-- Payments and refunds for the admin: payments without an order, with a wrong amount, of a cart bought twice, or of
-- a customer who caused too many refunds; open disputes; failed refunds; refunds that wait (after a failed attempt, or accepted by Razorpay ten days ago); and
-- differences that the last reconciliation could not resolve.
create or replace function private.payment_problems()
returns table (kind text, payment_id text, order_id bigint, amount_paise bigint, at timestamptz, refundable boolean)
language plpgsql
stable
set search_path = ''
as $$
begin
  return query
  select case p.reason when 'duplicate_purchase' then 'duplicate' when 'refund_waits' then 'refund_waits' else 'unmatched' end,
    p.payment_id, p.order_id, p.amount_paise, p.created_at, true
  from public.payments p
  where p.state = 'unmatched' and not private.is_foreign(p)
  union all
  select 'dispute', p.payment_id, p.order_id, p.amount_paise, p.updated_at, false
  from public.payments p
  where p.dispute is not null and p.dispute !~ '(won|lost|closed)$'
  union all
  select 'difference', d.value ->> 'payment_id', null, (d.value ->> 'amount_paise')::bigint, r.finished_at, false
  from (select * from public.reconciliations where finished_at is not null order by id desc limit 1) r,
    jsonb_array_elements(r.differences) d
  where d.value ->> 'resolved' is null
  union all
  select 'mismatch', p.payment_id, p.order_id, p.amount_paise, p.created_at, false
  from public.payments p
  where p.state = 'refund_due' and p.reason = 'amount_mismatch'
  union all
  -- Leaves out a failed refund whose payment was refunded by another one.
  select 'refund_failed', r.payment_id, r.order_id,
    case when private.is_rest_due(p) then least(r.amount_paise, private.refundable_paise(p)) else r.amount_paise end,
      r.updated_at, true
  from public.refunds r
  join public.payments p on p.payment_id = r.payment_id
  where r.state = 'failed' and (private.outcome_unknown(r) or r.amount_paise <= private.refundable_paise(p)
    or private.is_rest_due(p))
  union all
  select 'refund_waiting', r.payment_id, r.order_id, r.amount_paise, r.created_at, false
  from public.refunds r
  where (r.state = 'due' and r.last_error is not null)
    or (r.state = 'requested' and r.updated_at < clock_timestamp() - interval '10 days');
end;
$$;

-- ── Own cancellations ──

-- Cancellations are uses of fee_lost now. The table stays, empty, for backups of release 1.1.0.
insert into public.costs (effect, scope, key, at)
select 'fee_lost', k.scope, k.key, c.created_at
from public.own_cancellations c
join public.orders o on o.id = c.order_id
cross join lateral jsonb_each_text(private.cost_keys(c.user_id::text, c.network, o.phone_key)) k (scope, key);
delete from public.own_cancellations;

-- Cancels an order for the customer it belongs to (order_ids_of), as cancel_order does. p_paid is what the customer
-- saw, so that giving up an unpaid order never cancels one that was paid in the meantime. Notifies the admin of a
-- cancelled paid order. p_network is the customer's network, a keyed hash. With p_keep_fee the platform fee of a paid
-- order is not refunded, or what is left of the payment if that is less; it then needs p_document, its invoice, which
-- the credit note of the refund reduces to the fee (p_revision as in assign_invoice). Raises 22023. Returns {outcome}; only `cancelled` changes the order:
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
