-- The list of orders knows those that were refunded, what was refunded and when, and which are handed over. The previous site
-- asks for the filters that it had, and ignores the new keys.

-- A page of orders: {orders: [{order, refundedPaise, openRefund, refundSums}], counts}. p_filter: 'all', a stage, 'refunds' for
-- those with a refund that is not done, or 'refunded' for those whose refunds are all done. 'to_pack' and 'packed' are sorted
-- oldest first, 'refunded' by its last refund, newest first, all others newest first. p_all and p_any are LIKE patterns for
-- search_text: all of p_all and one of p_any must match. The page starts after the order (p_after_at, p_after_id), where
-- p_after_at is what the list is sorted by. `refundSums` is {donePaise, openPaise, lastAt}, or null without a refund.
create or replace function public.list_orders(
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
  v_at text := 'o.created_at';
  v_where text := 'true';
  v_orders jsonb;
  v_counts jsonb;
begin
  if p_limit is null or p_limit not between 1 and 101 then
    raise exception 'limit must be 1 to 101' using errcode = '22023';
  end if;
  if p_filter = 'refunds' then
    v_where := 'o.id in (select r.order_id from public.refunds r where r.state <> ''processed'')';
  elsif p_filter = 'refunded' then
    v_at := '(select max(r.created_at) from public.refunds r where r.order_id = o.id)';
    v_where := 'o.id in (select r.order_id from public.refunds r group by 1 having bool_and(r.state = ''processed''))';
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
            'openPaise', coalesce(sum(r.amount_paise) filter (where r.state <> 'processed'), 0),
            'lastAt', max(r.created_at)
          )
          from public.refunds r where r.order_id = o.id having count(*) > 0
        ),
        'order', jsonb_build_object(
        'id', o.id, 'merchant_transaction_id', o.merchant_transaction_id, 'created_at', o.created_at,
        'customer_name', o.customer_name, 'customer_email', o.customer_email, 'customer_phone', o.customer_phone,
        'customer_city', o.customer_city, 'notes', o.notes, 'items', o.items, 'products', o.products,
        'amount', o.amount, 'total_amount', o.total_amount, 'payment_amount', o.payment_amount, 'status', o.status,
        'payment_status', o.payment_status, 'paid', o.paid, 'fulfilment', o.fulfilment, 'is_test', o.is_test,
        'hand_over', o.hand_over
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
      'refunds', (select count(distinct r.order_id) from public.refunds r where r.state <> 'processed')
    )
  );
end;
$$;
