-- What the admin's pages show: orders, and what needs attention today.
--
-- Keys in camel case are returned as they are (src/domain/admin). An `order` is a row of `orders`, parsed by
-- src/domain/orders/order.ts.

-- ── Orders ──

-- Whether money that should go back has not: 'waiting' while the shop works on a refund, 'failed' when the admin must
-- act, else null. A failed refund does not count when another one has refunded its payment.
create function private.open_refund_state(p_order public.orders)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select case
      when bool_or(r.state <> 'failed') then 'waiting'
      when bool_or(private.is_open_refund(r)) then 'failed'
    end
    from public.refunds r
    where r.order_id = p_order.id and r.state <> 'processed'
      and (num_nonnulls(p_order.payment_id, p_order.advance_payment_id) = 0 or private.is_own_payment(p_order, r.payment_id))
  );
end;
$$;

-- A page of orders: {orders: [{order, refundedPaise, openRefund, refundSums}], counts}. p_filter: 'all', a stage, 'refunds' for
-- those with a refund that is not done, or 'refunded' for those whose refunds are all done. 'to_confirm', 'to_pack' and 'packed' are
-- sorted oldest first, 'refunded' by its last refund, newest first, all others newest first. p_all and p_any are LIKE patterns for
-- search_text: all of p_all and one of p_any must match. The page starts after the order (p_after_at, p_after_id), where
-- p_after_at is what the list is sorted by. `refundSums` is {donePaise, openPaise, lastAt}, or null without a refund.
create function public.list_orders(
  p_filter text, p_all text[], p_any text[], p_after_at timestamptz, p_after_id bigint, p_limit integer
)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_oldest_first boolean := p_filter in ('to_confirm', 'to_pack', 'packed');
  v_order text := case when v_oldest_first then 'asc' else 'desc' end;
  v_at text := 'o.created_at';
  v_where text := 'true';
  v_orders jsonb;
  v_counts jsonb;
begin
  if p_limit is null or p_limit not between 1 and 101 then
    raise exception 'limit must be 1 to 101' using errcode = '22023';
  end if;
  -- The state decides first where it can: it has an index, and is_open_refund reads further rows.
  if p_filter = 'refunds' then
    v_where := 'o.id in (select r.order_id from public.refunds r where r.state <> ''processed'' and private.is_open_refund(r))';
  elsif p_filter = 'refunded' then
    v_at := '(select max(r.created_at) from public.refunds r where r.order_id = o.id)';
    v_where := 'o.id in (select r.order_id from public.refunds r group by 1 having bool_or(r.state = ''processed'')
      and bool_and(r.state = ''processed'' or not private.is_open_refund(r)))';
  elsif p_filter <> 'all' then
    v_where := 'o.stage = $1';
  end if;
  if cardinality(p_all) > 0 then
    v_where := v_where || ' and o.search_text like all ($2)';
  end if;
  if cardinality(p_any) > 0 then
    v_where := v_where || ' and o.search_text like any ($3)';
  end if;
  if p_after_at is not null then
    v_where := v_where
      || format(' and (%s, o.id) %s ($4, $5)', v_at, case when v_oldest_first then '>' else '<' end);
  end if;
  -- Dynamic, so that each combination of filters gets a plan with its own index. All values are parameters.
  execute format(
    $query$
      select coalesce(jsonb_agg(jsonb_build_object(
        'refundedPaise', private.refunded_paise(o), 'openRefund', private.open_refund_state(o),
        'refundSums', (
          select jsonb_build_object(
            'donePaise', coalesce(sum(r.amount_paise) filter (where r.state = 'processed'), 0),
            'openPaise', coalesce(sum(r.amount_paise) filter (where private.is_open_refund(r)), 0),
            'lastAt', max(r.created_at)
          )
          from public.refunds r where r.order_id = o.id having count(*) > 0
        ),
        'order', jsonb_build_object(
        'id', o.id, 'merchant_transaction_id', o.merchant_transaction_id, 'created_at', o.created_at,
        'customer_name', o.customer_name, 'customer_email', o.customer_email, 'customer_phone', o.customer_phone,
        'customer_city', o.customer_city, 'notes', o.notes, 'items', o.items, 'products', o.products,
        'amount', o.amount, 'total_amount', o.total_amount, 'payment_amount', o.payment_amount, 'status', o.status,
        'payment_status', o.payment_status, 'sold', o.sold, 'fulfilment', o.fulfilment, 'is_test', o.is_test,
        -- The site of before reads it.
        'paid', o.paid,
        'hand_over', o.hand_over, 'cash_paise', o.cash_paise, 'cash_charge_paise', o.cash_charge_paise, 'sum_rows', o.sum_rows,
        'advance_payment_id', o.advance_payment_id, 'payment_id', o.payment_id, 'cash_confirmed_at', o.cash_confirmed_at,
        'hold_state', o.hold_state, 'hold_expires_at', o.hold_expires_at, 'state', o.state, 'kind', o.kind
      )) order by page.at %2$s, page.id %2$s), '[]')
      from (
        select o.id, %3$s as at from public.orders o where %1$s order by %3$s %2$s, o.id %2$s limit $6
      ) page
      join public.orders o on o.id = page.id
    $query$,
    v_where, v_order, v_at
  )
  into v_orders
  using p_filter, p_all, p_any, p_after_at, p_after_id, p_limit;

  select jsonb_object_agg(stage, n) into v_counts
  from (select o.stage, count(*) as n from public.orders o group by o.stage) t;
  return jsonb_build_object(
    'orders', v_orders,
    'counts', coalesce(v_counts, '{}') || jsonb_build_object(
      'refunds', (
        select count(distinct r.order_id) from public.refunds r where r.state <> 'processed' and private.is_open_refund(r)
      )
    )
  );
end;
$$;

-- Orders for packing slips, oldest first: {total, orders}. p_stage is 'to_pack' or 'packed'. orders has at most
-- p_limit rows, total counts all. With p_order_ids only these are read, as far as they are in that stage.
create function public.orders_for_slips(p_stage text, p_limit integer, p_order_ids bigint[] default null)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'total', (select count(*) from public.orders where stage = p_stage),
    'orders', coalesce((
      select jsonb_agg(to_jsonb(o) - 'search_text' order by o.created_at, o.id)
      from (
        select * from public.orders
        where stage = p_stage and (p_order_ids is null or id = any (p_order_ids))
        order by created_at, id limit least(greatest(p_limit, 0), 500)
      ) o
    ), '[]')
  );
$$;

-- One order with everything that belongs to it: {order, revision, refundedPaise, openRefund, refundablePaise,
-- advanceLeftPaise (what would go back of a cash order's advance if the order ended now),
-- payments, refunds, mails, changes, facts, customer}, or null. `facts` is private.tax_facts, `customer`
-- private.customer_order_rank.
create function public.read_order(p_order_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'order', to_jsonb(o) - 'search_text',
      'revision', o.updated_at,
      'refundedPaise', private.refunded_paise(o),
      'openRefund', private.open_refund_state(o),
      'refundablePaise', coalesce(private.unrefunded_paise(o), 0),
      'advanceLeftPaise', coalesce((
        select private.refundable_paise(p) from public.payments p where p.payment_id = o.advance_payment_id
      ), 0),
      'payments', coalesce((
        select jsonb_agg(jsonb_build_object(
          'paymentId', p.payment_id, 'amountPaise', p.amount_paise, 'state', p.state, 'reason', p.reason,
          'at', p.created_at, 'lostPaise', p.lost_paise
        ) order by p.created_at, p.payment_id)
        from public.payments p where p.order_id = o.id
      ), '[]'),
      'refunds', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', r.id, 'paymentId', r.payment_id, 'amountPaise', r.amount_paise, 'state', r.state, 'reason', r.reason,
          'lastError', r.last_error, 'razorpayRefundId', r.razorpay_refund_id, 'at', r.created_at,
          'triedAt', r.updated_at, 'nextTryAt', r.next_attempt_at,
          'disputed', private.awaits_bank(r)
        ) order by r.id)
        from public.refunds r where r.order_id = o.id
      ), '[]'),
      'mails', coalesce((
        select jsonb_agg(jsonb_build_object(
          'kind', m.kind, 'recipient', m.recipient, 'at', m.created_at, 'sentAt', m.sent_at, 'attempts', m.attempts,
          'lastError', m.last_error
        ) order by m.id)
        from public.outbox m where m.order_id = o.id and m.kind <> 'push'
      ), '[]'),
      'changes', coalesce((
        select jsonb_agg(jsonb_build_object(
          'field', c.field, 'oldValue', c.old_value, 'newValue', c.new_value, 'at', c.created_at,
          'by', c.changed_by
        ) order by c.id)
        from public.order_changes c where c.order_id = o.id
      ), '[]'),
      'facts', private.tax_facts(o),
      'customer', private.customer_order_rank(o.id)
    )
    from public.orders o
    where o.id = p_order_id
  );
end;
$$;

-- Several orders as in read_order. Unknown ids are left out.
create function public.read_orders(p_order_ids bigint[])
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(public.read_order(o.id)), '[]') from public.orders o where o.id = any (p_order_ids);
$$;

-- ── Today ──

-- Payments and refunds for the admin: payments without an order, with a wrong amount, of a cart bought twice, or of a
-- customer who caused too many refunds; open disputes; failed refunds; refunds that wait (after a failed attempt, or
-- accepted by Razorpay ten days ago); and differences that the last reconciliation could not resolve.
create function private.payment_problems()
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
  where p.dispute is not null and not private.is_closed_dispute(p.dispute)
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
  where r.state = 'failed' and private.is_open_refund(r)
  union all
  select 'refund_waiting', r.payment_id, r.order_id, r.amount_paise, r.created_at, false
  from public.refunds r
  where (r.state = 'due' and r.last_error is not null)
    or (r.state = 'requested' and r.updated_at < clock_timestamp() - interval '10 days');
end;
$$;

-- A text that changes whenever one of the newest 200 orders, refunds or inbox entries is added, changed or deleted.
-- Uses sums instead of the latest time, because a transaction may commit after one that started later.
create function private.newest_changes()
returns text
language sql
stable
set search_path = ''
as $$
  select concat_ws(' ',
    (select sum(extract(epoch from t.updated_at)) from (
      select updated_at from public.orders order by created_at desc, id desc limit 200) t),
    (select sum(extract(epoch from t.updated_at)) from (
      select updated_at from public.refunds order by id desc limit 200) t),
    (select concat_ws(' ', sum(t.id), count(t.read_at), count(t.answered_at)) from (
      select id, read_at, answered_at from public.contact_messages order by id desc limit 200) t),
    (select concat_ws(' ', sum(t.id), count(t.read_at), count(t.answered_at)) from (
      select id, read_at, answered_at from public.form_entries order by id desc limit 200) t),
    (select concat_ws(' ', sum(t.id), count(t.confirmed_at), count(t.unsubscribed_at)) from (
      select id, confirmed_at, unsubscribed_at from public.subscribers order by id desc limit 200) t),
    (select concat_ws(' ', sum(t.id), sum(hashtext(t.text))) from (
      select id, concat_ws(' ', stars, words, name, town, image, state, answer) as text
      from public.reviews order by id desc limit 200) t)
  );
$$;

-- What the admin has to do today. Lists have at most five entries; counts include all. `changes` is
-- private.newest_changes, `sales` sums private.sales, `mailsStuckSince` and `mailRefusal` are those of shop_health, `notice` is read_notice.
create function public.read_today(p_low_stock_below integer)
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
  ), health as materialized (
    select public.shop_health() as facts
  )
  select jsonb_build_object(
    -- Cash orders to confirm, those that end first at the start, and the cash of sent parcels by courier.
    'toConfirm', jsonb_build_object(
      'count', (select count(*) from public.orders where stage = 'to_confirm'),
      'orders', (select coalesce(jsonb_agg(to_jsonb(t) order by t.hold_expires_at, t.id), '[]') from (
        select id, customer_name, items, products, created_at, status, hold_state, hold_expires_at, cash_paise, payment_id,
          fulfilment, state, kind
        from public.orders
        where stage = 'to_confirm' order by hold_expires_at, id limit 5) t)
    ),
    'cashDue', private.cash_due(),
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
    'newReviews', (select count(*) from public.reviews where state = 'new'),
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
        select kind, payment_id as "paymentId", order_id as "orderId", amount_paise as "amountPaise", at, refundable,
          case when kind = 'dispute' then (
            select jsonb_build_object('phase', d.phase, 'event', d.event, 'respondBy', d.respond_by)
            from public.payments p, private.open_disputes(p) d where p.payment_id = money.payment_id limit 1
          ) end as dispute
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
    'mailsStuckSince', (
      select least((facts ->> 'outbox_stuck_since')::timestamptz, (facts ->> 'mail_refused_since')::timestamptz) from health
    ),
    'mailRefusal', (select facts -> 'mail_refusal' from health),
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
