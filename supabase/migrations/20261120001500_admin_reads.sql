-- What the admin's pages show: sales, customers, orders, and what needs attention today.

-- ── Sales ──

-- Sales by Indian calendar days. An order counts on the day it was paid, and a refund on the day it was requested, as
-- invoices and credit notes do. Cancelled orders and their refunds do not count, because nothing was sent.

create index refunds_created_at_idx on public.refunds (created_at);

-- Paid orders that are neither cancelled nor refunded in full, including imported ones.
create view private.bought_orders as
select * from public.orders
where stage in ('to_pack', 'packed', 'shipped', 'delivered') and upper(coalesce(payment_status, '')) <> 'REFUNDED';

-- Midnight in India at the start of a day.
create function private.india_midnight(p_day date)
returns timestamptz
language sql
stable
set search_path = ''
as $$
  select p_day::timestamp at time zone 'Asia/Kolkata';
$$;

-- Sales from p_from up to p_to: one row per paid order (orders 1, paise its total) and one per refund of such an
-- order (orders 0, paise negative), including refunds in progress.
create function private.sales(p_from timestamptz, p_to timestamptz)
returns table (at timestamptz, orders integer, paise bigint)
language sql
stable
set search_path = ''
as $$
  select o.paid_at, 1, coalesce(o.total_paise, 0)
  from public.orders o
  where o.paid_at >= p_from and o.paid_at < p_to and o.fulfilment <> 'cancelled'
  union all
  select r.created_at, 0, -r.amount_paise
  from public.refunds r
  join public.orders o on o.id = r.order_id and o.payment_id = r.payment_id
  where r.created_at >= p_from and r.created_at < p_to and r.state <> 'failed'
    and o.paid_at is not null and o.fulfilment <> 'cancelled';
$$;

-- Best-selling products of the orders paid from p_from up to p_to, by quantity less refunds: [{productId, name,
-- pieces, paise}]. paise are less discounts, without the platform fee.
create function private.best_sellers(p_from timestamptz, p_to timestamptz, p_limit integer)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(best) order by best.pieces desc, best.paise desc, best.name), '[]')
  from (
    select line.item ->> 'product_id' as "productId",
      (array_agg(line.item ->> 'name' order by o.paid_at desc, o.id desc))[1] as name,
      sum(line.pieces)::bigint as pieces,
      sum(round(line.pieces * ((line.item ->> 'price')::numeric * 100
        - coalesce((line.item ->> 'discount_paise')::numeric, 0) / (line.item ->> 'quantity')::numeric)))::bigint as paise
    from private.bought_orders o
    cross join lateral (
      select i.item, (i.item ->> 'quantity')::numeric - coalesce((
        select sum((r.items ->> private.line_key(i.item))::numeric)
        from public.refunds r
        where r.order_id = o.id and r.payment_id = o.payment_id and r.state <> 'failed'
      ), 0) as pieces
      from jsonb_array_elements(case when jsonb_typeof(o.items) = 'array' then o.items else '[]' end) i (item)
      where jsonb_typeof(i.item -> 'quantity') = 'number' and jsonb_typeof(i.item -> 'price') = 'number'
    ) line
    where o.paid_at >= p_from and o.paid_at < p_to and line.pieces > 0
    group by 1
    order by 3 desc, 4 desc, 2
    limit p_limit
  ) best;
$$;

-- Figures of the week (from Monday), month or year in India that contains p_day, null for today: {period, today,
-- from, to (its last day), orders, paise, refundedPaise, bars: [{from, orders, paise}] (per day, or per month of a
-- year), before, best}. `before` is the previous period {from, to, orders, paise}; while this period runs, only up to
-- the same point in it. Raises 22023 for another period.
create function public.sales_figures(p_period text, p_day date default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_today date := (v_now at time zone 'Asia/Kolkata')::date;
  v_length interval := case p_period
    when 'week' then interval '7 days'
    when 'month' then interval '1 month'
    when 'year' then interval '1 year'
  end;
  v_step interval := case p_period when 'year' then interval '1 month' else interval '1 day' end;
  v_first date;
  v_next date;
  v_before date;
  v_from timestamptz;
  v_to timestamptz;
  v_before_to timestamptz;
begin
  if v_length is null then
    raise exception 'a period is week, month or year' using errcode = '22023';
  end if;
  v_first := date_trunc(p_period, coalesce(p_day, v_today)::timestamp)::date;
  v_next := (v_first + v_length)::date;
  v_before := (v_first - v_length)::date;
  v_from := private.india_midnight(v_first);
  v_to := private.india_midnight(v_next);
  v_before_to := case
    when v_now < v_to then least(v_from, private.india_midnight(v_before) + greatest(v_now - v_from, interval '0'))
    else v_from
  end;
  return (
    with sold as materialized (
      select
        date_trunc(
          case p_period when 'year' then 'month' else 'day' end, s.at at time zone 'Asia/Kolkata'
        )::date as bar,
        s.orders, s.paise
      from private.sales(v_from, v_to) s
    ), sums as (
      select bar, sum(orders) as orders, sum(paise) as paise from sold group by bar
    )
    select jsonb_build_object(
      'period', p_period, 'today', v_today, 'from', v_first, 'to', v_next - 1,
      'orders', coalesce(sum(s.orders), 0), 'paise', coalesce(sum(s.paise), 0),
      'refundedPaise', coalesce(-sum(s.paise) filter (where s.paise < 0), 0),
      'bars', (
        select jsonb_agg(
          jsonb_build_object('from', d.day::date, 'orders', coalesce(b.orders, 0), 'paise', coalesce(b.paise, 0))
          order by d.day
        )
        from generate_series(v_first::timestamp, v_next::timestamp - v_step, v_step) d (day)
        left join sums b on b.bar = d.day::date
      ),
      'before', (
        select jsonb_build_object(
          'from', v_before, 'to', ((v_before_to - interval '1 microsecond') at time zone 'Asia/Kolkata')::date,
          'orders', coalesce(sum(e.orders), 0), 'paise', coalesce(sum(e.paise), 0)
        )
        from private.sales(private.india_midnight(v_before), v_before_to) e
      ),
      'best', private.best_sellers(v_from, v_to, 10)
    )
    from sold s
  );
end;
$$;

-- ── Customers ──

-- Who bought. An order belongs to the customer of its account. An order without an account (imported, or the account
-- was deleted) belongs to the account of another order with its phone number, else with its e-mail address. Otherwise
-- orders with the same phone number are one customer, then those with the same e-mail address.

-- Every order with its customer, for lookups of one or a few orders by index. list_customers finds them for all at
-- once.
create view private.order_customers as
select o.id, o.user_id, o.phone_key, nullif(lower(o.customer_email), '') as email,
  coalesce(o.paid_at, o.created_at) as at,
  coalesce(
    o.user_id::text,
    (select min(a.user_id::text) from public.orders a where a.phone_key = o.phone_key and a.user_id is not null),
    (select min(a.user_id::text) from public.orders a
     where lower(a.customer_email) = nullif(lower(o.customer_email), '') and a.user_id is not null),
    o.phone_key, nullif(lower(o.customer_email), ''), 'order ' || o.id
  ) as customer
from public.orders o;

-- The position of an order among its customer's orders: {nth, orders}, by time of payment. nth is null for an order
-- that was not bought. Orders are found by account, phone and e-mail, never by reading all.
create function private.customer_order_rank(p_order_id bigint)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    with this as materialized (
      select * from private.order_customers where id = p_order_id
    ), own as materialized (
      select c.id, c.phone_key, c.email from private.order_customers c
      where c.user_id = (
        select case when customer ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then customer::uuid end from this
      )
      union select id, phone_key, email from this
    ), near as materialized (
      select id from own
      union select o.id from public.orders o where o.phone_key = any (array(select phone_key from own))
      union select o.id from public.orders o where lower(o.customer_email) = any (array(select email from own))
    ), bought as (
      select c.id, c.at from private.bought_orders o
      join private.order_customers c on c.id = o.id
      where o.id = any (array(select id from near)) and c.customer = (select customer from this)
    )
    select jsonb_build_object(
      'nth', case when this.id in (select id from bought) then (
        select count(*) from bought b where (b.at, b.id) <= (this.at, this.id)
      ) end,
      'orders', (select count(*) from bought)
    )
    from this
  );
end;
$$;

-- Customers with their purchases less refunds: {total, customers: [{name, phone, email, city, account, orders, paise,
-- firstAt, lastAt, lastOrderId}]}; name and contact details are of their last order. p_all and p_any are LIKE
-- patterns as in list_orders; one order of the customer must match. p_sort: 'recent', 'spent' or 'orders', highest
-- first. Reads all orders, because their sums are not stored.
create function public.list_customers(p_all text[], p_any text[], p_sort text, p_offset integer, p_limit integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  with by_phone as (
    select phone_key, min(user_id::text) as account from public.orders
    where user_id is not null and phone_key is not null
    group by 1
  ), by_email as (
    select lower(customer_email) as email, min(user_id::text) as account from public.orders
    where user_id is not null and customer_email <> '' group by 1
  ), bought as materialized (
    -- The same customer as in private.order_customers.
    select coalesce(
        o.user_id::text, p.account, e.account, o.phone_key, nullif(lower(o.customer_email), ''), 'order ' || o.id
      ) as customer,
      o.id, coalesce(o.paid_at, o.created_at) as at, o.user_id is not null as account,
      coalesce(o.total_paise, round(least(coalesce(o.total_amount, o.payment_amount, 0), 1e9) * 100)::bigint)
        - coalesce(r.paise, 0) as paise,
      o.search_text like all (p_all) and (cardinality(p_any) = 0 or o.search_text like any (p_any)) as matches
    from private.bought_orders o
    left join by_phone p on o.user_id is null and p.phone_key = o.phone_key
    left join by_email e on o.user_id is null and e.email = lower(o.customer_email)
    -- The same as private.refunded_paise, for all orders at once.
    left join (
      select order_id, payment_id, sum(amount_paise)::bigint as paise from public.refunds
      where state <> 'failed'
      group by 1, 2
    ) r on r.order_id = o.id and r.payment_id = o.payment_id
  ), customers as materialized (
    select count(*) as orders, sum(paise) as paise, min(at) as first_at, max(at) as last_at, bool_or(account) as account,
      (array_agg(id order by at desc, id desc))[1] as last_id
    from bought
    group by customer
    having bool_or(matches)
  ), page as (
    select * from customers
    order by case p_sort when 'spent' then paise when 'orders' then orders end desc nulls last, last_at desc, last_id desc
    offset greatest(p_offset, 0) limit least(greatest(p_limit, 0), 100)
  )
  select jsonb_build_object(
    'total', (select count(*) from customers),
    'customers', coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', coalesce(o.customer_name, ''), 'phone', coalesce(o.customer_phone, ''),
        'email', coalesce(o.customer_email, ''),
        'city', coalesce(o.customer_city, ''), 'account', p.account, 'orders', p.orders, 'paise', p.paise,
        'firstAt', p.first_at, 'lastAt', p.last_at, 'lastOrderId', p.last_id
      ) order by case p_sort when 'spent' then p.paise when 'orders' then p.orders end desc nulls last,
        p.last_at desc, p.last_id desc)
      from page p
      join public.orders o on o.id = p.last_id
    ), '[]')
  );
$$;

-- ── The admin's pages ──

-- Keys in camel case are returned as they are (src/domain/admin). An `order` is a row of `orders`, parsed by
-- src/domain/orders/order.ts.

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
      when bool_or(private.outcome_unknown(r) or r.amount_paise <= private.refundable_paise(p)
        or private.is_rest_due(p)) then 'failed'
    end
    from public.refunds r
    join public.payments p on p.payment_id = r.payment_id
    where r.order_id = p_order.id and r.state <> 'processed'
      and (p_order.payment_id is null or r.payment_id = p_order.payment_id)
  );
end;
$$;

-- A page of orders: {orders: [{order, refundedPaise, openRefund}], counts}. p_filter: 'all', 'refunds' or a stage.
-- 'to_pack' and 'packed' are sorted oldest first, all others newest first. p_all and p_any are LIKE patterns for
-- search_text: all of p_all and one of p_any must match. The page starts after the order (p_after_at, p_after_id).
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
  v_oldest_first boolean := p_filter in ('to_pack', 'packed');
  v_order text := case when v_oldest_first then 'asc' else 'desc' end;
  v_where text := 'true';
  v_orders jsonb;
  v_counts jsonb;
begin
  if p_limit is null or p_limit not between 1 and 101 then
    raise exception 'limit must be 1 to 101' using errcode = '22023';
  end if;
  if p_filter = 'refunds' then
    v_where := 'o.id in (select r.order_id from public.refunds r where r.state <> ''processed'')';
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
    v_where := v_where || format(' and (o.created_at, o.id) %s ($4, $5)', case when v_oldest_first then '>' else '<' end);
  end if;
  -- Dynamic, so that each combination of filters gets a plan with its own index. All values are parameters.
  execute format(
    $query$
      select coalesce(jsonb_agg(jsonb_build_object(
        'refundedPaise', private.refunded_paise(o), 'openRefund', private.open_refund_state(o),
        'order', jsonb_build_object(
        'id', o.id, 'merchant_transaction_id', o.merchant_transaction_id, 'created_at', o.created_at,
        'customer_name', o.customer_name, 'customer_email', o.customer_email, 'customer_phone', o.customer_phone,
        'customer_city', o.customer_city, 'notes', o.notes, 'items', o.items, 'products', o.products,
        'amount', o.amount, 'total_amount', o.total_amount, 'payment_amount', o.payment_amount, 'status', o.status,
        'payment_status', o.payment_status, 'paid', o.paid, 'fulfilment', o.fulfilment
      )) order by page.created_at %2$s, page.id %2$s), '[]')
      from (
        select o.id, o.created_at from public.orders o where %1$s order by o.created_at %2$s, o.id %2$s limit $6
      ) page
      join public.orders o on o.id = page.id
    $query$,
    v_where, v_order
  )
  into v_orders
  using p_filter, p_all, p_any, p_after_at, p_after_id, p_limit;

  select jsonb_object_agg(stage, n) into v_counts
  from (select o.stage, count(*) as n from public.orders o group by o.stage) t;
  return jsonb_build_object(
    'orders', v_orders,
    'counts', coalesce(v_counts, '{}') || jsonb_build_object(
      'refunds', (select count(distinct r.order_id) from public.refunds r where r.state <> 'processed')
    )
  );
end;
$$;

-- Orders for packing slips, oldest first: {total, orders}. p_stage is 'to_pack' or 'packed'. orders has at most
-- p_limit rows, total counts all.
create function public.orders_for_slips(p_stage text, p_limit integer)
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
        select * from public.orders where stage = p_stage order by created_at, id limit least(greatest(p_limit, 0), 500)
      ) o
    ), '[]')
  );
$$;

-- One order with everything that belongs to it: {order, revision, refundedPaise, openRefund, refundablePaise,
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
      'payments', coalesce((
        select jsonb_agg(jsonb_build_object(
          'paymentId', p.payment_id, 'amountPaise', p.amount_paise, 'state', p.state, 'reason', p.reason,
          'at', p.created_at
        ) order by p.created_at, p.payment_id)
        from public.payments p where p.order_id = o.id
      ), '[]'),
      'refunds', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', r.id, 'paymentId', r.payment_id, 'amountPaise', r.amount_paise, 'state', r.state, 'reason', r.reason,
          'lastError', r.last_error, 'razorpayRefundId', r.razorpay_refund_id, 'at', r.created_at,
          'triedAt', r.updated_at, 'nextTryAt', r.next_attempt_at
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
          'field', c.field, 'oldValue', c.old_value, 'newValue', c.new_value, 'at', c.created_at
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

-- Payments and refunds for the admin: payments without an order, with a wrong amount or of a cart bought twice; open
-- disputes; failed refunds; refunds that wait (after a failed attempt, or accepted by Razorpay ten days ago); and
-- differences that the last reconciliation could not resolve.
create function private.payment_problems()
returns table (kind text, payment_id text, order_id bigint, amount_paise bigint, at timestamptz, refundable boolean)
language plpgsql
stable
set search_path = ''
as $$
begin
  return query
  select case when p.reason = 'duplicate_purchase' then 'duplicate' else 'unmatched' end, p.payment_id, p.order_id,
    p.amount_paise, p.created_at, true
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
      select id, confirmed_at, unsubscribed_at from public.subscribers order by id desc limit 200) t)
  );
$$;

-- What the admin has to do today. Lists have at most five entries; counts include all. `changes` is
-- private.newest_changes, `sales` sums private.sales.
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
    -- Stock held by unpaid orders, longest held first.
    'holds', jsonb_build_object(
      'count', (select count(*) from public.orders where hold_state = 'held'),
      'orders', (select coalesce(jsonb_agg(jsonb_build_object(
          'order', jsonb_build_object('id', t.id, 'customer_name', t.customer_name, 'items', t.items),
          'heldSince', t.created_at, 'heldUntil', t.hold_expires_at
        ) order by t.created_at, t.id), '[]') from (
        select id, customer_name, items, created_at, hold_expires_at from public.orders
        where hold_state = 'held' order by created_at, id limit 5) t)
    ),
    'unsentMails', (select count(*) from public.outbox where sent_at is null and attempts >= 5 and kind <> 'push'),
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
