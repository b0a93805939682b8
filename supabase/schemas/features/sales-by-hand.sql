-- Orders that the admin makes for sales elsewhere: on Instagram or WhatsApp, or at an exhibition. They hold stock,
-- cost the shop's prices and share its order numbers. Cash and transfers are paid at once. An order with a payment
-- link waits, and ends unpaid like any other.

-- Places an order of the admin's. p_method: 'cash', 'upi' or 'bank' with the admin's own p_reference, or null for a
-- payment link with p_token that is valid for p_hold_seconds. An order that is handed over needs no address, and one
-- that is also paid at once needs no phone number. p_reduction_paise comes off the price of the goods. Returns {outcome}
-- as place_order does, which has p_terms, too; for a repeated key 'already', or 'expired' once that order has ended. Raises 22023.
create function public.place_admin_order(
  p_key uuid, p_lines jsonb, p_customer jsonb, p_channel text, p_hand_over boolean, p_expected_total_paise bigint,
  p_fee_bps integer, p_hold_seconds integer, p_method text, p_reference text, p_token text,
  p_reduction_paise bigint default 0, p_charges jsonb default null, p_terms jsonb default null
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
      case when v_order.payment_id is not null or v_order.state = 'open' then 'already' else 'expired' end, v_order
    );
  end if;

  v_answer := public.place_order(
    null, p_key, p_lines, p_customer, p_expected_total_paise, p_fee_bps, p_hold_seconds,
    p_blank => array['email']
      || case when p_hand_over then array['address', 'city', 'postal_code'] end
      || case when p_hand_over and p_method is not null then array['phone'] end,
    p_reduction_paise => p_reduction_paise, p_charges => p_charges, p_terms => p_terms
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

-- The order of a payment link: {state, order, customer}, or null when the link is not valid. state: open; paid; ended
-- (expired, cancelled or refunded).
create function public.read_payment_link(p_order_id bigint, p_token text)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'state', case
      when a.is_sale then 'paid'
      when a.customer_may = 'pay' and o.hold_expires_at > clock_timestamp()
        and o.razorpay_order_id is not null
        then 'open'
      else 'ended'
    end,
    'order', jsonb_build_object(
      'id', o.id, 'items', o.items, 'sum_rows', o.sum_rows, 'total_paise', o.total_paise,
      -- The site of release 1.3.2 reads the parts.
      'subtotal_paise', o.subtotal_paise, 'discount_paise', o.discount_paise, 'fee_paise', o.fee_paise,
      'currency', o.currency, 'razorpay_order_id', o.razorpay_order_id, 'hold_expires_at', o.hold_expires_at
    ),
    'customer', jsonb_build_object(
      'name', o.customer_name, 'email', coalesce(o.customer_email, ''), 'phone', o.customer_phone
    )
  )
  from public.orders o
  join private.order_answers a on a.state = o.state and a.kind = o.kind
  where o.id = p_order_id and o.pay_token = p_token;
$$;
