-- Sales and customers, as the admin's pages show them.

-- ── Sales ──

-- Sales by Indian calendar days. An order counts on the day it was paid, and a refund on the day it was requested, as
-- invoices and credit notes do. Cancelled orders and their refunds do not count, because nothing was sent. Test orders
-- never do.

-- Orders that are purchases (private.order_answers), imported ones included. One that is paid at the door counts once the cash is there. The
-- columns are named, because `select *` in a view is expanded once, when the view is created.
create view private.bought_orders as
select
  o.id, o.created_at, o.updated_at, o.user_id, o.merchant_transaction_id, o.idempotency_key, o.cart_fingerprint,
  o.customer_name, o.customer_email, o.customer_phone, o.customer_address, o.customer_city, o.customer_postal_code,
  o.customer_gstin, o.notes, o.gift_note, o.admin_note, o.items, o.products, o.subtotal_paise, o.discount_code,
  o.discount_paise, o.fee_paise, o.total_paise, o.fee_bps, o.currency, o.amount, o.total_amount, o.payment_amount,
  o.status, o.payment_status, o.payment_method, o.payment_reference, o.razorpay_order_id, o.razorpay_key_id,
  o.payment_id, o.paid_at, o.hold_state, o.network, o.hold_expires_at, o.released_at, o.release_reason,
  o.next_check_at, o.checks, o.fulfilment, o.carrier, o.tracking_number, o.tracking_url, o.packed_at, o.shipped_at,
  o.delivered_at, o.cancelled_at, o.cancel_reason, o.invoice_number, o.delivery_notice, o.channel, o.hand_over,
  o.pay_token, o.admin_key, o.restocked, o.paid, o.stage, o.search_text, o.phone_key, o.replaces, o.advance_payment_id
from public.orders o
join private.order_answers a on a.state = o.state and a.kind = o.kind
where a.is_purchase;

-- Sales from p_from up to p_to, a row for each of these:
--   a paid order (orders 1, paise its total)
--   a fee that is kept of a cancelled order, or the advance of one that was refused at the door (orders 0)
--   a refund of either, also one in progress (orders 0, paise negative)
create function private.sales(p_from timestamptz, p_to timestamptz)
returns table (at timestamptz, orders integer, paise bigint)
language sql
stable
set search_path = ''
as $$
  select o.paid_at, case when a.income = 'total' then 1 else 0 end,
    case when a.income = 'total' then coalesce(o.total_paise, 0) else o.kept_paise end
  from public.orders o
  join private.order_answers a on a.state = o.state and a.kind = o.kind
  where o.paid_at >= p_from and o.paid_at < p_to and (a.income = 'total' or (a.income = 'kept' and o.kept_paise > 0))
  union all
  select o.cancelled_at, 0, o.kept_paise
  from public.orders o
  join private.order_answers a on a.state = o.state and a.kind = o.kind
  where o.cancelled_at >= p_from and o.cancelled_at < p_to and o.kept_paise > 0 and o.paid_at is null and a.income = 'kept'
  union all
  select r.created_at, 0, -r.amount_paise
  from public.refunds r
  join public.orders o on o.id = r.order_id and private.is_own_payment(o, r.payment_id)
  join private.order_answers a on a.state = o.state and a.kind = o.kind
  where r.created_at >= p_from and r.created_at < p_to and r.state <> 'failed'
    and case
      when o.paid_at is not null then a.income = 'total'
      -- An advance that was kept, and went back later after all.
      else a.income <> 'none' and o.kept_paise > 0 and r.created_at > o.cancelled_at
    end;
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
        where r.order_id = o.id and r.payment_id in (o.payment_id, o.advance_payment_id) and r.state <> 'failed'
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
-- from, to (its last day), orders, paise, refundedPaise, cancelledPaise, bars: [{from, orders, paise}] (per day, or per month
-- of a year), before, best, cartMails (private.cart_mail_figures)}. cancelledPaise is what went back for cancelled orders,
-- which are neither in paise nor in refundedPaise. `before` is the previous period {from, to, orders, paise}; while this period runs, only up to
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
      'cancelledPaise', (
        select coalesce(sum(r.amount_paise), 0)
        from public.refunds r
        join public.orders o on o.id = r.order_id and private.is_own_payment(o, r.payment_id)
        join private.order_answers a on a.state = o.state and a.kind = o.kind
        where r.created_at >= v_from and r.created_at < v_to and r.state <> 'failed'
          and o.paid_at is not null and a.income = 'kept'
      ),
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
      'best', private.best_sellers(v_from, v_to, 10),
      'cartMails', private.cart_mail_figures(v_from, v_to)
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
      select f.order_id, sum(f.amount_paise)::bigint as paise
      from public.refunds f
      join public.orders own on own.id = f.order_id and private.is_own_payment(own, f.payment_id)
      where f.state <> 'failed'
      group by 1
    ) r on r.order_id = o.id
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
