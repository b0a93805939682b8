-- Unpaid orders.

-- When the sweep asks Razorpay about unpaid orders, and how they end.

-- When an unpaid order is checked next; null after the last check. A bank can authorise a payment up to three days
-- after it seemed to fail, so checks run at these ages, counted from the end of the last hold.
create function private.next_check(p_since timestamptz)
returns timestamptz
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select min(p_since + age)
    from unnest(array['15 minutes', '1 hour', '6 hours', '24 hours', '72 hours', '120 hours']::interval[]) age
    where p_since + age > clock_timestamp()
  );
end;
$$;

-- Ends an unpaid order: returns its stock, sets FAILED and the next check. Leaves a paid order alone. Returns
-- {outcome}: released; already (it had ended, only the next check is set); paid. Raises P0002 for an unknown order.
create function public.release_order(p_order_id bigint, p_reason text)
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
  if v_order.payment_id is not null or v_order.status = 'COMPLETED'
    or (v_order.hold_state in ('reserved', 'taken') and v_order.fulfilment <> 'cancelled')
  then
    return jsonb_build_object('outcome', 'paid');
  end if;
  -- A cancelled order that is still 'taken' did not return its units to stock.
  if v_order.payment_status in ('REFUND_DUE', 'REFUNDED', 'PARTIALLY_REFUNDED') or v_order.hold_state is null
    or v_order.hold_state = 'taken'
  then
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
      and o.payment_id is null and o.advance_payment_id is null
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
