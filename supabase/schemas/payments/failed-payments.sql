-- Failed payments.

-- Card testing: someone who tries stolen cards causes many refused payments, and Razorpay may suspend the shop for
-- it. Ten failures close an order and make its account wait. From 30 failures in an hour on, the admin is notified,
-- once a day.

-- Records a failed payment. Returns {outcome}: recorded; closed (the tenth of its order, whose hold has ended);
-- unknown_order (not this shop's, not counted); repeated.
create function public.note_failed_payment(p_event_id text, p_payment_id text, p_razorpay_order_id text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_order_id bigint;
  v_count bigint;
begin
  insert into public.webhook_events (event_id, event, payment_id, order_id)
  select coalesce(p_event_id, 'failed:' || p_payment_id), 'payment.failed', p_payment_id,
    (select o.id from public.orders o where o.razorpay_order_id = p_razorpay_order_id)
  where not exists (
    -- The event id is a header without a signature.
    select 1 from public.webhook_events e
    where e.order_id = (select o.id from public.orders o where o.razorpay_order_id = p_razorpay_order_id)
      and e.payment_id = p_payment_id and e.event = 'payment.failed'
  )
  on conflict (event_id) do nothing
  returning order_id into v_order_id;
  if not found then
    return jsonb_build_object('outcome', 'repeated');
  end if;
  if v_order_id is null then
    return jsonb_build_object('outcome', 'unknown_order');
  end if;
  select count(*) into v_count from public.webhook_events e
  where e.event = 'payment.failed' and e.order_id is not null and e.received_at > v_now - interval '1 hour';
  if v_count >= 30 then
    perform public.notify_admin(
      'card_testing', '{}', 'card_testing:' || to_char(v_now at time zone 'Asia/Kolkata', 'YYYY-MM-DD')
    );
  end if;
  if (select count(*) from public.webhook_events e where e.order_id = v_order_id and e.event = 'payment.failed') >= 10
    and public.release_order(v_order_id, 'cards_refused') ->> 'outcome' = 'released'
  then
    return jsonb_build_object('outcome', 'closed');
  end if;
  return jsonb_build_object('outcome', 'recorded');
end;
$$;
