-- The admin's new order without a phone number, and what Today shows.

-- Places an order of the admin's for a sale elsewhere. p_method: 'cash', 'upi' or 'bank' with the admin's own p_reference, or null for a payment
-- link with p_token that is valid for p_hold_seconds. An order that is handed over needs no address,
-- and one that is also paid at once needs no phone number.
-- p_reduction_paise comes off the price of the goods. Returns {outcome} as place_order does; for a repeated key
-- 'already', or 'expired' once that order has ended. Raises 22023.
create or replace function public.place_admin_order(
  p_key uuid, p_lines jsonb, p_customer jsonb, p_channel text, p_hand_over boolean, p_expected_total_paise bigint,
  p_fee_bps integer, p_hold_seconds integer, p_method text, p_reference text, p_token text,
  p_reduction_paise bigint default 0
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_answer jsonb;
begin
  if p_key is null or p_hand_over is null or coalesce(p_method, 'cash') not in ('cash', 'upi', 'bank')
    or (p_method is null) <> (p_token is not null)
  then
    raise exception 'an order needs a key, a way of payment, and a token when it is paid by link' using errcode = '22023';
  end if;
  -- One call per key at a time, so that two clicks make one order.
  perform pg_advisory_xact_lock(hashtextextended('place_admin_order:' || p_key, 0));
  select * into v_order from public.orders where admin_key = p_key;
  if found then
    return private.order_result(
      case when v_order.payment_id is not null or v_order.hold_state = 'held' then 'already' else 'expired' end, v_order
    );
  end if;

  v_answer := public.place_order(
    null, p_key, p_lines, p_customer, p_expected_total_paise, p_fee_bps, p_hold_seconds, p_hold_seconds,
    p_blank => array['email']
      || case when p_hand_over then array['address', 'city', 'postal_code'] end
      || case when p_hand_over and p_method is not null then array['phone'] end,
    p_reduction_paise => p_reduction_paise
  );
  if v_answer ->> 'outcome' <> 'placed' then
    return v_answer;
  end if;
  update public.orders
  set admin_key = p_key,
      channel = p_channel,
      hand_over = p_hand_over,
      pay_token = p_token,
      customer_email = nullif(btrim(customer_email), '')
  where id = (v_answer #>> '{order,id}')::bigint
  returning * into v_order;
  if p_method is not null then
    perform private.complete_order(v_order, 'hand_' || v_order.id, p_method, nullif(btrim(p_reference), ''));
  end if;
  return v_answer;
end;
$$;

-- What the admin has to do today. Lists have at most five entries; counts include all. `changes` is
-- private.newest_changes, `sales` sums private.sales, `mailsStuckSince` is that of shop_health, `notice` is read_notice.
create or replace function public.read_today(p_low_stock_below integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  with clock as (
    select date_trunc('day', clock_timestamp() at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata' as today,
      date_trunc('month', clock_timestamp() at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata' as month
  ), money as materialized (
    select * from private.payment_problems()
  )
  select jsonb_build_object(
    'toPack', jsonb_build_object(
      'count', (select count(*) from public.orders where stage = 'to_pack'),
      -- Oldest first.
      'orders', (select coalesce(jsonb_agg(to_jsonb(t) order by t.created_at, t.id), '[]') from (
        select id, customer_name, items, products, created_at from public.orders
        where stage = 'to_pack' order by created_at, id limit 5) t)
    ),
    -- Packed but not shipped, longest waiting first.
    'toShip', jsonb_build_object(
      'count', (select count(*) from public.orders where stage = 'packed'),
      'orders', (select coalesce(jsonb_agg(to_jsonb(t) order by t.packed_at nulls first, t.id), '[]') from (
        select id, customer_name, items, products, created_at, packed_at from public.orders
        where stage = 'packed' order by packed_at nulls first, id limit 5) t)
    ),
    'toAnswer', jsonb_build_object(
      'count', (select count(*) from public.contact_messages where answered_at is null),
      'messages', (select coalesce(jsonb_agg(to_jsonb(t) order by t.id), '[]') from (
        select id, name, subject, created_at as "createdAt" from public.contact_messages
        where answered_at is null order by id limit 5) t)
    ),
    'claims', jsonb_build_object(
      'count', (select count(*) from public.claims where answer is null),
      'claims', (select coalesce(jsonb_agg(to_jsonb(t) order by t."createdAt"), '[]') from (
        select c.order_id as "orderId", coalesce(o.customer_name, '') as "customerName", c.created_at as "createdAt"
        from public.claims c join public.orders o on o.id = c.order_id
        where c.answer is null order by c.created_at limit 5) t)
    ),
    'low', jsonb_build_object(
      'count', (select count(*) from public.products
        where stock between 1 and p_low_stock_below - 1 and not hidden and deleted_at is null),
      'products', (select coalesce(jsonb_agg(to_jsonb(t) order by t.stock, t.name, t.id), '[]') from (
        select id, name, stock from public.products
        where stock between 1 and p_low_stock_below - 1 and not hidden and deleted_at is null
        order by stock, name, id limit 5) t)
    ),
    'soldOut', jsonb_build_object(
      'count', (select count(*) from public.products where stock = 0 and not hidden and deleted_at is null),
      'products', (select coalesce(jsonb_agg(to_jsonb(t) order by t.name, t.id), '[]') from (
        select id, name from public.products
        where stock = 0 and not hidden and deleted_at is null order by name, id limit 5) t)
    ),
    'money', jsonb_build_object(
      'count', (select count(*) from money),
      'items', (select coalesce(jsonb_agg(to_jsonb(t) order by t.at, t."paymentId"), '[]') from (
        select kind, payment_id as "paymentId", order_id as "orderId", amount_paise as "amountPaise", at, refundable
        from money order by at, payment_id limit 5) t)
    ),
    -- Stock held by unpaid orders, longest held first. A hold that has ended is being checked at Razorpay: nobody is paying.
    'holds', jsonb_build_object(
      'count', (select count(*) from public.orders where hold_state = 'held' and hold_expires_at > clock_timestamp()),
      'orders', (select coalesce(jsonb_agg(jsonb_build_object(
          'order', jsonb_build_object('id', t.id, 'customer_name', t.customer_name, 'items', t.items),
          'heldSince', t.created_at, 'heldUntil', t.hold_expires_at, 'takesLast', t.last_units <> '{}' and t.admin_key is null
        ) order by t.created_at, t.id), '[]') from (
        select id, customer_name, items, created_at, hold_expires_at, last_units, admin_key from public.orders
        where hold_state = 'held' and hold_expires_at > clock_timestamp() order by created_at, id limit 5) t)
    ),
    'unsentMails', (select count(*) from public.outbox where sent_at is null and attempts >= 5 and kind <> 'push'),
    'mailsStuckSince', public.shop_health() -> 'outbox_stuck_since',
    'notice', public.read_notice(),
    'sales', (
      select jsonb_build_object(
        'todayOrders', coalesce(sum(s.orders) filter (where s.at >= c.today), 0),
        'todayPaise', coalesce(sum(s.paise) filter (where s.at >= c.today), 0),
        'monthOrders', coalesce(sum(s.orders), 0),
        'monthPaise', coalesce(sum(s.paise), 0)
      )
      from clock c
      left join lateral private.sales(c.month, 'infinity') s on true
    ),
    'changes', private.newest_changes()
  );
$$;
