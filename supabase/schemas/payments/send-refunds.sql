-- Sending refunds to Razorpay, and what it answers.

-- Whether a refund waits, because a bank decides about its payment: the bank may give the money back itself.
create function private.awaits_bank(p_refund public.refunds)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.payments p where p.payment_id = p_refund.payment_id and private.is_disputed_payment(p)
  );
end;
$$;

-- Leases refunds to send to Razorpay to one caller: {id, payment_id, amount_paise, idempotency_key}. If the caller
-- crashes before finish_refund, the lease expires and the refund is claimed again with the same key.
create function public.claim_refunds(p_limit integer, p_lease_seconds integer)
returns setof jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  perform private.check_lease(p_limit, p_lease_seconds);
  return query
  with due as (
    select r.id from public.refunds r
    where r.state = 'due' and r.next_attempt_at <= v_now and not private.awaits_bank(r)
    order by r.next_attempt_at, r.id
    limit p_limit
    for update skip locked
  ), leased as (
    update public.refunds r
    set next_attempt_at = v_now + make_interval(secs => p_lease_seconds),
        -- Counted before the attempt, because a caller that crashes may have made it.
        attempts = attempts + 1,
        unanswered = unanswered + 1
    from due
    where r.id = due.id
    returning r.*
  )
  select jsonb_build_object(
    'id', l.id,
    'payment_id', l.payment_id,
    'amount_paise', l.amount_paise,
    'idempotency_key', l.idempotency_key
  )
  from leased l
  order by l.id;
end;
$$;

-- Tells the admin that a refund failed, once for each refund.
create function private.alert_failed_refund(p_refund public.refunds)
returns void
language sql
set search_path = ''
as $$
  insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
  values (
    'refund_alert', null, p_refund.order_id,
    jsonb_build_object('payment_id', p_refund.payment_id, 'amount_paise', p_refund.amount_paise, 'reason', 'refund_failed'),
    'refund_failed:' || p_refund.id
  )
  on conflict (dedupe_key) do nothing;
$$;

-- Marks a payment as refunded once all of it is with the customer, and ends its refunds that are to be sent when more than the payment
-- would go back: some went back in Razorpay's dashboard, or by a bank. Razorpay is asked about an attempt without an answer. The admin
-- hears of a rest. The caller has locked the payment.
create function private.settle_payment(p_payment_id text)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_payment public.payments;
  v_refund public.refunds;
begin
  update public.payments p set state = 'refunded'
  where p.payment_id = p_payment_id and p.amount_paise <= p.lost_paise + (
    select coalesce(sum(r.amount_paise), 0) from public.refunds r where r.payment_id = p.payment_id and r.state = 'processed'
  );
  select * into v_payment from public.payments where payment_id = p_payment_id;
  if private.is_over_refunded(v_payment) then
    for v_refund in
      update public.refunds set state = 'failed', last_error = 'less is left to refund'
      where payment_id = p_payment_id and state = 'due'
      returning *
    loop
      if private.remaining_paise(v_payment) - private.kept_paise(v_payment) >= 100 then
        perform private.alert_failed_refund(v_refund);
      end if;
    end loop;
  end if;
end;
$$;

-- Whether a payment that its order cannot use is still to go back.
create function private.owes_refund(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.payments p
    where p.order_id = p_order.id and p.state = 'refund_due' and private.is_unusable_payment(p.reason)
  );
end;
$$;

-- What follows when a bank gave back a payment, or part of it: for its refunds, its order, and what the shop kept of a cancelled order.
-- The caller has locked the order and the payment.
create function private.settle_lost_payment(p_payment_id text)
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform private.settle_payment(p_payment_id);
  update public.orders o
  set kept_paise = least(o.kept_paise, (
        select coalesce(sum(private.remaining_paise(p)), 0) from public.payments p
        where p.order_id = o.id and private.is_own_payment(o, p.payment_id)
      )),
      payment_status = case
        when (o.payment_status = 'REFUND_DUE' or o.fulfilment = 'cancelled') and private.is_refunded(o)
          and not private.owes_refund(o) then 'REFUNDED'
        else o.payment_status
      end
  where o.id = (select p.order_id from public.payments p where p.payment_id = p_payment_id);
end;
$$;

-- Counts the whole of a payment as lost whose dispute was lost before 1.3.2, which did not keep the amount: it is nearly always the whole.
create function private.settle_old_disputes()
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.payments p set lost_paise = p.amount_paise
  where p.lost_paise = 0 and exists (select 1 from jsonb_each_text(p.disputes) d where d.value = 'lost');
  perform private.settle_lost_payment(p.payment_id) from public.payments p where p.lost_paise > 0;
end;
$$;

-- Records Razorpay's answer. Without p_error the refund is 'processed', or 'requested' if p_processed is false. With
-- p_error it is retried later; after ten attempts, or if Razorpay accepted it and it failed there, it is 'failed' and
-- the admin gets a mail. A processed refund stays processed, and private.settle_payment follows. Returns {state}; raises
-- P0002.
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
begin
  select * into v_refund from public.refunds where id = p_id;
  if not found then
    raise exception 'there is no refund %', p_id using errcode = 'P0002';
  end if;
  -- Orders before refunds, by the lock order.
  select * into v_order from public.orders where id = v_refund.order_id for update;
  select * into v_refund from public.refunds where id = p_id for update;
  select * into v_payment from public.payments where payment_id = v_refund.payment_id for update;
  if v_refund.state = 'processed' then
    return jsonb_build_object('state', 'processed');
  end if;

  v_state := case
    when p_error is null and coalesce(p_processed, true) then 'processed'
    when p_error is null then 'requested'
    when p_razorpay_refund_id is not null or v_refund.attempts >= 10 then 'failed'
    when v_refund.state = 'due' then 'due'
    else v_refund.state
  end;
  update public.refunds
  set state = v_state,
      razorpay_refund_id = coalesce(p_razorpay_refund_id, razorpay_refund_id),
      unanswered = case
        when p_razorpay_refund_id is not null then 0
        when p_error like 'refused%' then greatest(unanswered - 1, 0)
        else unanswered
      end,
      last_error = left(p_error, 500),
      -- A refund that is not sent again is polled, see refunds_to_poll.
      next_attempt_at = clock_timestamp()
        + case when v_state = 'due' then private.backoff(attempts) else interval '10 minutes' end
  where id = p_id;

  if v_state = 'failed' and v_refund.state <> 'failed' then
    perform private.alert_failed_refund(v_refund);
  elsif v_state = 'processed' then
    perform private.settle_payment(v_payment.payment_id);
    if v_order.payment_id is not null and private.is_own_payment(v_order, v_payment.payment_id) then
      update public.orders o
      set payment_status = case when private.is_refunded(o) then 'REFUNDED' else 'PARTIALLY_REFUNDED' end
      where o.id = v_order.id;
    elsif v_order.payment_status = 'REFUND_DUE' and not private.owes_refund(v_order) then
      update public.orders set payment_status = 'REFUNDED' where id = v_order.id;
    end if;
  end if;
  return jsonb_build_object('state', v_state);
end;
$$;
