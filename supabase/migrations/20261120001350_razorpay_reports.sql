-- What Razorpay reports of refunds and disputes, whoever made them: by its events, and by its lists when it is asked.

-- Refunds to ask Razorpay about, leased to one caller: {id, payment_id, razorpay_refund_id}. Those that it works on, and
-- failed ones that may have been made after all. The caller reads the payment's refunds and calls record_refund for each,
-- then settle_refund_look.
create function public.refunds_to_poll(p_limit integer)
returns setof jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.check_lease(p_limit, 60);
  return query
  with due as (
    select r.id from public.refunds r
    where (r.state = 'requested' or (r.state = 'failed' and r.unanswered > 0)) and r.next_attempt_at <= clock_timestamp()
    order by r.next_attempt_at, r.id
    limit p_limit
    for update skip locked
  ), leased as (
    update public.refunds r
    set next_attempt_at = clock_timestamp() + greatest(interval '10 minutes', (clock_timestamp() - r.created_at) / 4)
    from due
    where r.id = due.id
    returning r.*
  )
  select jsonb_build_object('id', l.id, 'payment_id', l.payment_id, 'razorpay_refund_id', l.razorpay_refund_id)
  from leased l
  order by l.id;
end;
$$;

-- After a look at all refunds of its payment at Razorpay: a failed refund that was not among them was not made.
create function public.settle_refund_look(p_id bigint)
returns void
language sql
security definer
set search_path = ''
as $$
  update public.refunds set unanswered = 0
  where id = p_id and state = 'failed' and razorpay_refund_id is null;
$$;

-- Records a refund as Razorpay has it, by its id, by the receipt (the idempotency key) that the shop sent, or as a new one
-- made in Razorpay's dashboard; the admin is told of these. Returns {outcome}: recorded, with state; unknown_payment.
-- Raises 22023.
create function public.record_refund(
  p_payment_id text, p_razorpay_refund_id text, p_amount_paise bigint, p_status text, p_receipt text default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_payment public.payments;
  v_id bigint;
begin
  if coalesce(p_razorpay_refund_id, '') = '' or p_amount_paise is null or p_amount_paise <= 0
    or p_status is null or p_status not in ('pending', 'processed', 'failed')
  then
    raise exception 'a refund has an id, an amount and a status' using errcode = '22023';
  end if;
  -- Lets one caller at a time look for the refund and insert it.
  v_payment := private.lock_payment(p_payment_id);
  if v_payment.payment_id is null then
    return jsonb_build_object('outcome', 'unknown_payment');
  end if;
  select r.id into v_id from public.refunds r
  where r.payment_id = p_payment_id
    and (r.razorpay_refund_id = p_razorpay_refund_id
      or (r.razorpay_refund_id is null and r.idempotency_key = p_receipt and r.amount_paise = p_amount_paise))
  order by r.razorpay_refund_id nulls last
  limit 1;
  if v_id is null then
    insert into public.refunds (payment_id, order_id, amount_paise, idempotency_key, reason, state, razorpay_refund_id)
    values (
      p_payment_id, v_payment.order_id, p_amount_paise, 'made_at_' || p_razorpay_refund_id, 'made_at_razorpay', 'requested',
      p_razorpay_refund_id
    )
    returning id into v_id;
    perform public.notify_admin(
      'refund_made_at_razorpay', jsonb_build_object('payment_id', p_payment_id, 'amount_paise', p_amount_paise),
      'refund_made:' || p_razorpay_refund_id, v_payment.order_id
    );
  end if;
  return jsonb_build_object('outcome', 'recorded') || public.finish_refund(
    v_id, p_razorpay_refund_id, case when p_status = 'failed' then 'failed at Razorpay' end, p_status = 'processed'
  );
end;
$$;

-- Records what Razorpay says of a dispute, and tells the admin. Returns {outcome}: recorded, unknown_payment.
create function public.record_dispute(p_payment_id text, p_dispute_id text, p_event text, p_amount_paise bigint)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order_id bigint;
begin
  update public.payments set dispute = left(p_event, 60) where payment_id = p_payment_id returning order_id into v_order_id;
  if not found then
    return jsonb_build_object('outcome', 'unknown_payment');
  end if;
  perform public.notify_admin(
    'dispute', jsonb_build_object('payment_id', p_payment_id, 'amount_paise', p_amount_paise, 'event', left(p_event, 60)),
    'dispute:' || left(p_dispute_id, 60) || ':' || left(p_event, 60), v_order_id
  );
  return jsonb_build_object('outcome', 'recorded');
end;
$$;
