-- What the owner's page shows of orders.

-- What of an order's own payment has gone back or is on its way; of an order without one, all that went back.
create function private.refunded_paise(p_order public.orders)
returns bigint
language sql
stable
set search_path = ''
as $$
  select coalesce(sum(r.amount_paise), 0)
  from public.refunds r
  where r.order_id = p_order.id and r.state <> 'failed'
    and (p_order.payment_id is null or r.payment_id = p_order.payment_id);
$$;

-- A page of orders, newest first: {rows, counts}. p_filter as in orderFilters. p_all and p_any are patterns of LIKE for
-- search_text: all of the first and one of the second must fit. The page begins after the order p_before.
create function public.list_orders(
  p_filter text, p_all text[], p_any text[], p_before_at timestamptz, p_before_id bigint, p_limit integer
)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_where text := 'true';
  v_rows jsonb;
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
  if p_before_at is not null then
    v_where := v_where || ' and (o.created_at, o.id) < ($4, $5)';
  end if;
  -- Put together here, so that every shape of the question gets its own index; the values stay values.
  execute format(
    $query$
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', o.id, 'merchant_transaction_id', o.merchant_transaction_id, 'created_at', o.created_at,
        'customer_name', o.customer_name, 'customer_email', o.customer_email, 'customer_phone', o.customer_phone,
        'customer_city', o.customer_city, 'notes', o.notes, 'items', o.items, 'products', o.products,
        'total_paise', o.total_paise, 'amount', o.amount, 'total_amount', o.total_amount,
        'payment_amount', o.payment_amount, 'status', o.status, 'payment_status', o.payment_status,
        'fulfilment', o.fulfilment, 'refunded_paise', private.refunded_paise(o)
      ) order by page.created_at desc, page.id desc), '[]')
      from (
        select o.id, o.created_at from public.orders o where %s order by o.created_at desc, o.id desc limit $6
      ) page
      join public.orders o on o.id = page.id
    $query$,
    v_where
  )
  into v_rows
  using p_filter, p_all, p_any, p_before_at, p_before_id, p_limit;

  select jsonb_object_agg(stage, n) into v_counts
  from (select o.stage, count(*) as n from public.orders o group by o.stage) t;
  return jsonb_build_object(
    'rows', v_rows,
    'counts', coalesce(v_counts, '{}') || jsonb_build_object(
      'refunds', (select count(distinct r.order_id) from public.refunds r where r.state <> 'processed')
    )
  );
end;
$$;

-- Everything of one order: {order, refunded_paise, refundable_paise, payments, refunds, mails, facts, invoice}; null when
-- there is none. `facts` are those of private.tax_facts.
create function public.read_order(p_order_id bigint)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'order', to_jsonb(o) - 'search_text',
    'refunded_paise', private.refunded_paise(o),
    'refundable_paise', coalesce(private.owed_paise(o), 0),
    'payments', coalesce((
      select jsonb_agg(jsonb_build_object(
        'payment_id', p.payment_id, 'amount_paise', p.amount_paise, 'state', p.state, 'reason', p.reason,
        'at', p.created_at
      ) order by p.created_at, p.payment_id)
      from public.payments p where p.order_id = o.id
    ), '[]'),
    'refunds', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', r.id, 'payment_id', r.payment_id, 'amount_paise', r.amount_paise, 'state', r.state, 'reason', r.reason,
        'last_error', r.last_error, 'razorpay_refund_id', r.razorpay_refund_id, 'at', r.created_at
      ) order by r.id)
      from public.refunds r where r.order_id = o.id
    ), '[]'),
    'mails', coalesce((
      select jsonb_agg(jsonb_build_object(
        'kind', m.kind, 'recipient', m.recipient, 'at', m.created_at, 'sent_at', m.sent_at, 'attempts', m.attempts,
        'last_error', m.last_error
      ) order by m.id)
      from public.outbox m where m.order_id = o.id
    ), '[]'),
    'facts', private.tax_facts(o),
    'invoice', (
      select jsonb_build_object('number', i.number, 'issued_at', i.issued_at, 'document', i.document)
      from public.invoices i where i.order_id = o.id
    )
  )
  from public.orders o
  where o.id = p_order_id;
$$;

revoke execute on function private.refunded_paise(public.orders) from public, anon, authenticated;
revoke execute on function public.list_orders(text, text[], text[], timestamptz, bigint, integer),
  public.read_order(bigint)
from public, anon, authenticated;
grant execute on function public.list_orders(text, text[], text[], timestamptz, bigint, integer),
  public.read_order(bigint)
to service_role;
