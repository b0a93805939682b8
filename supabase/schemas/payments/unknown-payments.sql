-- Payments without an order here.

-- Several sites can share a Razorpay account, and one webhook secret can serve test and live mode. So a payment
-- without an order here is not refunded until Razorpay has confirmed that its order carries this shop's receipt.

-- Payments of unknown origin: {payment_id, razorpay_order_id}, the given one or the oldest.
create function public.payments_of_unknown_origin(p_limit integer, p_payment_id text default null)
returns setof jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  select jsonb_build_object('payment_id', p.payment_id, 'razorpay_order_id', p.razorpay_order_id)
  from public.payments p
  where p.state = 'unmatched' and p.reason = 'origin_unknown' and (p_payment_id is null or p.payment_id = p_payment_id)
  order by p.created_at
  limit p_limit;
end;
$$;

-- Records whose payment it is. This shop's stays 'unmatched' and the admin is notified; any other becomes 'foreign'
-- and is shown nowhere.
create function public.settle_payment_origin(p_payment_id text, p_is_ours boolean)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_amount_paise bigint;
begin
  update public.payments
  set state = case when p_is_ours then 'unmatched' else 'foreign' end, reason = 'unknown_order'
  where payment_id = p_payment_id and state = 'unmatched' and reason = 'origin_unknown'
  returning amount_paise into v_amount_paise;
  if found and p_is_ours then
    perform private.queue_push(
      'payment', jsonb_build_object('amount_paise', v_amount_paise), 'unmatched:' || p_payment_id
    );
  end if;
end;
$$;

-- Records a payment of another site, so that Razorpay is asked about its order only once.
create function public.record_foreign_payment(
  p_razorpay_order_id text, p_payment_id text, p_amount_paise bigint, p_currency text
)
returns void
language sql
security definer
set search_path = ''
as $$
  insert into public.payments (payment_id, razorpay_order_id, amount_paise, currency, state, reason)
  values (p_payment_id, p_razorpay_order_id, p_amount_paise, p_currency, 'foreign', 'unknown_order')
  on conflict (payment_id) do nothing;
$$;
