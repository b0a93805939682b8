-- Refunds that the admin requests. The sum of a payment's refunds never exceeds it: all are made under the order's lock.
-- claim_refunds and finish_refund send them.

-- Makes a failed refund due again, with the same idempotency key unless Razorpay had accepted it: that key would only
-- return the failed refund.
create function private.retry_refund(p_refund_id bigint, p_key uuid)
returns void
language sql
set search_path = ''
as $$
  update public.refunds
  set state = 'due',
      attempts = 0,
      next_attempt_at = clock_timestamp(),
      idempotency_key = case when razorpay_refund_id is null then idempotency_key
        else 'refund_' || replace(gen_random_uuid()::text, '-', '') end,
      razorpay_refund_id = null,
      request_keys = request_keys || p_key
  where id = p_refund_id;
$$;

-- Creates a refund that is due at once and returns its id; one of a payment by hand is done, since the admin has paid it
-- back by hand. Razorpay accepts idempotency keys of up to 40 characters.
create function private.create_admin_refund(
  p_payment public.payments, p_amount_paise bigint, p_reason text, p_key uuid, p_items jsonb default '{}'
)
returns bigint
language plpgsql
set search_path = ''
as $$
declare
  v_id bigint;
begin
  insert into public.refunds (payment_id, order_id, amount_paise, idempotency_key, reason, request_keys, items)
  values (
    p_payment.payment_id, p_payment.order_id, p_amount_paise, 'refund_' || replace(p_key::text, '-', ''), p_reason,
    array[p_key], p_items
  )
  returning id into v_id;
  if private.is_by_hand(p_payment.payment_id) then
    perform public.finish_refund(v_id, null);
  end if;
  return v_id;
end;
$$;

-- Creates a refund of a paid order and returns quantities to stock (p_restock: {line key: quantity}, see private.line_key). p_items, in the same
-- shape, says what the amount is for; the buyer's mail and the credit note name it. If a refund of the
-- same amount has failed, that one is retried instead. Returns {outcome}: refunding; already (same p_key); not_found;
-- not_paid; too_much, with left_paise; too_many_items, with line_key. Raises 22023.
create function public.request_refund(
  p_order_id bigint, p_key uuid, p_amount_paise bigint, p_reason text, p_restock jsonb default '{}', p_items jsonb default '{}'
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_payment public.payments;
  v_failed public.refunds;
  v_refund_id bigint;
  v_wrong text;
begin
  if p_key is null or p_amount_paise is null or p_amount_paise < 100
    or jsonb_typeof(p_restock) is distinct from 'object' or jsonb_typeof(p_items) is distinct from 'object'
  then
    raise exception 'a refund needs a key, at least 100 paise, and an object of quantities' using errcode = '22023';
  end if;
  if jsonb_path_exists(jsonb_build_array(p_restock, p_items), 'strict $[*].* ? (@.type() != "number" || @ < 1 || @ > 100000)') then
    raise exception 'quantities must be 1 to 100000' using errcode = '22023';
  end if;
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if exists (select 1 from public.refunds where order_id = p_order_id and p_key = any (request_keys)) then
    return jsonb_build_object('outcome', 'already');
  end if;
  select * into v_payment from public.payments
  where payment_id = v_order.payment_id and order_id = p_order_id and state in ('accepted', 'refunded');
  if not found then
    return jsonb_build_object('outcome', 'not_paid');
  end if;

  -- First one with an unknown outcome: its amount is already subtracted, so that a retry cannot refund too much.
  select r.* into v_failed from public.refunds r
  where r.payment_id = v_payment.payment_id and r.state = 'failed' and r.amount_paise = p_amount_paise
  order by private.outcome_unknown(r) desc, r.id
  limit 1;
  if not coalesce(private.outcome_unknown(v_failed), false) and p_amount_paise > private.refundable_paise(v_payment) then
    return jsonb_build_object('outcome', 'too_much', 'left_paise', private.refundable_paise(v_payment));
  end if;
  v_wrong := private.restock(v_order, p_restock);
  if v_wrong is not null then
    return jsonb_build_object('outcome', 'too_many_items', 'line_key', v_wrong);
  end if;

  if v_failed.id is not null then
    perform private.retry_refund(v_failed.id, p_key);
    return jsonb_build_object('outcome', 'refunding');
  end if;
  v_refund_id := private.create_admin_refund(v_payment, p_amount_paise, left(p_reason, 200), p_key, p_items);
  if coalesce(btrim(v_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'refund_notice', v_order.customer_email, p_order_id,
      jsonb_build_object('payment_id', v_payment.payment_id, 'amount_paise', p_amount_paise, 'reason',
        case when private.unrefunded_paise(v_order) = 0 then 'final_refund' else 'partial_refund' end,
        'items', (
          select coalesce(jsonb_agg(jsonb_build_object('name', item ->> 'name', 'quantity', p_items -> private.line_key(item))), '[]')
          from jsonb_path_query(v_order.items, 'lax $[*] ? (@.type() == "object")') item
          where p_items ? private.line_key(item)
        )),
      'refund_notice:' || v_refund_id
    )
    on conflict (dedupe_key) do nothing;
  end if;
  return jsonb_build_object('outcome', 'refunding');
end;
$$;

-- Refunds a payment that waits for the admin (it matches no order, or is a duplicate purchase), in full and once, or
-- retries a failed refund of any payment; of a payment that must go back in full, with what is left of it. Returns
-- {outcome}: refunding; already (same p_key); nothing (there is nothing to refund or retry); not_found. Raises 22023.
create function public.refund_payment(p_payment_id text, p_key uuid)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_payment public.payments;
  v_failed public.refunds;
begin
  if p_key is null then
    raise exception 'a key is required' using errcode = '22023';
  end if;
  v_payment := private.lock_payment(p_payment_id);
  if v_payment.payment_id is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if exists (select 1 from public.refunds where payment_id = p_payment_id and p_key = any (request_keys)) then
    return jsonb_build_object('outcome', 'already');
  end if;
  if v_payment.state = 'unmatched' then
    update public.payments set state = 'refund_due' where payment_id = p_payment_id;
    perform private.create_admin_refund(v_payment, v_payment.amount_paise, coalesce(v_payment.reason, 'unknown_order'), p_key);
    -- Of a duplicate purchase the buyer is known.
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    select 'refund_notice', o.customer_email, o.id,
      jsonb_build_object('payment_id', p_payment_id, 'amount_paise', v_payment.amount_paise, 'reason', v_payment.reason),
      'refund_notice:' || p_payment_id
    from public.orders o
    where o.id = v_payment.order_id and coalesce(btrim(o.customer_email), '') <> ''
    on conflict (dedupe_key) do nothing;
    return jsonb_build_object('outcome', 'refunding');
  end if;
  select * into v_failed from public.refunds r
  where r.payment_id = p_payment_id and r.state = 'failed'
  order by private.outcome_unknown(r) desc, r.id
  limit 1;
  if not found then
    return jsonb_build_object('outcome', 'nothing');
  end if;
  if not private.outcome_unknown(v_failed) and v_failed.amount_paise > private.refundable_paise(v_payment) then
    if not private.is_rest_due(v_payment) then
      return jsonb_build_object('outcome', 'nothing');
    end if;
    -- Another refund than the one that Razorpay refused: its amount is new, so its key is.
    update public.refunds
    set amount_paise = private.refundable_paise(v_payment),
        idempotency_key = 'refund_' || replace(gen_random_uuid()::text, '-', '')
    where id = v_failed.id;
  end if;
  perform private.retry_refund(v_failed.id, p_key);
  return jsonb_build_object('outcome', 'refunding');
end;
$$;
