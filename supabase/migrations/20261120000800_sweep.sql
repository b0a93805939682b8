-- What the scheduled sweep asks for: orders to look at, and refunds to request.

-- Unpaid orders whose time has come, leased to one caller: a second sweep at the same moment gets others. For each,
-- ask Razorpay; paid -> mark_paid; not paid -> release_order, which also sets the next check. An order without a
-- Razorpay order cannot have been paid (the shopper never got an id to pay): it is released here and not returned.
create function public.orders_to_check(p_limit integer, p_lease_seconds integer)
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
begin
  if p_limit is null or p_limit not between 1 and 1000 or p_lease_seconds is null or p_lease_seconds not between 1 and 86400 then
    raise exception 'limit must be 1 to 1000, lease_seconds 1 to 86400' using errcode = '22023';
  end if;
  select
    array_agg(due.id),
    array_agg(due.id) filter (where due.razorpay_order_id is null),
    array_agg(due.id) filter (where due.razorpay_order_id is null and due.hold_state = 'held')
  into v_ids, v_never_paid, v_holding
  from (
    select o.id, o.razorpay_order_id, o.hold_state
    from public.orders o
    where o.next_check_at <= v_now
      and o.payment_id is null
      and o.status in ('PENDING', 'FAILED')
      and o.payment_status in ('PENDING', 'FAILED')
    order by o.next_check_at
    limit p_limit
    for update skip locked
  ) due;

  if v_never_paid is not null then
    if v_holding is not null then
      perform private.return_stock(v_holding);
    end if;
    update public.orders
    set hold_state = 'released', status = 'FAILED', payment_status = 'FAILED',
        release_reason = coalesce(release_reason, 'expired'), next_check_at = null
    where id = any (v_never_paid);
  end if;

  return query
  with leased as (
    update public.orders o
    set next_check_at = v_now + make_interval(secs => p_lease_seconds), checks = o.checks + 1
    where o.id = any (v_ids) and o.id <> all (coalesce(v_never_paid, '{}'))
    returning o.*
  )
  select jsonb_build_object(
    'id', l.id,
    'razorpay_order_id', l.razorpay_order_id,
    'hold_state', l.hold_state,
    'status', l.status,
    'checks', l.checks,
    'total_paise', l.total_paise,
    'currency', l.currency,
    'merchant_transaction_id', l.merchant_transaction_id
  )
  from leased l
  order by l.id;
end;
$$;

-- Refunds to ask the provider for, leased to one caller: {id, payment_id, order_id, amount_paise, idempotency_key,
-- reason, attempts}. Whoever dies before finish_refund loses nothing: the lease ends, the idempotency key stays.
create function public.claim_refunds(p_limit integer, p_lease_seconds integer)
returns setof jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  if p_limit is null or p_limit not between 1 and 1000 or p_lease_seconds is null or p_lease_seconds not between 1 and 86400 then
    raise exception 'limit must be 1 to 1000, lease_seconds 1 to 86400' using errcode = '22023';
  end if;
  return query
  with due as (
    select r.id from public.refunds r
    where r.state = 'due' and r.next_attempt_at <= v_now
    order by r.next_attempt_at, r.id
    limit p_limit
    for update skip locked
  ), leased as (
    update public.refunds r
    set next_attempt_at = v_now + make_interval(secs => p_lease_seconds)
    from due
    where r.id = due.id
    returning r.*
  )
  select jsonb_build_object(
    'id', l.id,
    'payment_id', l.payment_id,
    'order_id', l.order_id,
    'amount_paise', l.amount_paise,
    'idempotency_key', l.idempotency_key,
    'reason', l.reason,
    'attempts', l.attempts
  )
  from leased l
  order by l.id;
end;
$$;

-- Minutes to wait after the n-th failure in a row.
create function private.backoff(p_attempts integer)
returns interval
language sql
immutable
set search_path = ''
as $$
  select make_interval(mins => (array[1, 5, 30, 120, 360, 1440])[least(greatest(p_attempts, 1), 6)]);
$$;

-- Takes the provider's answer about a refund. Without error it is processed, or, with p_processed false, taken by the
-- provider and under way. With an error: asked again later; but when the provider has made the refund and it failed,
-- or after ten tries, it is 'failed' and the owner is told. A processed refund stays processed.
create function public.finish_refund(
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
      where p.order_id = v_order.id and p.state = 'refund_due' and p.reason = 'stock_gone'
    ) then
      update public.orders set payment_status = 'REFUNDED' where id = v_order.id;
    end if;
  end if;
  return jsonb_build_object('state', v_state);
end;
$$;

revoke execute on function private.backoff(integer) from public, anon, authenticated;
revoke execute on function public.orders_to_check(integer, integer), public.claim_refunds(integer, integer),
  public.finish_refund(bigint, text, text, boolean)
from public, anon, authenticated;
grant execute on function public.orders_to_check(integer, integer), public.claim_refunds(integer, integer),
  public.finish_refund(bigint, text, text, boolean)
to service_role;
