-- Who bought. An order belongs to the customer of its account. One without an account (imported, or the account was deleted)
-- belongs to the account that another order with its phone number has, else to one with its e-mail address; else orders
-- with the same phone number are one customer, and of those without a number the ones with the same e-mail address.

-- Every order with its customer, found by indexes: for one order or a few. list_customers finds them for all at once.
create view private.order_customers as
select o.id, o.user_id, o.phone_key, nullif(lower(o.customer_email), '') as email, coalesce(o.paid_at, o.created_at) as at,
  coalesce(
    o.user_id::text,
    (select min(a.user_id::text) from public.orders a where a.phone_key = o.phone_key and a.user_id is not null),
    (select min(a.user_id::text) from public.orders a
     where lower(a.customer_email) = nullif(lower(o.customer_email), '') and a.user_id is not null),
    o.phone_key, nullif(lower(o.customer_email), ''), 'order ' || o.id
  ) as customer
from public.orders o;

-- Which of its customer's orders an order is: {nth, orders}, counted by when they were paid; nth is null for one that
-- was not bought. Orders are found by account, phone and e-mail, never by reading all of them.
create function private.place_among_orders(p_order_id bigint)
returns jsonb
language sql
stable
set search_path = ''
as $$
  with this as materialized (
    select * from private.order_customers where id = p_order_id
  ), own as materialized (
    select c.id, c.phone_key, c.email from private.order_customers c
    where c.user_id = (select case when customer ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then customer::uuid end from this)
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
    'nth', case when this.id in (select id from bought) then (select count(*) from bought b where (b.at, b.id) <= (this.at, this.id)) end,
    'orders', (select count(*) from bought)
  )
  from this;
$$;

-- Customers with what they bought, less refunds: {total, customers: [{name, phone, email, city, account, orders, paise,
-- firstAt, lastAt, lastOrderId}]}, name and ways to reach them as in their last order. p_all and p_any are LIKE patterns as
-- in list_orders: one order of the customer must match. p_sort: 'recent', 'spent' or 'orders', most first.
-- Reads all orders: their sums are kept nowhere.
create function public.list_customers(p_all text[], p_any text[], p_sort text, p_offset integer, p_limit integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  with by_phone as (
    select phone_key, min(user_id::text) as account from public.orders where user_id is not null and phone_key is not null group by 1
  ), by_email as (
    select lower(customer_email) as email, min(user_id::text) as account from public.orders
    where user_id is not null and customer_email <> '' group by 1
  ), bought as materialized (
    -- The customer as in private.order_customers.
    select coalesce(o.user_id::text, p.account, e.account, o.phone_key, nullif(lower(o.customer_email), ''), 'order ' || o.id) as customer,
      o.id, coalesce(o.paid_at, o.created_at) as at, o.user_id is not null as account,
      coalesce(o.total_paise, round(least(coalesce(o.total_amount, o.payment_amount, 0), 1e9) * 100)::bigint) - coalesce(r.paise, 0) as paise,
      o.search_text like all (p_all) and (cardinality(p_any) = 0 or o.search_text like any (p_any)) as matches
    from private.bought_orders o
    left join by_phone p on o.user_id is null and p.phone_key = o.phone_key
    left join by_email e on o.user_id is null and e.email = lower(o.customer_email)
    -- As private.refunded_paise, for all of them at once.
    left join (
      select order_id, payment_id, sum(amount_paise)::bigint as paise from public.refunds where state <> 'failed' group by 1, 2
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
        'name', coalesce(o.customer_name, ''), 'phone', coalesce(o.customer_phone, ''), 'email', coalesce(o.customer_email, ''),
        'city', coalesce(o.customer_city, ''), 'account', p.account, 'orders', p.orders, 'paise', p.paise,
        'firstAt', p.first_at, 'lastAt', p.last_at, 'lastOrderId', p.last_id
      ) order by case p_sort when 'spent' then p.paise when 'orders' then p.orders end desc nulls last, p.last_at desc, p.last_id desc)
      from page p
      join public.orders o on o.id = p.last_id
    ), '[]')
  );
$$;
