-- What the shop has sold, by India's calendar: the sums of Today and of the figures. An order counts on the day it was paid,
-- a refund of it on the day it was asked for, as an invoice and its credit note do in the accountant's files. A cancelled
-- order and its refund count nowhere: nothing was sold.

create index refunds_created_at_idx on public.refunds (created_at);

-- Orders that are paid, and neither cancelled nor refunded in full, imported ones among them.
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

-- What counts from p_from up to p_to: a row for each paid order (orders 1, paise its total) and for each refund of one
-- (orders 0, paise negative), refunds in progress included.
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

-- The products that sold most pieces in the orders paid from p_from up to p_to, those refunded as pieces taken off:
-- [{productId, name, pieces, paise}], paise by the prices in the orders.
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
      sum(round(line.pieces * (line.item ->> 'price')::numeric * 100))::bigint as paise
    from private.bought_orders o
    cross join lateral (
      select i.item, (i.item ->> 'quantity')::numeric - coalesce((
        select sum((r.items ->> (i.item ->> 'product_id'))::numeric)
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

-- The week (from Monday), month or year of India's calendar that p_day is in, null meaning today: {period, today, from, to
-- (its last day), orders, paise, refundedPaise, bars: [{from, orders, paise}] (days, in a year months), before, best}.
-- `before` is the period before: {from, to, orders, paise}, only as far into it as this one has come when this one is not
-- over. Raises 22023 for another period.
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
  v_length interval := case p_period when 'week' then interval '7 days' when 'month' then interval '1 month' when 'year' then interval '1 year' end;
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
      select date_trunc(case p_period when 'year' then 'month' else 'day' end, s.at at time zone 'Asia/Kolkata')::date as bar, s.orders, s.paise
      from private.sales(v_from, v_to) s
    ), sums as (
      select bar, sum(orders) as orders, sum(paise) as paise from sold group by bar
    )
    select jsonb_build_object(
      'period', p_period, 'today', v_today, 'from', v_first, 'to', v_next - 1,
      'orders', coalesce(sum(s.orders), 0), 'paise', coalesce(sum(s.paise), 0),
      'refundedPaise', coalesce(-sum(s.paise) filter (where s.paise < 0), 0),
      'bars', (
        select jsonb_agg(jsonb_build_object('from', d.day::date, 'orders', coalesce(b.orders, 0), 'paise', coalesce(b.paise, 0)) order by d.day)
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
