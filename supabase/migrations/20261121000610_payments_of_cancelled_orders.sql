-- A payment that comes for an order which the owner has cancelled goes back, as one does whose pieces are gone. Both
-- functions are as they were otherwise; see mark_paid and finish_refund in the earlier migrations for their answers.

-- Reasons of a payment that leaves its order unpaid: until it is back, the order is REFUND_DUE.
create function private.pays_for_nothing(p_reason text)
returns boolean
language sql
immutable
set search_path = ''
as $$
  select coalesce(p_reason in ('stock_gone', 'order_cancelled'), false);
$$;

revoke execute on function private.pays_for_nothing(text) from public, anon, authenticated;

create or replace function public.mark_paid(
  p_razorpay_order_id text,
  p_payment_id text,
  p_amount_paise bigint,
  p_currency text,
  p_method text default null,
  p_event_id text default null,
  p_event text default null
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
    -- The event id is a header that no signature covers: it may only stop a repetition of the same news.
    if not found and exists (
      select 1 from public.webhook_events e
      where e.event_id = p_event_id and e.payment_id = p_payment_id and e.event is not distinct from p_event
    ) then
      select * into v_order from public.orders where razorpay_order_id = p_razorpay_order_id;
      return jsonb_strip_nulls(jsonb_build_object('outcome', 'duplicate_event', 'order_id', v_order.id));
    end if;
  end if;

  select * into v_order from public.orders where razorpay_order_id = p_razorpay_order_id for update;
  if not found then
    perform private.record_payment(
      p_payment_id, null, p_razorpay_order_id, p_amount_paise, p_currency, 'unmatched', 'unknown_order'
    );
    return jsonb_build_object('outcome', 'unknown_order');
  end if;

  -- The order's lock also guards its payments, but not one that matched no order until now: the owner may be sending it
  -- back at this moment. Its row is locked before the pieces; whoever else takes it so (refund_payment) takes no piece.
  select * into v_payment from public.payments where payment_id = p_payment_id for update;
  if found and v_payment.state <> 'unmatched' then
    return jsonb_build_object('order_id', v_order.id, 'outcome', case
      when v_payment.order_id is distinct from v_order.id or v_payment.reason = 'amount_mismatch' then 'mismatch'
      when v_payment.state = 'accepted' or v_order.payment_id = p_payment_id then 'already_paid'
      else 'refund_due'
    end);
  end if;

  if p_amount_paise is distinct from v_order.total_paise or p_currency is distinct from v_order.currency then
    perform private.owe_refund(v_order, p_payment_id, p_amount_paise, p_currency, 'amount_mismatch');
    return jsonb_build_object('outcome', 'mismatch', 'order_id', v_order.id);
  end if;

  if v_order.payment_id is not null or v_order.hold_state = 'taken' or v_order.status = 'COMPLETED' then
    v_reason := 'second_payment';
  elsif v_order.fulfilment = 'cancelled' then
    v_reason := 'order_cancelled';
  elsif v_order.payment_status in ('REFUND_DUE', 'REFUNDED', 'PARTIALLY_REFUNDED') then
    v_reason := 'stock_gone';
  elsif v_order.hold_state = 'held' then
    v_reason := null;
  elsif not private.take_stock_again(v_order.items) then
    v_reason := 'stock_gone';
  end if;

  if v_reason is not null then
    perform private.owe_refund(v_order, p_payment_id, p_amount_paise, p_currency, v_reason);
    if private.pays_for_nothing(v_reason) then
      update public.orders
      set status = 'FAILED',
          payment_status = case when payment_status in ('REFUNDED', 'PARTIALLY_REFUNDED') then payment_status else 'REFUND_DUE' end,
          next_check_at = null
      where id = v_order.id;
    end if;
    return jsonb_build_object('outcome', 'refund_due', 'order_id', v_order.id);
  end if;

  perform private.record_payment(
    p_payment_id, v_order.id, p_razorpay_order_id, p_amount_paise, p_currency, 'accepted'
  );
  update public.orders
  set status = 'COMPLETED',
      payment_status = 'COMPLETED',
      payment_id = p_payment_id,
      payment_method = p_method,
      payment_reference = p_payment_id,
      paid_at = clock_timestamp(),
      hold_state = 'taken',
      next_check_at = null
  where id = v_order.id;
  insert into public.outbox (kind, recipient, order_id, dedupe_key)
  values
    ('order_confirmation', v_order.customer_email, v_order.id, 'order_confirmation:' || v_order.id),
    ('order_notice', null, v_order.id, 'order_notice:' || v_order.id)
  on conflict (dedupe_key) do nothing;
  return jsonb_build_object('outcome', 'paid', 'order_id', v_order.id);
end;
$$;

create or replace function public.finish_refund(
  p_id bigint, p_razorpay_refund_id text, p_error text default null, p_processed boolean default true
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_refund public.refunds;
  v_payment public.payments;
  v_order public.orders;
  v_state text;
  v_refunded bigint;
begin
  select * into v_refund from public.refunds where id = p_id;
  if not found then
    raise exception 'there is no refund %', p_id using errcode = 'P0002';
  end if;
  -- Orders before refunds, as everywhere.
  select * into v_order from public.orders where id = v_refund.order_id for update;
  select * into v_refund from public.refunds where id = p_id for update;
  select * into v_payment from public.payments where payment_id = v_refund.payment_id for update;
  if v_refund.state = 'processed' then
    return jsonb_build_object('state', 'processed');
  end if;

  v_state := case
    when p_error is null and coalesce(p_processed, true) then 'processed'
    when p_error is null then 'requested'
    when p_razorpay_refund_id is not null or v_refund.attempts + 1 >= 10 then 'failed'
    when v_refund.state = 'due' then 'due'
    else v_refund.state
  end;
  update public.refunds
  set state = v_state,
      razorpay_refund_id = coalesce(p_razorpay_refund_id, razorpay_refund_id),
      attempts = attempts + 1,
      last_error = left(p_error, 500),
      next_attempt_at = clock_timestamp() + private.backoff(attempts + 1)
  where id = p_id;

  if v_state = 'failed' and v_refund.state <> 'failed' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'refund_alert', null, v_refund.order_id,
      jsonb_build_object('payment_id', v_refund.payment_id, 'amount_paise', v_refund.amount_paise, 'reason', 'refund_failed'),
      'refund_failed:' || p_id
    )
    on conflict (dedupe_key) do nothing;
  elsif v_state = 'processed' then
    select sum(amount_paise) into v_refunded
    from public.refunds where payment_id = v_payment.payment_id and state = 'processed';
    if v_refunded >= v_payment.amount_paise then
      update public.payments set state = 'refunded' where payment_id = v_payment.payment_id;
    end if;
    if v_order.payment_id = v_payment.payment_id then
      update public.orders
      set payment_status = case when v_refunded >= v_payment.amount_paise then 'REFUNDED' else 'PARTIALLY_REFUNDED' end
      where id = v_order.id;
    elsif v_order.payment_status = 'REFUND_DUE' and not exists (
      select 1 from public.payments p
      where p.order_id = v_order.id and p.state = 'refund_due' and private.pays_for_nothing(p.reason)
    ) then
      update public.orders set payment_status = 'REFUNDED' where id = v_order.id;
    end if;
  end if;
  return jsonb_build_object('state', v_state);
end;
$$;
